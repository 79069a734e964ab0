import Foundation
import Geometry
import TestSupport
import Testing

@testable import SpineHeuristics

@Suite struct SpineGeometryTests {
  let geometry = SpineGeometry()

  @Test(arguments: [
    (0.0, SpineOrientation.standing), (9.9, .standing), (-9.9, .standing), (10.1, .leaning),
    (30, .leaning), (-45, .leaning), (74.9, .leaning), (75.1, .lying), (90, .lying),
    (-90, .lying), (180, .standing), (100, .lying), (135, .leaning),
  ])
  func orientationByTheAngle(tilt: Double, orientation: SpineOrientation) throws {
    let outline = book(x: 300, y: 200, tilt: tilt)
    #expect(geometry.orientation(of: outline) == orientation)
    let measured = try #require(geometry.tilt(of: outline))
    var expected = abs(tilt)
    if expected > 90 { expected = 180 - expected }
    #expect(abs(measured - expected) < 1e-9)
    // Mirrored, as where y grows upward, it stands the same.
    let mirrored = outline.mapCorners { Point(x: $0.x, y: -$0.y) }
    #expect(geometry.orientation(of: mirrored) == orientation)
    // Whichever corner comes first.
    let corners = outline.corners
    let turned = try Quadrilateral(corners: Array(corners[1...] + corners[..<1]))
    #expect(geometry.orientation(of: turned) == orientation)
  }

  @Test func orientationsHaveNamesForFiles() {
    #expect(SpineOrientation.allCases.map(\.rawValue) == ["vertical", "leaning", "horizontal"])
  }

  @Test(arguments: [
    (20.0, 200.0, true), (89, 200, true), (91, 200, false), (200, 200, false), (2.1, 200, true),
    (1.9, 200, false), (0, 200, false), (300, 30, true),
  ])
  func spinesAreNarrow(thickness: Double, length: Double, isSpine: Bool) {
    for tilt in [0.0, 40, 90] {
      let outline = book(x: 0, y: 0, thickness: thickness, length: length, tilt: tilt)
      #expect(geometry.isSpineShaped(outline) == isSpine)
    }
    let box = Box(x: 3, y: 4, width: Float(thickness), height: Float(length))
    #expect(geometry.isSpineShaped(box) == isSpine)
  }

  @Test func shapesThatAreNone() {
    let crossed = Quadrilateral(
      topLeft: Point(x: 0, y: 0), topRight: Point(x: 20, y: 200),
      bottomRight: Point(x: 20, y: 0), bottomLeft: Point(x: 0, y: 200))
    #expect(!geometry.isSpineShaped(crossed))
    for value in [Double.nan, .infinity, -.infinity, 1e308] {
      var outline = book(x: 0, y: 0)
      outline.topLeft.x = value
      outline.bottomRight.y = -value
      #expect(!geometry.isSpineShaped(outline))
      #expect(!geometry.areNeighbours(outline, book(x: 0, y: 0)))
    }
    let point = Quadrilateral(Box(x: 5, y: 5, width: 0, height: 0))
    #expect(geometry.orientation(of: point) == nil)
    #expect(geometry.tilt(of: point) == nil)
    #expect(geometry.likeness(point, point) == nil)
    #expect(!geometry.isSpineShaped(point))
    #expect(!geometry.isSpineShaped(Box(x: 0, y: 0, width: -10, height: 100)))
    #expect(!geometry.isSpineShaped(Box(x: 0, y: 0, width: .nan, height: 100)))
    #expect(!geometry.isSpineShaped(Box(minX: -.infinity, minY: 0, maxX: 0, maxY: 1)))
  }

  @Test func likenessOfNeighbours() throws {
    let first = book(x: 100, y: 200, thickness: 20, length: 200)
    let second = book(x: 130, y: 225, thickness: 40, length: 150)
    let likeness = try #require(geometry.likeness(first, second))
    #expect(likeness.angle == 0)
    #expect(likeness.lengthRatio == 0.75)
    #expect(likeness.sideBySide == 1)
    #expect(likeness.gap == 0)
    let apart = try #require(geometry.likeness(first, book(x: 150, y: 350)))
    #expect(apart.sideBySide == 0.25)
    #expect(apart.gap == 1.5)
    let across = try #require(geometry.likeness(first, book(x: 100, y: 200, tilt: 90)))
    #expect(abs(across.angle - 90) < 1e-9)
  }

