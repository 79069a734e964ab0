import CommandKit
import Evaluation

/// Several values of each image compared with the true ones, for people and as JSON for machines.
struct ListEvaluationReport {
  private struct Image {
    let name: String
    let score: DetectionScore
    let missed, wrong: [String]
    /// Whether it was read, and exactly the true values.
    let isExact: Bool

    var hasFaults: Bool { !missed.isEmpty || !wrong.isEmpty }
  }

  private let answers: JoinedAnswers
  private let images: [Image]
  private let name: String

  /// Compares the values of each image.
  ///
  /// - Parameters:
  ///   - answers: the true and the predicted values.
  ///   - name: what the values are, such as `dates`.
  ///   - countsEachOnce: whether a value that occurs twice is the same one.
  init(_ answers: JoinedAnswers, of name: String, countsEachOnce: Bool = false) {
    self.answers = answers
    self.name = name
    images = answers.images.map { image in
      func values(_ answer: Answer) -> [String] {
        var seen: Set<[UInt8]> = []
        return countsEachOnce
          ? answer.values.filter { seen.insert(Array($0.utf8)).inserted } : answer.values
      }
      var missed = values(image.truth)
      let found = values(image.prediction)
      // By their bytes: texts that Unicode calls equal are other payloads.
      var counts: [[UInt8]: Int] = [:]
      for value in missed { counts[Array(value.utf8), default: 0] += 1 }
      var wrong: [String] = []
      for value in found {
        let bytes = Array(value.utf8)
        if let count = counts[bytes], count > 0 {
          counts[bytes] = count - 1
        } else {
          wrong.append(value)
        }
      }
      // What is left of each value is missed.
      missed = missed.filter { value in
        let bytes = Array(value.utf8)
        guard let count = counts[bytes], count > 0 else { return false }
        counts[bytes] = count - 1
        return true
      }
      return Image(
        name: image.name,
        score: DetectionScore(
          truePositives: found.count - wrong.count, falsePositives: wrong.count,
          falseNegatives: missed.count), missed: missed, wrong: wrong,
        isExact: image.isAnswered && missed.isEmpty && wrong.isEmpty)
    }
  }

  private var score: DetectionScore { images.map(\.score).reduce(DetectionScore(), +) }
  private var exact: Int { images.count(where: \.isExact) }

  // MARK: Text

  var lines: [String] {
    let score = score
    var table = TextTable([(name, .left), ("", .right)])
    for (label, cell) in [
      ("true", "\(score.truePositives + score.falseNegatives)"),
      ("read", "\(score.truePositives + score.falsePositives)"),
      ("right", "\(score.truePositives)"), ("wrong", "\(score.falsePositives)"),
      ("missed", "\(score.falseNegatives)"), ("precision", FigureText.share(score.precision)),
      ("recall", FigureText.share(score.recall)), ("F1", FigureText.share(score.f1)),
    ] { table.add([label, cell]) }
    let summary =
      "\(exact) of \(Sentence.count(images.count, "image", "images")) with exactly the true "
      + name
    let faults = images.filter(\.hasFaults)
    return table.lines + ["", summary] + (faults.isEmpty ? [] : ["", "errors:"])
      + JoinedAnswers.listed(faults) { image in
        let parts = [("missed", image.missed), ("wrong", image.wrong)].filter { !$0.1.isEmpty }
        let texts = parts.map { "\($0) \($1.map(PrintableText.of).joined(separator: ", "))" }
        return ["  \(PrintableText.of(image.name)): \(texts.joined(separator: "; "))"]
      } + answers.notes
  }

  // MARK: JSON

  var json: JSONText {
    .object(
      Self.members(of: score) + [
        ("exact", .integer(exact)),
        (
          "images",
          .array(
            images.map { image in
              .object(
                [("image", .string(image.name))] + Self.members(of: image.score) + [
                  ("missedValues", .array(image.missed.map { .string($0) })),
                  ("wrongValues", .array(image.wrong.map { .string($0) })),
                ])
            })
        ),
      ] + answers.members)
  }

  private static func members(of score: DetectionScore) -> [(String, JSONText)] {
    [
      ("right", .integer(score.truePositives)), ("wrong", .integer(score.falsePositives)),
      ("missed", .integer(score.falseNegatives)), ("precision", FigureText.json(score.precision)),
      ("recall", FigureText.json(score.recall)), ("f1", FigureText.json(score.f1)),
    ]
  }
}
