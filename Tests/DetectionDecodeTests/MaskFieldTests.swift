import DetectionDecode
import Foundation
import Geometry
import TestSupport
import Testing

@Suite("Outlines of masks") struct MaskFieldTests {
  private func area(_ polygon: [Point]) -> Double {
    zip(polygon, polygon.dropFirst() + polygon.prefix(1)).reduce(0) {
      $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
    } / 2
  }

  /// A field that falls off linearly from the middle: the outline of each height is a circle.
  @Test func circle() throws {
    let values = (0..<64 * 64).map { place -> Float in
      let (x, y) = (Double(place % 64) + 0.5 - 32, Double(place / 64) + 0.5 - 30)
      return Float(20 - (x * x + y * y).squareRoot())
    }
    let field = try MaskField(width: 64, height: 64, values: values)
    let outline = try #require(field.outline(above: 0))
    for point in outline {
      #expect(abs(point.distance(to: Point(x: 32, y: 30)) - 20) < 0.02)
    }
    // Clockwise as seen, with y pointing down: the area is positive.
    #expect(abs(area(outline) - .pi * 400) < 4)
    let half = try #require(
      field.outline(above: 0, within: Box(minX: 32, minY: 0, maxX: 64, maxY: 64)))
    #expect(abs(area(half) - .pi * 200) < 4)
    #expect(half.allSatisfy { $0.x >= 32 })
  }

  @Test func squaresAndTheirCorners() throws {
    var values = [Float](repeating: 0, count: 8 * 6)
    for y in 1..<4 { for x in 2..<6 { values[y * 8 + x] = 1 } }
    values[5 * 8 + 7] = 1
    let field = try MaskField(width: 8, height: 6, values: values)
    let outline = try #require(field.outline(above: 0.5))
    // Corners are cut between the centers of cells: half of a half square each.
    let corners: Double = 4 * 0.125
    #expect(area(outline) == 12 - corners)
    #expect(outline.count == 8)
    // A mask of the whole grid ends at its rim.
    let full = try MaskField(width: 3, height: 2, values: [1, 1, 1, 1, 1, 1])
    let rim = try #require(full.outline(above: 0.5))
    #expect(area(rim) == 6 - corners)
  }

  /// The number of cells inside is near the area of the outline of a blob, whatever its form.
  @Test func areaOfBlobs() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20 {
      let (a, b) = (random.unit() * 3 + 1, random.unit() * 3 + 1)
      let values = (0..<40 * 30).map { place -> Float in
        let (x, y) = (Double(place % 40) - 20, Double(place / 40) - 15)
        return Float(1 - (x * x / (a * a * 16) + y * y / (b * b * 4)) + 0.1 * sin(x * a + y * b))
      }
      let field = try MaskField(width: 40, height: 30, values: values)
      let outline = try #require(field.outline(above: 0))
      let inside = Double(values.count { $0 > 0 })
      #expect(abs(area(outline) - inside) < 0.08 * inside + 6)
    }
  }

  @Test func nothingAndHostileNumbers() throws {
    #expect(try MaskField(width: 0, height: 0, values: []).outline(above: 0) == nil)
    let field = try MaskField(
      width: 2, height: 2, values: [.nan, .infinity, -.infinity, 1])
    for threshold in [Float.nan, .infinity, 2] {
      #expect(field.outline(above: threshold).map { $0.allSatisfy(\.isFinite) } != false)
    }
    #expect(field.outline(above: 0)?.allSatisfy(\.isFinite) == true)
    let far = Box(minX: 1e30, minY: 0, maxX: 2e30, maxY: 1)
    #expect(field.outline(above: 0, within: far) == nil)
    #expect(
      field.outline(above: 0, within: Box(minX: .nan, minY: 0, maxX: 1, maxY: 1)) == nil)
    #expect(throws: DetectionDecodeError.self) {
      try MaskField(width: 2, height: 2, values: [1])
    }
    #expect(throws: DetectionDecodeError.self) {
      try MaskField(width: .max, height: 4, values: [1])
    }
  }

  @Test func prototypesAddUp() throws {
    var random = SeededGenerator(seed: 9)
    let values = (0..<3 * 5 * 7).map { _ in random.unitFloat() - 0.5 }
    let prototypes = try PrototypeMasks(HeadOutput(shape: [1, 3, 5, 7], values: values))
    #expect(prototypes.count == 3 && prototypes.height == 5 && prototypes.width == 7)
    let coefficients: [Float] = [1, -2, 0.5]
    let all = Box(minX: 0, minY: 0, maxX: 7, maxY: 5)
    let field = try prototypes.field(coefficients: coefficients, within: all)
    for place in 0..<35 {
      let sum = (0..<3).reduce(Float(0)) { $0 + coefficients[$1] * values[$1 * 35 + place] }
      #expect(abs(field.values[place] - sum) < 1e-6)
    }
    let part = try prototypes.field(
      coefficients: coefficients, within: Box(minX: 0, minY: 0, maxX: 1, maxY: 1))
    #expect(part.values[0] == field.values[0] && part.values[34] == -1)
    #expect(throws: DetectionDecodeError.lengths([2, 3])) {
      try prototypes.field(coefficients: [1, 2], within: all)
    }
    #expect(throws: DetectionDecodeError.self) {
      try PrototypeMasks(HeadOutput(shape: [2, 3, 5, 7], values: values + values))
    }
  }
}
