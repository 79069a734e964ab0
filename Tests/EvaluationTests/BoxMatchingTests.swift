import Geometry
import TestSupport
import Testing

@testable import Evaluation

/// What pycocotools answered for images that `Fixtures/generate/evaluation.py` makes.
struct COCOCase: Decodable {
  struct Image: Decodable {
    /// Left, top, width, height, crowd, ignored.
    let truths: [Row]
    /// Left, top, width, height, score.
    let predictions: [[Float]]

    var evaluated: EvaluatedImage {
      EvaluatedImage(
        predictions: predictions.map { row in
          ScoredBox(
            box: Box(x: row[0], y: row[1], width: row[2], height: row[3]), score: row[4])
        }, truths: truths.map(\.box))
    }
  }

  struct Row: Decodable {
    let box: TrueBox

    init(from decoder: any Decoder) throws {
      var row = try decoder.unkeyedContainer()
      let box = Box(
        x: try row.decode(Float.self), y: try row.decode(Float.self),
        width: try row.decode(Float.self), height: try row.decode(Float.self))
      self.box = TrueBox(
        box: box, isCrowd: try row.decode(Bool.self), isIgnored: try row.decode(Bool.self))
    }
  }

  struct Matches: Decodable {
    let truths: [Int]
    let ignored: [Bool]
  }

  let images: [Image]
  let thresholds, values, limitedValues: [Double]
  let limit: Int
  let matches50, matches75: [Matches]

  static func all() throws -> [COCOCase] {
    try Folders.golden("Evaluation/average_precision.json")
  }
}

