import Foundation
import Geometry
import TestSupport
import Testing

extension Quadrilateral {
  fileprivate init(_ corners: [[Double]]) throws {
    try self.init(corners: corners.map { Point(x: $0[0], y: $0[1]) })
  }
}

@Suite struct QuadrilateralTests {
  struct Shape: Decodable {
    let corners: [[Double]]
    let area: Double
    let convex: Bool
    let points: [[Double]]
    let inside: [Bool]
  }

  /// Shapes of any kind, crossed ones among them, on whole coordinates, where OpenCV is exact.
  @Test func areaConvexityAndInsideEqualOpenCVs() throws {
    let cases = try Folders.golden("Geometry/shapes.json", as: [Shape].self)
    #expect(cases.count(where: \.convex) > 10)
    for golden in cases {
      let shape = try Quadrilateral(golden.corners)
      #expect(shape.signedArea == golden.area, "\(golden.corners)")
      #expect(shape.isConvex == golden.convex, "\(golden.corners)")
      for (point, isInside) in zip(golden.points, golden.inside) {
        #expect(
          shape.contains(Point(x: point[0], y: point[1])) == isInside,
          "\(point) in \(golden.corners)")
      }
    }
  }

  struct Pair: Decodable {
    let a: [[Double]]
    let b: [[Double]]
    let shared: Double
  }

  /// OpenCV intersects in float32: of areas up to 2,500 that leaves three decimals.
  @Test func sharedAreasEqualOpenCVs() throws {
    for golden in try Folders.golden("Geometry/quadrilaterals.json", as: [Pair].self) {
      let a = try Quadrilateral(golden.a)
      let b = try Quadrilateral(golden.b)
      let shared = a.intersectionArea(b)
      #expect(abs(shared - golden.shared) < 5e-3)
      #expect(abs(shared - b.intersectionArea(a)) < 1e-9)
      #expect(abs(a.iou(b) - shared / (a.area + b.area - shared)) < 1e-12)
      #expect(abs(a.iou(a) - 1) < 1e-12)
    }
  }

  @Test func uprightShapesOverlapAsTheirBoxes() {
    let boxes = sampleBoxes(seed: 6, count: 25)
    for a in boxes {
      for b in boxes {
        let overlap = Quadrilateral(a).iou(Quadrilateral(b))
        #expect(abs(overlap - Double(a.iou(b))) < 1e-5)
      }
    }
  }

  /// Counting cells of a fine lattice is the oracle for shapes that are not convex.
  @Test func shapesWithADentOverlapByWhatTheyShare() throws {
    let arrow = try Quadrilateral([[0, 0], [40, 20], [0, 40], [12, 20]])
    let dart = try Quadrilateral([[30, 2], [2, 22], [32, 38], [20, 20]])
    #expect(!arrow.isConvex && !dart.isConvex)
    for (a, b) in [
      (arrow, dart), (arrow, Quadrilateral(Box(minX: 5, minY: 5, maxX: 30, maxY: 30))),
    ] {
      var cells = 0
      for row in 0..<160 {
        for column in 0..<160 {
          let point = Point(x: (Double(column) + 0.5) / 4, y: (Double(row) + 0.5) / 4)
          if a.contains(point) && b.contains(point) { cells += 1 }
        }
      }
      #expect(abs(a.intersectionArea(b) - Double(cells) / 16) < 4)
      #expect(abs(a.intersectionArea(b) - b.intersectionArea(a)) < 1e-9)
      #expect(abs(a.intersectionArea(a) - a.area) < 1e-9)
    }
  }

  @Test func neitherTurnNorPlaceChangesTheOverlap() {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<100 {
      let a = rotatedRectangle(
        x: 0, y: 0, width: 10 + generator.unit() * 20, height: 10, angle: generator.unit() * 6)
      let b = rotatedRectangle(
        x: generator.unit() * 10, y: 3, width: 8, height: 30, angle: generator.unit() * 6)
      let overlap = a.iou(b)
      let (cosine, sine) = (cos(1.1), sin(1.1))
      let turn: (Point) -> Point = { point in
        Point(
          x: 1e4 + point.x * cosine - point.y * sine, y: -2e4 + point.x * sine + point.y * cosine)
      }
      #expect(abs(a.mapCorners(turn).iou(b.mapCorners(turn)) - overlap) < 1e-9)
      let mirrored: (Point) -> Point = { Point(x: -$0.x, y: $0.y) }
      #expect(abs(a.mapCorners(mirrored).iou(b.mapCorners(mirrored)) - overlap) < 1e-12)
    }
  }

  @Test(arguments: Array(stride(from: -1.5, through: 1.5, by: 0.25)))
  func theLongAxisHasTheAngleOfTheTurn(angle: Double) {
    let flat = rotatedRectangle(x: 50, y: 40, width: 80, height: 20, angle: angle)
    #expect(abs(flat.angleOfLongAxis - angle) < 1e-12)
    #expect(abs(flat.longSide - 80) < 1e-12 && abs(flat.shortSide - 20) < 1e-12)
    #expect(abs(flat.aspectRatio - 0.25) < 1e-12)
    #expect(abs(flat.center.x - 50) < 1e-12 && abs(flat.area - 1600) < 1e-9)
    let tall = rotatedRectangle(x: 50, y: 40, width: 20, height: 80, angle: angle)
    let expected = angle > 0 ? angle - .pi / 2 : angle + .pi / 2
    #expect(abs(tall.angleOfLongAxis - expected) < 1e-12)
  }

  @Test func anUprightSpineStandsAtARightAngle() {
    let spine = Quadrilateral(Box(minX: 0, minY: 0, maxX: 10, maxY: 50))
    #expect(spine.angleOfLongAxis == .pi / 2)
    #expect(spine.mapCorners { Point(x: $0.x, y: -$0.y) }.angleOfLongAxis == .pi / 2)
    #expect(Quadrilateral(Box(minX: 0, minY: 0, maxX: 50, maxY: 10)).angleOfLongAxis == 0)
  }

  @Test func sidesAndCornersAreInside() {
    let shape = Quadrilateral(Box(minX: 1, minY: 2, maxX: 5, maxY: 8))
    #expect(shape.boundingBox == Box(minX: 1, minY: 2, maxX: 5, maxY: 8))
    for point in shape.corners + [Point(x: 1, y: 5), Point(x: 3, y: 8), shape.center] {
      #expect(shape.contains(point))
    }
    #expect(!shape.contains(Point(x: 0.999, y: 5)) && !shape.contains(Point(x: 6, y: 8)))
    #expect(!shape.contains(Point(x: .nan, y: 5)))
  }

  @Test func degenerateAndStrangeShapesNeverTrap() throws {
    let point = try Quadrilateral([[1, 1], [1, 1], [1, 1], [1, 1]])
    let line = try Quadrilateral([[0, 0], [1, 1], [2, 2], [3, 3]])
    let square = Quadrilateral(Box(minX: 0, minY: 0, maxX: 4, maxY: 4))
    for shape in [point, line] {
      #expect(shape.area == 0 && !shape.isConvex)
      #expect(shape.iou(square) == 0 && square.iou(shape) == 0 && shape.iou(shape) == 0)
    }
    for value in [Double.nan, .infinity, -.infinity, 1e308] {
      let shape = try Quadrilateral([[0, 0], [value, 0], [1, 1], [0, value]])
      _ = (shape.angleOfLongAxis, shape.aspectRatio, shape.boundingBox, shape.isConvex)
      _ = shape.contains(Point(x: 0.5, y: 0.5))
      #expect(shape.isFinite == value.isFinite)
      if !value.isFinite { #expect(shape.intersectionArea(square).isNaN) }
    }
  }

  @Test func otherNumbersOfCornersAreRefused() {
    #expect(throws: GeometryError.cornerCount(3)) {
      try Quadrilateral(corners: Array(repeating: Point(x: 0, y: 0), count: 3))
    }
    #expect(GeometryError.cornerCount(3).description.contains("4"))
  }

  @Test func survivesCoding() throws {
    let shape = rotatedRectangle(x: 3, y: 4, width: 5, height: 6, angle: 0.7)
    let data = try JSONEncoder().encode(shape)
    #expect(try JSONDecoder().decode(Quadrilateral.self, from: data) == shape)
  }
}
