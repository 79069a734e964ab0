import Geometry
import NMS
import TestSupport
import Testing

/// Suppression against comparing all pairs, on input made to lead what is cleverer astray.
@Suite struct HostileTests {
  enum Kind: CaseIterable {
    case identical, nearlyIdentical, huge, oneOverAll, withoutArea, allSizes, twoSizes, crosses
    case farOutlier, infinite, vanishing, wholeNumbers
  }

  private func boxes(_ kind: Kind, count: Int, seed: UInt64) -> [Box] {
    var generator = SeededGenerator(seed: seed)
    func random(_ bound: Float) -> Float { generator.unitFloat() * bound }
    func octave() -> Float {
      Float(sign: .plus, exponent: Int(generator.next() % 13), significand: 1 + random(1))
    }
    return (0..<count).map { index in
      let (x, y) = (random(900), random(900))
      switch kind {
      case .identical: return Box(x: 5, y: 5, width: 60, height: 40)
      case .nearlyIdentical:
        return Box(x: 5 + random(0.01), y: 5, width: 60 + random(0.01), height: 40)
      case .huge:
        return Box(
          minX: random(400), minY: random(400), maxX: 400 + random(500), maxY: 400 + random(500))
      case .oneOverAll:
        return index == count / 3
          ? Box(minX: 0, minY: 0, maxX: 1e6, maxY: 1e6) : Box(x: x, y: y, width: 30, height: 30)
      case .withoutArea:
        return Box(x: x, y: y, width: index % 3 == 0 ? 0 : 40, height: index % 3 == 1 ? -5 : 40)
      case .allSizes: return Box(x: x, y: y, width: octave(), height: octave())
      case .twoSizes:
        let side: Float = index % 2 == 0 ? 4 : 250
        return Box(x: x, y: y, width: side, height: side)
      case .crosses:
        return index % 2 == 0
          ? Box(x: 0, y: y, width: 1000, height: 3) : Box(x: x, y: 0, width: 3, height: 1000)
      // The cells of one grid over all would hold hundreds of the others.
      case .farOutlier:
        return index == 0
          ? Box(x: 1e9, y: -1e9, width: 500, height: 500)
          : Box(x: x / 9, y: y / 9, width: 10 + random(4), height: 10 + random(4))
      case .infinite:
        return index % 3 == 0
          ? Box(minX: -.infinity, minY: y, maxX: index % 2 == 0 ? x : .infinity, maxY: y + 9)
          : Box(x: x / 9, y: y / 9, width: index % 5 == 0 ? 3e38 : 9, height: 20)
      case .vanishing:
        let scale: Float = index % 3 == 0 ? 1e-24 : index % 3 == 1 ? 1e-21 : 1e-12
        return Box(x: random(9), y: random(9), width: 4, height: 4).scaled(by: scale)
      // Edges that touch, overlaps of exactly a half and a third, zeros of both signs.
      case .wholeNumbers:
        let sides = (0..<4).map { _ in Float(Int(generator.next() % 6) - 2) }
        return Box(
          minX: sides[0] * (index % 2 == 0 ? 1 : -1), minY: sides[1], maxX: sides[2] + 1,
          maxY: sides[3] + 1)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func equalsComparingAllPairs(kind: Kind) throws {
    for (seed, count) in [1, 2, 47, 48, 63, 300, 1200].enumerated() {
      let boxes = boxes(kind, count: count, seed: UInt64(seed))
      var generator = SeededGenerator(seed: UInt64(seed) + 100)
      let scores = boxes.map { _ in Float(generator.next() % 400) / 100 - 1 }
      let order = byScore(scores)
      for threshold in [0, 0.01, 0.1, 1.0 / 3, 0.5, 0.65, 0.9, 1] {
        #expect(
          try nonMaximumSuppression(boxes: boxes, scores: scores, iouThreshold: threshold)
            == suppressByAllPairs(boxes: boxes, order: order, threshold: threshold) { $0.iou($1) },
          "\(count) boxes at \(threshold)")
        #expect(
          try nonMaximumSuppression(
            boxes: boxes, scores: scores, iouThreshold: threshold,
            measure: .intersectionOverSmaller)
            == suppressByAllPairs(boxes: boxes, order: order, threshold: threshold) {
              $0.intersectionOverSmaller($1)
            },
          "\(count) boxes at \(threshold), over the smaller")
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func classesDoNotTouch(kind: Kind) throws {
    let boxes = boxes(kind, count: 600, seed: 5)
    var generator = SeededGenerator(seed: 6)
    let scores = boxes.map { _ in Float(generator.next() % 100) }
    // Small numbers, one class each, and numbers of 64 bits that are equal in their lower halves.
    let kinds: [[Int]] = [
      boxes.indices.map { $0 % 4 }, Array(boxes.indices),
      boxes.indices.map { $0 % 3 == 0 ? 7 : 7 + ($0 % 3) << 32 }, boxes.map { _ in .min },
    ]
    for classes in kinds {
      for threshold in [0, 0.3, 0.65] {
        let kept = try nonMaximumSuppression(
          boxes: boxes, scores: scores, classes: classes, iouThreshold: threshold)
        var expected: Set<Int> = []
        for classID in Set(classes) {
          let order = byScore(scores).filter { classes[$0] == classID }
          expected.formUnion(
            suppressByAllPairs(boxes: boxes, order: order, threshold: threshold) { $0.iou($1) })
        }
        #expect(kept == byScore(scores).filter(expected.contains))
      }
    }
  }

  /// Priorities of the caller's that leave boxes out.
  @Test(arguments: Kind.allCases)
  func anyOrderEqualsComparingAllPairs(kind: Kind) throws {
    let boxes = boxes(kind, count: 500, seed: 8)
    var generator = SeededGenerator(seed: 9)
    let order = Array(boxes.indices.shuffled(using: &generator).prefix(400))
    for threshold in [0.05, 0.5] {
      #expect(
        try mergeOverlaps(boxes: boxes, order: order, iouThreshold: threshold)
          == suppressByAllPairs(boxes: boxes, order: order, threshold: threshold) { $0.iou($1) })
    }
  }

  /// More than a thousand scores are sorted by their digits, fewer by comparing.
  @Test(arguments: [0, 1, 999, 1000, 1001, 5000])
  func scoresOrderBoxesApart(count: Int) throws {
    let apart = (0..<count).map { Box(x: Float($0 * 5), y: 0, width: 4, height: 4) }
    var generator = SeededGenerator(seed: 1)
    let edges: [Float] = [
      0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
      .greatestFiniteMagnitude, 1, -1,
    ]
    let kinds: [[Float]] = [
      apart.map { _ in generator.unitFloat() * 2 - 1 },
      apart.map { _ in Float(generator.next() % 5) - 2 },
      apart.map { _ in edges[Int(generator.next() % 9)] },
      apart.map { _ in 0.5 },
      apart.map { _ in
        let score = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
        return score.isNaN ? 0 : score
      },
    ]
    for scores in kinds {
      #expect(
        try nonMaximumSuppression(boxes: apart, scores: scores, iouThreshold: 0.5)
          == byScore(scores))
    }
  }
}
