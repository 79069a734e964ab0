import Foundation
import Geometry
import NMS
import TestSupport
import Testing

@Suite("Suppression of rotated boxes") struct RotatedSuppressionTests {
  struct Golden: Decodable {
    let seed: UInt64
    let count: Int
    let classes: Int
    let threshold: Double
    let kept: [Int]
    /// The likeness of the first box and the eight after it.
    let first: [Double]
  }

  /// NumPy's formula in float64, compared pair by pair.
  @Test func equalsNumPys() throws {
    let goldens = try Folders.golden("NMS/rotated.json", as: [Golden].self)
    #expect(goldens.count == 3)
    for golden in goldens {
      var random = SeededGenerator(seed: golden.seed)
      var boxes: [RotatedBox] = []
      var scores: [Float] = []
      var classes: [Int] = []
      for _ in 0..<golden.count {
        let u = (0..<7).map { _ in random.unitFloat() }
        let d = u.map(Double.init)
        boxes.append(
          RotatedBox(
            center: Point(x: d[0] * 40, y: d[1] * 40), width: 4 + d[2] * 30,
            height: 4 + d[3] * 10, angle: (d[4] - 0.5) * .pi))
        scores.append(u[5])
        classes.append(Int(d[6] * Double(golden.classes)))
      }
      for (box, expected) in zip(boxes[1..<9], golden.first) {
        #expect(abs(boxes[0].probabilisticIoU(box) - expected) < 1e-9)
        #expect(boxes[0].probabilisticIoU(box) == box.probabilisticIoU(boxes[0]))
      }
      let kept = try nonMaximumSuppression(
        rotatedBoxes: boxes, scores: scores, classes: classes, threshold: golden.threshold)
      #expect(kept == golden.kept)
      #expect(kept.count < golden.count)
    }
  }

  @Test func turningAllTurnsNothing() throws {
    let one = RotatedBox(center: Point(x: 0, y: 0), width: 10, height: 2, angle: 0.3)
    let other = RotatedBox(center: Point(x: 1, y: 1), width: 9, height: 3, angle: 0.5)
    let turned = [one, other].map {
      let (c, s) = (cos(1.1), sin(1.1))
      return RotatedBox(
        center: Point(x: $0.center.x * c - $0.center.y * s, y: $0.center.x * s + $0.center.y * c),
        width: $0.width, height: $0.height, angle: $0.angle + 1.1)
    }
    #expect(abs(one.probabilisticIoU(other) - turned[0].probabilisticIoU(turned[1])) < 1e-9)
    // The corners of a box turned by a quarter are those of the box with its sides exchanged.
    let quarter = RotatedBox(center: Point(x: 5, y: 5), width: 8, height: 2, angle: .pi / 2)
    let box = quarter.quadrilateral.boundingBox
    #expect(abs(box.minX - 4) < 1e-5 && abs(box.maxY - 9) < 1e-5)
    #expect(quarter.area == 16 && abs(quarter.quadrilateral.area - 16) < 1e-9)
  }

  @Test func refusesWhatCannotBe() throws {
    let box = RotatedBox(center: Point(x: 0, y: 0), width: 1, height: 1, angle: 0)
    #expect(throws: SuppressionError.self) {
      try nonMaximumSuppression(rotatedBoxes: [box], scores: [], threshold: 0.5)
    }
    #expect(throws: SuppressionError.self) {
      try nonMaximumSuppression(rotatedBoxes: [box], scores: [1], threshold: .nan)
    }
    #expect(throws: SuppressionError.self) {
      try nonMaximumSuppression(rotatedBoxes: [box], scores: [1], classes: [], threshold: 0.5)
    }
    #expect(
      try nonMaximumSuppression(rotatedBoxes: [], scores: [], threshold: 0.5) == [])
    // Nothing is as alike as 1, and all are alike at 0.
    #expect(
      try nonMaximumSuppression(rotatedBoxes: [box, box], scores: [1, 1], threshold: 1) == [0, 1])
    #expect(
      try nonMaximumSuppression(rotatedBoxes: [box, box], scores: [1, 1], threshold: 0) == [0])
  }

  /// Upright ones are boxes.
  @Test func quadrilateralsThatAreBoxes() throws {
    var random = SeededGenerator(seed: 41)
    let boxes = (0..<80).map { _ in
      let u = (0..<4).map { _ in (random.unitFloat() * 20).rounded(.down) }
      return Box(minX: u[0], minY: u[1], maxX: u[0] + 5 + u[2], maxY: u[1] + 5 + u[3])
    }
    let scores = boxes.map { _ in (random.unitFloat() * 20).rounded(.down) }
    for threshold in [0.0, 0.37, 1.0] {
      let kept = try nonMaximumSuppression(
        quadrilaterals: boxes.map(Quadrilateral.init), scores: scores, iouThreshold: threshold)
      #expect(
        try kept
          == nonMaximumSuppression(boxes: boxes, scores: scores, iouThreshold: threshold))
    }
  }

  /// Two bars side by side, on the diagonal: the boxes around them are nearly the same.
  @Test func barsThatLieAskewBothStay() throws {
    let bars = [0.0, 4.0].map {
      RotatedBox(center: Point(x: 50 + $0, y: 50), width: 80, height: 2, angle: .pi / 4)
        .quadrilateral
    }
    #expect(bars[0].boundingBox.iou(bars[1].boundingBox) > 0.85)
    func kept(_ quads: [Quadrilateral], _ scores: [Float]) throws -> [Int] {
      try nonMaximumSuppression(quadrilaterals: quads, scores: scores, iouThreshold: 0.5)
    }
    #expect(try kept(bars, [0.4, 0.9]) == [1, 0])
    #expect(try kept([bars[0], bars[0]], [0.9, 0.9]) == [0])
    #expect(try kept([], []).isEmpty)
    var broken = bars[0]
    broken.topLeft.x = .nan
    for (quads, scores) in [([broken, bars[1]], [1, 1]), (bars, [1]), (bars, [.nan, 1])]
      as [([Quadrilateral], [Float])]
    {
      #expect(throws: SuppressionError.self) { try kept(quads, scores) }
    }
  }
}