@Suite("Matching boxes by COCO's rules")
struct BoxMatchingTests {
  private let unit = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)

  private func image(_ predictions: [(Box, Float)], _ truths: [TrueBox]) -> EvaluatedImage {
    EvaluatedImage(
      predictions: predictions.map { ScoredBox(box: $0.0, score: $0.1) }, truths: truths)
  }

  @Test("Every prediction has pycocotools' true box")
  func goldens() throws {
    for golden in try COCOCase.all() {
      for (threshold, expected) in [(0.5, golden.matches50), (0.75, golden.matches75)] {
        for (image, matches) in zip(golden.images, expected) {
          let matching = try BoxMatching(image.evaluated, minimumIoU: threshold)
          #expect(matching.truthOfPrediction.map { $0 ?? -1 } == matches.truths)
          #expect(matching.isIgnored == matches.ignored)
        }
      }
    }
  }

  @Test("The surer prediction takes the box, and the other is wrong")
  func duplicates() throws {
    let matching = try BoxMatching(image([(unit, 0.3), (unit, 0.8)], [TrueBox(box: unit)]))
    #expect(matching.truthOfPrediction == [nil, 0])
    #expect(matching.predictionOfTruth == [1])
    #expect(
      matching.score == DetectionScore(truePositives: 1, falsePositives: 1, falseNegatives: 0))
  }

  @Test("Of equal scores the first goes first")
  func ties() throws {
    let matching = try BoxMatching(image([(unit, 0.5), (unit, 0.5)], [TrueBox(box: unit)]))
    #expect(matching.order == [0, 1])
    #expect(matching.truthOfPrediction == [0, nil])
  }

  @Test("A crowd takes any number, and none of them counts")
  func crowd() throws {
    let crowd = TrueBox(box: Box(minX: 0, minY: 0, maxX: 100, maxY: 100), isCrowd: true)
    let small = unit.translated(dx: 20, dy: 20)
    let matching = try BoxMatching(
      image([(unit, 0.9), (small, 0.8), (unit, 0.7)], [crowd, TrueBox(box: unit)]))
    #expect(matching.truthOfPrediction == [1, 0, 0])
    #expect(matching.isIgnored == [false, true, true])
    #expect(matching.score == DetectionScore(truePositives: 1))
  }

  @Test("A box that counts goes before an ignored one that fits better")
  func ignored() throws {
    let near = unit.translated(dx: 2, dy: 0)
    let matching = try BoxMatching(
      image([(unit, 1)], [TrueBox(box: unit, isIgnored: true), TrueBox(box: near)]))
    #expect(matching.truthOfPrediction == [1])
    #expect(matching.score == DetectionScore(truePositives: 1))
  }

  @Test("Thresholds of 0 and 1 hold what they say")
  func extremes() throws {
    let same = image([(unit, 1)], [TrueBox(box: unit)])
    #expect(try BoxMatching(same, minimumIoU: 1).score.truePositives == 1)
    let apart = image([(unit, 1)], [TrueBox(box: unit.translated(dx: 50, dy: 0))])
    // As the peer has it: 0 is reached by boxes that share nothing.
    #expect(try BoxMatching(apart, minimumIoU: 0).score.truePositives == 1)
  }

  @Test("A limit looks at the best predictions only")
  func limit() throws {
    let input = image([(unit, 0.1), (unit, 0.9), (unit, 0.5)], [TrueBox(box: unit)])
    let matching = try BoxMatching(input, limit: 2)
    #expect(matching.order == [1, 2])
    #expect(matching.score == DetectionScore(truePositives: 1, falsePositives: 1))
    #expect(try BoxMatching(input, limit: 0).score == DetectionScore(falseNegatives: 1))
  }

  @Test("Nothing predicted, nothing true")
  func empty() throws {
    #expect(try BoxMatching(image([], [])).score == DetectionScore())
    #expect(
      try BoxMatching(image([], [TrueBox(box: unit)])).score == DetectionScore(falseNegatives: 1))
    #expect(try BoxMatching(image([(unit, 1)], [])).score == DetectionScore(falsePositives: 1))
  }

  @Test("Boxes that are empty, inside out or as large as can be match nothing they do not cover")
  func oddBoxes() throws {
    let odd = [
      Box(minX: 5, minY: 5, maxX: 5, maxY: 5), Box(minX: 9, minY: 9, maxX: 1, maxY: 1),
      Box(
        minX: -.greatestFiniteMagnitude, minY: -.greatestFiniteMagnitude,
        maxX: .greatestFiniteMagnitude, maxY: .greatestFiniteMagnitude),
    ]
    for box in odd {
      let matching = try BoxMatching(image([(box, 1)], [TrueBox(box: unit)]))
      #expect(matching.score == DetectionScore(falsePositives: 1, falseNegatives: 1))
    }
    let whole = try BoxMatching(image([(odd[2], 1)], [TrueBox(box: odd[2])]))
    #expect(whole.score == DetectionScore(truePositives: 1))
  }

  @Test("Numbers that are none are errors that say where")
  func hostile() {
    let bad = Box(minX: .nan, minY: 0, maxX: 1, maxY: 1)
    let endless = Box(minX: 0, minY: 0, maxX: .infinity, maxY: 1)
    #expect(throws: EvaluationError.boxIsNotFinite(what: "prediction", index: 1)) {
      try BoxMatching(image([(unit, 1), (bad, 1)], []))
    }
    #expect(throws: EvaluationError.boxIsNotFinite(what: "true box", index: 0)) {
      try BoxMatching(image([], [TrueBox(box: endless)]))
    }
    #expect(throws: EvaluationError.scoreIsNotANumber(index: 0)) {
      try BoxMatching(image([(unit, .nan)], []))
    }
    for threshold in [Double.nan, -0.1, 1.1, .infinity] {
      #expect(throws: EvaluationError.self) {
        try BoxMatching(image([], []), minimumIoU: threshold)
      }
    }
    #expect(throws: EvaluationError.self) { try BoxMatching(image([], []), limit: -1) }
    #expect(throws: Never.self) {
      try BoxMatching(image([(unit, .infinity), (unit, -.infinity)], []), limit: .max)
    }
  }
}
