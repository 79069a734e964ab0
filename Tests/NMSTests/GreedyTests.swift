import Geometry
import NMS
import TestSupport
import Testing

@Suite struct GreedyTests {
  struct Golden: Decodable {
    let count: Int
    let clusters: Int
    let ties: Bool
    let threshold: Double
    let kept: [Int]
    let keptPerClass: [Int]
  }

  @Test func equalsTorchvision() throws {
    let cases = try Folders.golden("NMS/greedy.json", as: [Golden].self)
    #expect(cases.count == 12)
    for golden in cases {
      let (boxes, scores) = clustered(
        seed: golden.count + golden.clusters, count: golden.count, clusters: golden.clusters,
        ties: golden.ties)
      let kept = try nonMaximumSuppression(
        boxes: boxes, scores: scores, iouThreshold: golden.threshold)
      #expect(kept == golden.kept)

      var generator = SeededGenerator(seed: UInt64(golden.count))
      let classes = boxes.map { _ in Int(generator.next() % 5) }
      let keptPerClass = try nonMaximumSuppression(
        boxes: boxes, scores: scores, classes: classes, iouThreshold: golden.threshold)
      #expect(keptPerClass == golden.keptPerClass)
    }
  }

  /// Sizes of eleven octaves, empty and inverted boxes, ties: whatever the grid makes of them.
  @Test(arguments: [0, 0.1, 0.45, 0.5, 0.65, 0.99, 1])
  func equalsComparingAllPairs(threshold: Double) throws {
    for (seed, count) in [0, 1, 2, 20, 47, 48, 49, 200, 700].enumerated() {
      let (boxes, scores) = motley(seed: UInt64(seed), count: count)
      let order = byScore(scores)
      #expect(
        try nonMaximumSuppression(boxes: boxes, scores: scores, iouThreshold: threshold)
          == suppressByAllPairs(boxes: boxes, order: order, threshold: threshold) { $0.iou($1) })
      #expect(
        try nonMaximumSuppression(
          boxes: boxes, scores: scores, iouThreshold: threshold,
          measure: .intersectionOverSmaller)
          == suppressByAllPairs(boxes: boxes, order: order, threshold: threshold) {
            $0.intersectionOverSmaller($1)
          })
    }
  }

  @Test func equalsComparingAllPairsOfInfiniteAndHugeBoxes() throws {
    var (boxes, scores) = motley(seed: 40, count: 300)
    let edges: [Float] = [-.infinity, -3e38, -1, 0, 1, 3e38, .infinity]
    for minX in edges {
      for maxX in edges {
        boxes.append(Box(minX: minX, minY: 0, maxX: maxX, maxY: 50))
        boxes.append(Box(minX: minX, minY: minX, maxX: maxX, maxY: maxX))
        scores += [Float(boxes.count % 7), .infinity]
      }
    }
    #expect(
      try nonMaximumSuppression(boxes: boxes, scores: scores, iouThreshold: 0.2)
        == suppressByAllPairs(boxes: boxes, order: byScore(scores), threshold: 0.2) {
          $0.iou($1)
        })
  }

  /// Far from the origin boxes are few Floats wide, and very small areas underflow.
  @Test(arguments: [(1e6, 1), (0, 1e-3), (0, 1e-19), (0, 1e-22), (-3e4, 1e4), (0, 1e17), (0, 1e36)])
  func equalsComparingAllPairsAtEveryScale(offset: Float, scale: Float) throws {
    let (some, scores) = clustered(seed: 31, count: 400, clusters: 30, ties: true)
    let boxes = some.map { $0.scaled(by: scale).translated(dx: offset, dy: -offset) }
    for threshold in [0.0999, 0.1, 0.3, 0.5, 0.7, 0.999] {
      #expect(
        try nonMaximumSuppression(boxes: boxes, scores: scores, iouThreshold: threshold)
          == suppressByAllPairs(
            boxes: boxes, order: byScore(scores), threshold: threshold
          ) { $0.iou($1) })
    }
  }

  @Test func whatStaysIsFarApartAndWhatGoesIsCovered() throws {
    let (boxes, scores) = clustered(seed: 3, count: 500, clusters: 25, ties: true)
    let kept = try nonMaximumSuppression(boxes: boxes, scores: scores, iouThreshold: 0.4)
    for (place, index) in kept.enumerated() {
      for other in kept[..<place] {
        #expect(boxes[index].iou(boxes[other]) <= 0.4)
        #expect(scores[other] >= scores[index])
      }
    }
    for index in Set(boxes.indices).subtracting(kept) {
      #expect(
        kept.contains {
          scores[$0] >= scores[index] && boxes[$0].iou(boxes[index]) > 0.4
        })
    }
    // What was suppressed once has nothing left to suppress.
    let again = try nonMaximumSuppression(
      boxes: kept.map { boxes[$0] }, scores: kept.map { scores[$0] }, iouThreshold: 0.4)
    #expect(again == Array(kept.indices))
  }

  @Test func thresholdItselfIsAllowed() throws {
    // Half of the union is shared.
    let boxes = [
      Box(minX: 0, minY: 0, maxX: 4, maxY: 4), Box(minX: 0, minY: 0, maxX: 4, maxY: 2),
    ]
    let scores: [Float] = [1, 0.5]
    #expect(try nonMaximumSuppression(boxes: boxes, scores: scores, iouThreshold: 0.5) == [0, 1])
    #expect(
      try nonMaximumSuppression(boxes: boxes, scores: scores, iouThreshold: 0.5.nextDown) == [0])
  }

  @Test func equalScoresKeepTheirOrder() throws {
    let box = Box(minX: 0, minY: 0, maxX: 4, maxY: 4)
    let apart = (0..<100).map { box.translated(dx: Float($0 * 5), dy: 0) }
    let ones = Array(repeating: Float(0.5), count: 100)
    #expect(
      try nonMaximumSuppression(boxes: apart, scores: ones, iouThreshold: 0.5)
        == Array(0..<100))
    #expect(
      try nonMaximumSuppression(boxes: [box, box], scores: [0, -0.0], iouThreshold: 0.5) == [0])
    #expect(
      try nonMaximumSuppression(
        boxes: Array(apart[..<5]), scores: [-0.0, 0, -1, .infinity, -.infinity],
        iouThreshold: 0.5) == [3, 0, 1, 2, 4])
  }

  @Test func aLimitKeepsTheFirst() throws {
    let (boxes, scores) = clustered(seed: 9, count: 300, clusters: 20, ties: false)
    let classes = boxes.indices.map { $0 % 3 }
    let all = try nonMaximumSuppression(boxes: boxes, scores: scores, iouThreshold: 0.5)
    let perClass = try nonMaximumSuppression(
      boxes: boxes, scores: scores, classes: classes, iouThreshold: 0.5)
    for limit in [0, 1, 7, 1000] {
      #expect(
        try nonMaximumSuppression(
          boxes: boxes, scores: scores, iouThreshold: 0.5, topK: limit)
          == Array(all.prefix(limit)))
      #expect(
        try nonMaximumSuppression(
          boxes: boxes, scores: scores, classes: classes, iouThreshold: 0.5, topK: limit)
          == Array(perClass.prefix(limit)))
    }
  }

  @Test func oneClassIsClassAgnostic() throws {
    let (boxes, scores) = clustered(seed: 10, count: 300, clusters: 20, ties: true)
    #expect(
      try nonMaximumSuppression(
        boxes: boxes, scores: scores, classes: boxes.map { _ in -7 }, iouThreshold: 0.5)
        == nonMaximumSuppression(boxes: boxes, scores: scores, iouThreshold: 0.5))
    #expect(
      try nonMaximumSuppression(
        boxes: boxes, scores: scores, classes: Array(boxes.indices), iouThreshold: 0)
        == byScore(scores))
  }

  @Test func nothingGivesNothing() throws {
    #expect(try nonMaximumSuppression(boxes: [], scores: [], iouThreshold: 0.5).isEmpty)
    #expect(
      try nonMaximumSuppression(boxes: [], scores: [], classes: [], iouThreshold: 0.5).isEmpty)
  }

  @Test func wrongInputIsRefused() {
    let box = Box(minX: 0, minY: 0, maxX: 1, maxY: 1)
    let strange = Box(minX: 0, minY: .nan, maxX: 1, maxY: 1)
    #expect(throws: SuppressionError.countMismatch(what: "scores", expected: 2, got: 1)) {
      try nonMaximumSuppression(boxes: [box, box], scores: [1], iouThreshold: 0.5)
    }
    #expect(throws: SuppressionError.countMismatch(what: "classes", expected: 1, got: 2)) {
      try nonMaximumSuppression(boxes: [box], scores: [1], classes: [0, 1], iouThreshold: 0.5)
    }
    #expect(throws: SuppressionError.scoreIsNotANumber(index: 1)) {
      try nonMaximumSuppression(boxes: [box, box], scores: [1, .nan], iouThreshold: 0.5)
    }
    #expect(throws: SuppressionError.boxIsNotANumber(index: 1)) {
      try nonMaximumSuppression(boxes: [box, strange], scores: [1, 1], iouThreshold: 0.5)
    }
    for threshold in [-0.01, 1.01, .nan, .infinity] {
      #expect(throws: SuppressionError.self) {
        try nonMaximumSuppression(boxes: [box], scores: [1], iouThreshold: threshold)
      }
    }
    #expect(throws: SuppressionError.self) {
      try nonMaximumSuppression(boxes: [box], scores: [1], iouThreshold: 0.5, topK: -1)
    }
  }

  @Test func errorsSayWhatAndWhere() {
    let errors: [SuppressionError] = [
      .countMismatch(what: "scores", expected: 2, got: 1),
      .parameterOutOfRange(name: "sigma", value: 0, range: "greater than 0"),
      .boxIsNotANumber(index: 3), .scoreIsNotANumber(index: 3),
      .scoreOutOfRange(index: 3, score: -1), .invalidCandidate(list: 1, index: 3),
      .invalidOrder(index: 3, count: 2),
    ]
    for error in errors {
      let text = error.description
      #expect(text.contains("3") || text.contains("2") || text.contains("sigma"))
      #expect(!text.contains("\n"))
    }
  }
}
