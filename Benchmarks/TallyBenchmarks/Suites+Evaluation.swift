import Evaluation

extension Benchmark {
  /// Evaluation: labels, texts and rankings compared with the true ones.
  static let evaluation: [Benchmark] = [
    Benchmark(name: "evaluation/confusion-matrix-100000-labels-100-classes", items: 100_000) { _ in
      var input = SeededInput(seed: 70)
      let truths = (0..<100_000).map { _ in "class \(input.below(100))" }
      let predictions = truths.map { input.below(4) == 0 ? "class \(input.below(100))" : $0 }
      return {
        try ConfusionMatrix(truths: truths, predictions: predictions).macroAverage?.f1 ?? 0
      }
    },
    texts(of: 200, count: 1000, changed: 20), texts(of: 10_000, count: 1, changed: 20),
    texts(of: 10_000, count: 1, changed: 2),
    Benchmark(name: "evaluation/retrieval-1000-queries-100-items", items: 1000) { _ in
      var input = SeededInput(seed: 72)
      let answers = (0..<1000).map { _ in
        RetrievedItems(
          ranking: (0..<100).map { "item \($0)" },
          relevant: Set((0..<10).map { _ in "item \(input.below(200))" }))
      }
      return {
        let score = try RetrievalScore(of: answers)
        return try (score.nDCG(at: 10) ?? 0) + (score.meanAveragePrecision ?? 0)
      }
    },
  ]

  /// Texts of which one of `changed` characters is another one.
  private static func texts(of length: Int, count: Int, changed: Int) -> Benchmark {
    Benchmark(
      name: "evaluation/text-errors-\(count)x\(length)-characters-1-in-\(changed)-wrong",
      items: count
    ) { _ in
      var input = SeededInput(seed: 71)
      let letters = Array("abcdefghijklmnopqrstuvwxyz      ")
      let truths = (0..<count).map { _ in
        (0..<length).map { _ in letters[input.below(letters.count)] }
      }
      let predictions = truths.map { truth in
        truth.map { input.below(changed) == 0 ? letters[input.below(letters.count)] : $0 }
      }
      let (own, read) = (truths.map { String($0) }, predictions.map { String($0) })
      return {
        let rate = try TextErrorRate(truths: own, predictions: read)
        return Double(rate.characters.distance + rate.words.distance)
      }
    }
  }
}
