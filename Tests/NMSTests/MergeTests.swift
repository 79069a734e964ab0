import Geometry
import NMS
import TestSupport
import Testing

@Suite struct MergeTests {
  @Test func theOrderDecidesWhoStays() throws {
    let boxes = [
      Box(minX: 0, minY: 0, maxX: 10, maxY: 10), Box(minX: 1, minY: 0, maxX: 11, maxY: 10),
      Box(minX: 20, minY: 0, maxX: 30, maxY: 10),
    ]
    #expect(try mergeOverlaps(boxes: boxes, order: [0, 1, 2], iouThreshold: 0.5) == [0, 2])
    #expect(try mergeOverlaps(boxes: boxes, order: [2, 1, 0], iouThreshold: 0.5) == [2, 1])
    #expect(try mergeOverlaps(boxes: boxes, order: [1], iouThreshold: 0.5) == [1])
    #expect(try mergeOverlaps(boxes: boxes, order: [], iouThreshold: 0.5).isEmpty)
    #expect(
      try mergeOverlaps(boxes: boxes, scores: [0.1, 0.9, 0.5], iouThreshold: 0.5) == [1, 2])
  }

  @Test(arguments: [0.2, 0.5, 0.8])
  func equalsComparingAllPairs(threshold: Double) throws {
    let (boxes, _) = clustered(seed: 21, count: 400, clusters: 30, ties: false)
    var generator = SeededGenerator(seed: 22)
    let order = Array(boxes.indices.shuffled(using: &generator).prefix(300))
    #expect(
      try mergeOverlaps(boxes: boxes, order: order, iouThreshold: threshold)
        == suppressByAllPairs(boxes: boxes, order: order, threshold: threshold) { $0.iou($1) })
  }

  @Test(arguments: [[0, 0], [2], [-1], [Int.max, 0]])
  func ordersThatNameNoBoxOrOneTwiceAreRefused(order: [Int]) {
    let boxes = Array(repeating: Box(minX: 0, minY: 0, maxX: 1, maxY: 1), count: 2)
    #expect(throws: SuppressionError.invalidOrder(index: order[0], count: 2)) {
      try mergeOverlaps(boxes: boxes, order: order, iouThreshold: 0.5)
    }
  }

  @Test func aPartGoesWithItsWhole() throws {
    let boxes = [
      Box(minX: 0, minY: 0, maxX: 10, maxY: 10), Box(minX: 2, minY: 2, maxX: 5, maxY: 5),
    ]
    #expect(try mergeOverlaps(boxes: boxes, order: [0, 1], iouThreshold: 0.5) == [0, 1])
    #expect(
      try mergeOverlaps(
        boxes: boxes, order: [0, 1], iouThreshold: 0.5, measure: .intersectionOverSmaller)
        == [0])
  }
}