  @Test(arguments: [
    // Standing side by side, a pocket book beside a large one, and leaning together.
    (book(x: 0, y: 0), book(x: 21, y: 0), true),
    (book(x: 0, y: 0), book(x: 25, y: 45, length: 110), true),
    (book(x: 0, y: 0, tilt: 20), book(x: 23, y: 0, tilt: 22), true),
    // A stack of two.
    (book(x: 0, y: 0, tilt: 90), book(x: 5, y: 22, tilt: -89), true),
    // Too far, not beside it, across it, too short.
    (book(x: 0, y: 0), book(x: 41, y: 0), false),
    (book(x: 0, y: 0), book(x: 21, y: 120), false),
    (book(x: 0, y: 0), book(x: 21, y: 0, tilt: 30), false),
    (book(x: 0, y: 0), book(x: 21, y: 60, length: 80), false),
  ])
  func neighbours(first: Quadrilateral, second: Quadrilateral, areNeighbours: Bool) {
    #expect(geometry.areNeighbours(first, second) == areNeighbours)
    #expect(geometry.areNeighbours(second, first) == areNeighbours)
  }

  @Test func likenessDoesNotDependOnOrderPlaceOrScale() throws {
    var generator = SeededGenerator(seed: 21)
    for round in 0..<500 {
      func random(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &generator)
      }
      let length = random(50...300)
      let first = book(
        x: random(0...900), y: random(0...900), thickness: random(5...40), length: length,
        tilt: random(-180...180))
      let second = book(
        x: random(0...900), y: random(0...900), thickness: random(5...40),
        length: round % 5 == 0 ? length : random(50...300), tilt: random(-180...180))
      let likeness = try #require(geometry.likeness(first, second))
      let (dx, dy, scale, turn) = (
        random(-99...99), random(-99...99), random(0.1...9), random(0...6)
      )
      func moved(_ outline: Quadrilateral) -> Quadrilateral {
        outline.mapCorners {
          Point(
            x: scale * (cos(turn) * $0.x - sin(turn) * $0.y) + dx,
            y: scale * (sin(turn) * $0.x + cos(turn) * $0.y) + dy)
        }
      }
      for other in [
        try #require(geometry.likeness(second, first)),
        try #require(geometry.likeness(moved(first), moved(second))),
      ] {
        // Rounding may decide which of two equally long outlines is the longer.
        guard round % 5 != 0 else { continue }
        #expect(abs(other.angle - likeness.angle) < 1e-6)
        #expect(abs(other.lengthRatio - likeness.lengthRatio) < 1e-9)
        #expect(abs(other.sideBySide - likeness.sideBySide) < 1e-6)
        #expect(abs(other.gap - likeness.gap) < 1e-6 * max(1, likeness.gap))
      }
      #expect((0...90).contains(likeness.angle))
      #expect((0...1).contains(likeness.lengthRatio))
      #expect((0...1).contains(likeness.sideBySide))
      #expect(likeness.gap >= 0)
    }
  }

  @Test func configurationsAreHeldToTheirRanges() throws {
    var configuration = SpineConfiguration()
    #expect(try configuration.validated() == SpineConfiguration())
    configuration.maximumAspectRatio = 0.2
    let narrow = try SpineGeometry(configuration: configuration)
    #expect(!narrow.isSpineShaped(Box(x: 0, y: 0, width: 50, height: 200)))

    configuration.standingTilt = 46
    #expect(throws: SpineConfigurationError(field: "standingTilt", value: 46, range: 0...45)) {
      try SpineGeometry(configuration: configuration)
    }
    configuration.standingTilt = .nan
    #expect(throws: SpineConfigurationError.self) { try configuration.validated() }
    configuration = SpineConfiguration()
    configuration.minimumAspectRatio = 0.5
    let error = #expect(throws: SpineConfigurationError.self) { try configuration.validated() }
    #expect(error?.description == "minimumAspectRatio is 0.5; it must be in 0.0...0.45")
    configuration = SpineConfiguration()
    configuration.rowOverlap = 0
    #expect(throws: SpineConfigurationError.self) { try configuration.validated() }
    let data = try JSONEncoder().encode(SpineConfiguration())
    #expect(try JSONDecoder().decode(SpineConfiguration.self, from: data) == SpineConfiguration())
  }
}
