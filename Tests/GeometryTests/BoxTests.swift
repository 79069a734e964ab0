import Foundation
import Geometry
import TestSupport
import Testing

@Suite struct BoxTests {
  let box = Box(minX: 2, minY: 3, maxX: 10, maxY: 7)

  @Test func measures() {
    #expect(box.width == 8 && box.height == 4 && box.area == 32 && box.aspectRatio == 2)
    #expect(box.center == Point(x: 6, y: 5))
    #expect(
      box.corners == [
        Point(x: 2, y: 3), Point(x: 10, y: 3), Point(x: 10, y: 7), Point(x: 2, y: 7),
      ])
    #expect(Box(x: 2, y: 3, width: 8, height: 4) == box)
    #expect(Box(centerX: 6, centerY: 5, width: 8, height: 4) == box)
    #expect(Box(around: box.corners.shuffled()) == box)
    #expect(Box(around: []) == nil)
  }

  @Test func emptyAndStrangeBoxesAreKnown() {
    #expect(!box.isEmpty && box.isFinite)
    #expect(Box(minX: 0, minY: 0, maxX: 0, maxY: 1).isEmpty)
    #expect(Box(minX: 1, minY: 0, maxX: 0, maxY: 1).isEmpty)
    #expect(Box(minX: .nan, minY: 0, maxX: 1, maxY: 1).isEmpty)
    #expect(!Box(minX: .nan, minY: 0, maxX: 1, maxY: 1).isFinite)
    #expect(!Box(minX: 0, minY: 0, maxX: 1, maxY: .infinity).isFinite)
    // Two negative sides have a positive product; the box is empty all the same.
    let inverted = Box(minX: 3, minY: 3, maxX: 1, maxY: 1)
    #expect(inverted.area == 4 && inverted.isEmpty)
    #expect(Box(minX: 0, minY: 0, maxX: 1, maxY: 0).aspectRatio == .infinity)
  }

  @Test func movesScalesAndClips() {
    #expect(box.translated(dx: -2, dy: 1) == Box(minX: 0, minY: 4, maxX: 8, maxY: 8))
    #expect(box.scaled(by: 2) == Box(minX: 4, minY: 6, maxX: 20, maxY: 14))
    #expect(box.scaled(x: 0.5, y: 3) == Box(minX: 1, minY: 9, maxX: 5, maxY: 21))
    #expect(
      Box(minX: -5, minY: 2, maxX: 50, maxY: 9).clipped(toWidth: 20, height: 8)
        == Box(minX: 0, minY: 2, maxX: 20, maxY: 8))
    #expect(Box(minX: -5, minY: -5, maxX: -1, maxY: -1).clipped(toWidth: 20, height: 8).isEmpty)
    #expect(Box(minX: 25, minY: 2, maxX: 30, maxY: 4).clipped(toWidth: 20, height: 8).isEmpty)
  }

  @Test func containsItsEdges() {
    for corner in box.corners { #expect(box.contains(corner)) }
    #expect(box.contains(box.center))
    #expect(!box.contains(Point(x: 1.999, y: 5)) && !box.contains(Point(x: .nan, y: 5)))
  }

  @Test func survivesCoding() throws {
    let data = try JSONEncoder().encode(box)
    #expect(try JSONDecoder().decode(Box.self, from: data) == box)
  }
}

@Suite struct OverlapTests {
  struct Golden: Decodable {
    let iou: [Float]
    let generalized: [Float]
    let smaller: [Float]
  }

  @Test func overlapsEqualTorchvisionsBitForBit() throws {
    let golden = try Folders.golden("Geometry/overlaps.json", as: Golden.self)
    let first = sampleBoxes(seed: 1, count: 24)
    let second = sampleBoxes(seed: 2, count: 30)
    let matrix = iouMatrix(first, second)
    #expect(matrix.rows == 24 && matrix.columns == 30)
    #expect(matrix.values == golden.iou)
    #expect(golden.iou.count(where: { $0 > 0 }) > 100)
    for (row, a) in first.enumerated() {
      for (column, b) in second.enumerated() {
        let index = row * 30 + column
        #expect(matrix[row, column] == golden.iou[index])
        #expect(a.generalizedIoU(b) == golden.generalized[index])
        #expect(a.intersectionOverSmaller(b) == golden.smaller[index])
      }
    }
  }

  @Test func overlapsAreSymmetricAndBounded() throws {
    let boxes = sampleBoxes(seed: 3, count: 40)
    for a in boxes {
      #expect(a.isEmpty ? a.iou(a) == 0 : a.iou(a) == 1)
      #expect(a.union(a) == a)
      for b in boxes {
        #expect(a.iou(b) == b.iou(a))
        #expect((0...1).contains(a.iou(b)))
        #expect(a.iou(b) <= a.intersectionOverSmaller(b))
        #expect((-1...1).contains(a.generalizedIoU(b)))
        #expect(a.generalizedIoU(b) <= a.iou(b) + 1e-6)
        #expect((a.intersection(b)?.area ?? 0) == a.intersectionArea(b))
        #expect(a.union(b).intersection(a) == (a.isEmpty ? nil : a))
      }
    }
  }

  @Test func boxesThatOnlyTouchDoNotOverlap() {
    let a = Box(minX: 0, minY: 0, maxX: 2, maxY: 2)
    let b = Box(minX: 2, minY: 0, maxX: 4, maxY: 2)
    #expect(a.iou(b) == 0 && a.intersection(b) == nil && a.intersectionOverSmaller(b) == 0)
    #expect(a.generalizedIoU(b) == 0)
    #expect(a.union(b) == Box(minX: 0, minY: 0, maxX: 4, maxY: 2))
  }

  @Test func aPartInsideAWholeOverlapsItAllOverTheSmaller() {
    let whole = Box(minX: 0, minY: 0, maxX: 10, maxY: 10)
    let part = Box(minX: 1, minY: 1, maxX: 3, maxY: 3)
    #expect(whole.intersectionOverSmaller(part) == 1)
    #expect(whole.iou(part) == 0.04)
  }

  @Test func emptyBoxesOverlapNothing() {
    let point = Box(minX: 1, minY: 1, maxX: 1, maxY: 1)
    let inverted = Box(minX: 3, minY: 3, maxX: 1, maxY: 1)
    let box = Box(minX: 0, minY: 0, maxX: 4, maxY: 4)
    for empty in [point, inverted] {
      #expect(empty.iou(box) == 0 && box.iou(empty) == 0 && empty.iou(empty) == 0)
      #expect(box.intersectionOverSmaller(empty) == 0 && box.intersection(empty) == nil)
    }
    #expect(point.generalizedIoU(point) == 0)
  }

  @Test func strangeCoordinatesNeverTrapAndNeverOverlapTooMuch() {
    for a in strangeFloats {
      for b in strangeFloats {
        for c in strangeFloats {
          let box = Box(minX: a, minY: b, maxX: c, maxY: a)
          let other = Box(minX: 0, minY: b, maxX: a, maxY: c)
          let overlap = box.iou(other)
          #expect(overlap.isNaN || (0...1).contains(overlap))
          _ = box.generalizedIoU(other)
          _ = box.clipped(to: other)
        }
      }
    }
  }

  @Test func emptyListsMakeAnEmptyMatrix() {
    let boxes = sampleBoxes(seed: 4, count: 3)
    #expect(iouMatrix([], boxes).values.isEmpty && iouMatrix([], boxes).columns == 3)
    #expect(iouMatrix(boxes, []).values.isEmpty && iouMatrix(boxes, []).rows == 3)
  }
}
