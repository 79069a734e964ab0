import Geometry
import TestSupport
import Testing

@testable import Evaluation

@Suite("Matching boxes and objects one to one")
struct ObjectMatchingTests {
  struct Golden: Decodable {
    let points: [[Double]]
    let boxes: [[Float]]
    let pairs: Int
    let cost: Double
  }

  private func box(_ row: [Float]) -> Box {
    Box(minX: row[0], minY: row[1], maxX: row[2], maxY: row[3])
  }

  private func cost(_ matching: ObjectMatching, _ boxes: [Box], _ points: [TruePoint]) -> Double {
    matching.boxOfObject.enumerated().reduce(0) { sum, pair in
      guard let chosen = pair.element else { return sum }
      let point = points[pair.offset]
      return sum + boxes[chosen].center.distance(to: point.point) / point.radius
    }
  }

  @Test("The pairs are as many and as close as SciPy's, in whatever order boxes and points come")
  func goldens() throws {
    let goldens: [Golden] = try Folders.golden("Evaluation/assignments.json")
    var generator = SeededGenerator(seed: 4)
    for golden in goldens {
      var boxes = golden.boxes.map(box)
      var points = golden.points.map {
        TruePoint(point: Point(x: $0[0], y: $0[1]), radius: $0[2])
      }
      for _ in 0..<4 {
        let matching = try ObjectMatching(boxes: boxes, objects: .points(points))
        #expect(matching.score.truePositives == golden.pairs)
        #expect(abs(cost(matching, boxes, points) - golden.cost) < 1e-9)
        for (index, object) in matching.objectOfBox.enumerated() {
          if let object { #expect(matching.boxOfObject[object] == index) }
        }
        boxes.shuffle(using: &generator)
        points.shuffle(using: &generator)
      }
    }
  }

  @Test("A greedy choice that would leave an object out is not taken")
  func augmentation() throws {
    // The wide box is closest to the first point, but only it holds the second.
    let wide = Box(minX: 0, minY: 0, maxX: 20, maxY: 10)
    let narrow = Box(minX: 0, minY: 0, maxX: 18, maxY: 10)
    let points = [
      TruePoint(point: Point(x: 10, y: 5), radius: 12),
      TruePoint(point: Point(x: 19, y: 5), radius: 12),
    ]
    let matching = try ObjectMatching(boxes: [wide, narrow], objects: .points(points))
    #expect(matching.boxOfObject == [1, 0])
  }

  @Test("A box is right where it holds the point and its centre is near, edges included")
  func rule() throws {
    func isRight(_ box: Box, _ x: Double, _ y: Double, _ radius: Double) throws -> Bool {
      let point = TruePoint(point: Point(x: x, y: y), radius: radius)
      return try ObjectMatching(boxes: [box], objects: .points([point])).boxOfObject == [0]
    }
    let unit = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)
    #expect(try isRight(unit, 5, 5, 0))
    #expect(try isRight(unit, 10, 5, 5))
    #expect(try !isRight(unit, 10, 5, 4.99))
    #expect(try !isRight(unit, 10.1, 5, 20))
    #expect(try isRight(unit, 5, 0, 5))
  }

  @Test("Two boxes on one object are one right and one wrong")
  func duplicates() throws {
    let unit = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)
    let point = TruePoint(point: Point(x: 5, y: 5), radius: 5)
    let score = try ObjectMatching(
      boxes: [unit.translated(dx: 1, dy: 0), unit], objects: .points([point])
    ).score
    #expect(score == DetectionScore(truePositives: 1, falsePositives: 1))
    #expect(score.precision == 0.5)
    #expect(score.recall == 1)
    #expect(score.f1 == 2.0 / 3)
  }

  @Test("Boxes are matched by overlap where boxes are known")
  func boxes() throws {
    let unit = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)
    let truths = [unit, unit.translated(dx: 4, dy: 0)]
    let found = [unit.translated(dx: 2, dy: 0), unit.translated(dx: 40, dy: 0)]
    let matching = try ObjectMatching(boxes: found, objects: .boxes(truths, minimumIoU: 0.5))
    #expect(
      matching.score == DetectionScore(truePositives: 1, falsePositives: 1, falseNegatives: 1))
    let strict = try ObjectMatching(boxes: found, objects: .boxes(truths, minimumIoU: 0.7))
    #expect(strict.score.truePositives == 0)
    let any = try ObjectMatching(boxes: found, objects: .boxes(truths, minimumIoU: 0))
    #expect(any.score.truePositives == 1)
  }

  @Test("Nothing at all, and hundreds of boxes on hundreds of points")
  func sizes() throws {
    #expect(try ObjectMatching(boxes: [], objects: .points([])).score == DetectionScore())
    let unit = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)
    let points = [TruePoint](
      repeating: TruePoint(point: Point(x: 5, y: 5), radius: 5), count: 120)
    let crowded = try ObjectMatching(
      boxes: [Box](repeating: unit, count: 150), objects: .points(points))
    #expect(crowded.score == DetectionScore(truePositives: 120, falsePositives: 30))
  }

  @Test("Numbers that are none are errors that say where")
  func hostile() {
    let unit = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)
    let fine = TruePoint(point: Point(x: 5, y: 5), radius: 5)
    let bad = [
      TruePoint(point: Point(x: .nan, y: 5), radius: 5),
      TruePoint(point: Point(x: 5, y: .infinity), radius: 5),
      TruePoint(point: Point(x: 5, y: 5), radius: .nan),
      TruePoint(point: Point(x: 5, y: 5), radius: -1),
      TruePoint(point: Point(x: 5, y: 5), radius: .infinity),
    ]
    for point in bad {
      #expect(throws: EvaluationError.invalidPoint(index: 1)) {
        try ObjectMatching(boxes: [unit], objects: .points([fine, point]))
      }
    }
    let endless = Box(minX: 0, minY: 0, maxX: .infinity, maxY: 1)
    #expect(throws: EvaluationError.boxIsNotFinite(what: "box", index: 0)) {
      try ObjectMatching(boxes: [endless], objects: .points([fine]))
    }
    #expect(throws: EvaluationError.boxIsNotFinite(what: "true box", index: 0)) {
      try ObjectMatching(boxes: [unit], objects: .boxes([endless], minimumIoU: 0.5))
    }
    #expect(throws: EvaluationError.self) {
      try ObjectMatching(boxes: [unit], objects: .boxes([unit], minimumIoU: .nan))
    }
    #expect(throws: Never.self) {
      try ObjectMatching(
        boxes: [Box(minX: -3e38, minY: -3e38, maxX: 3e38, maxY: 3e38)],
        objects: .points([TruePoint(point: Point(x: 1e308, y: -1e308), radius: 1e308)]))
    }
  }
}
