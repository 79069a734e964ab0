import Geometry
import SpineHeuristics
import TestSupport
import Testing

// D8: this module too is held to Python.

private struct PairCase: Decodable {
  let first: [[Double]]
  let second: [[Double]]
  let tilt: Double
  let orientation: SpineOrientation
  let isSpine: Bool
  let angle: Double
  let lengthRatio: Double
  let sideBySide: Double
  let gap: Double
  let areNeighbours: Bool
}

private struct LayoutCase: Decodable {
  let quads: [[[Double]]]
  let order: [Int]
  let rows: [[Int]]
}

private func quad(_ corners: [[Double]]) throws -> Quadrilateral {
  try Quadrilateral(corners: corners.map { Point(x: $0[0], y: $0[1]) })
}

@Suite("Geometry of spines against Python")
struct GeometryGoldenTests {
  @Test("Tilts, orientations, likenesses and neighbours are those of NumPy")
  func pairs() throws {
    let cases = try Folders.golden("SpineHeuristics/pairs.json", as: [PairCase].self)
    #expect(cases.count == 400)
    let spines = SpineGeometry()
    for (number, golden) in cases.enumerated() {
      let (first, second) = (try quad(golden.first), try quad(golden.second))
      let tilt = try #require(spines.tilt(of: first))
      // Both sides take an arc tangent, of other quotients.
      #expect(abs(tilt - golden.tilt) < 1e-11, "\(number)")
      #expect(spines.orientation(of: first) == golden.orientation, "\(number)")
      #expect(spines.isSpineShaped(first) == golden.isSpine, "\(number)")
      let likeness = try #require(spines.likeness(first, second))
      // The difference of two angles is rounded like an angle of up to 90 degrees.
      #expect(abs(likeness.angle - golden.angle) < 1e-11, "\(number)")
      #expect(abs(likeness.lengthRatio - golden.lengthRatio) < 1e-12, "\(number)")
      // Projections of coordinates up to 1,000.
      #expect(abs(likeness.sideBySide - golden.sideBySide) < 1e-11, "\(number)")
      #expect(abs(likeness.gap - golden.gap) < 1e-11 * max(golden.gap, 1), "\(number)")
      #expect(spines.areNeighbours(first, second) == golden.areNeighbours, "\(number)")
      #expect(spines.areNeighbours(second, first) == golden.areNeighbours, "\(number)")
    }
  }

  @Test("Reading orders and rows are those of Python, on shelves and of outlines anywhere")
  func layouts() throws {
    let cases = try Folders.golden("SpineHeuristics/layouts.json", as: [LayoutCase].self)
    #expect(cases.count == 60)
    let spines = SpineGeometry()
    for (number, golden) in cases.enumerated() {
      let quads = try golden.quads.map(quad)
      #expect(spines.readingOrder(of: quads) == golden.order, "\(number)")
      #expect(spines.rows(of: quads) == golden.rows, "\(number)")
    }
  }
}
