import Foundation
import Geometry
import TestSupport
import Testing

@Suite struct CoordinateSpaceTests {
  /// The formulas themselves on an image whose sides are powers of two, where nothing rounds.
  @Test func theOriginMovesFromTheBottomToTheTop() throws {
    let space = try CoordinateSpace(width: 1024, height: 512)
    let box = NormalizedBox(x: 0.25, y: 0.125, width: 0.5, height: 0.25)
    let pixels = Box(x: 256, y: 512 - 64 - 128, width: 512, height: 128)
    #expect(space.pixels(from: box) == pixels)
    #expect(space.normalized(from: pixels) == box)
    #expect(space.pixels(from: Point(x: 0, y: 0)) == Point(x: 0, y: 512))
    #expect(space.normalized(from: Point(x: 1024, y: 0)) == Point(x: 1, y: 1))
    #expect(box.area == 0.125 && box.center == Point(x: 0.5, y: 0.25))
  }

  /// Whole pixels come back bit for bit, whatever the size of the image.
  @Test(arguments: [(1920, 1080), (1080, 1920), (3840, 2160), (4032, 3024), (997, 1009), (3, 7)])
  func pixelBoxesComeBackBitForBit(width: Int, height: Int) throws {
    let space = try CoordinateSpace(width: width, height: height)
    var generator = SeededGenerator(seed: UInt64(width))
    for round in 0..<2000 {
      func coordinate(_ side: Int) -> Float {
        // Whole pixels, quarters, and any Float, sometimes beyond the edges.
        let position = (generator.unitFloat() * 1.5 - 0.25) * Float(side)
        switch round % 3 {
        case 0: return position.rounded()
        case 1: return (position * 4).rounded() / 4
        default: return abs(position) < 1 / 128 ? 0 : position
        }
      }
      let box = Box(
        minX: coordinate(width), minY: coordinate(height), maxX: coordinate(width),
        maxY: coordinate(height))
      #expect(space.pixels(from: space.normalized(from: box)) == box)
    }
  }

  /// The formulas on images of any size: shares of whole pixels give these pixels, without an error.
  @Test(arguments: [(1920, 1080), (1080, 1920), (4032, 3024), (997, 1009), (3, 7), (65_536, 1)])
  func sharesOfWholePixelsAreThesePixels(width: Int, height: Int) throws {
    let space = try CoordinateSpace(width: width, height: height)
    var generator = SeededGenerator(seed: UInt64(height))
    for _ in 0..<2000 {
      let (left, right) = (Int.random(in: 0...width, using: &generator), width)
      let (bottom, top) = (Int.random(in: 0...height, using: &generator), height)
      let (w, h) = (
        Int.random(in: 0...(right - left), using: &generator),
        Int.random(in: 0...(top - bottom), using: &generator)
      )
      let share = NormalizedBox(
        x: Double(left) / Double(width), y: Double(bottom) / Double(height),
        width: Double(w) / Double(width), height: Double(h) / Double(height))
      // x = bx W, w = bw W, h = bh H, y = H - by H - h, in whole numbers.
      let expected = Box(
        x: Float(left), y: Float(height - bottom - h), width: Float(w), height: Float(h))
      #expect(space.pixels(from: share) == expected)
    }
  }

  @Test func pointsAndCornersComeBackBitForBit() throws {
    let space = try CoordinateSpace(width: 1921, height: 1083)
    var generator = SeededGenerator(seed: 8)
    func point() -> Point {
      Point(
        x: (generator.unit() * 1921 * 1024).rounded() / 1024,
        y: (generator.unit() * 1083 * 1024).rounded() / 1024)
    }
    for _ in 0..<2000 {
      let shape = Quadrilateral(
        topLeft: point(), topRight: point(), bottomRight: point(), bottomLeft: point())
      #expect(space.pixels(from: space.normalized(from: shape)) == shape)
    }
  }

  @Test func normalizedBoxesComeBackWithinAFloat() throws {
    let space = try CoordinateSpace(width: 1920, height: 1080)
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let box = NormalizedBox(
        x: generator.unit(), y: generator.unit(), width: generator.unit(),
        height: generator.unit())
      let back = space.normalized(from: space.pixels(from: box))
      for path in [\NormalizedBox.x, \.y, \.width, \.height] {
        // Two corners, each rounded to a Float below 4096: 2^-13 pixels.
        #expect(abs(back[keyPath: path] - box[keyPath: path]) <= 2 * 0x1p-13 / 1080)
      }
    }
  }

  @Test func pointsAndQuadrilateralsComeBack() throws {
    let space = try CoordinateSpace(width: 1921, height: 1083)
    let shape = rotatedRectangle(x: 300.5, y: 200, width: 120, height: 40, angle: 0.3)
    let back = space.pixels(from: space.normalized(from: shape))
    for (a, b) in zip(back.corners, shape.corners) { #expect(a.distance(to: b) < 1e-8) }
    let normalized = space.normalized(from: shape)
    #expect(normalized.signedArea < 0 && shape.signedArea > 0)
    #expect(abs(normalized.area * 1921 * 1083 - shape.area) < 1e-6)
    let whole = Point(x: 17, y: 1082)
    #expect(space.pixels(from: space.normalized(from: whole)) == whole)
  }

  @Test func strangeValuesNeverTrap() throws {
    let space = try CoordinateSpace(width: 100, height: 50)
    for value in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e300] {
      let box = space.pixels(from: NormalizedBox(x: value, y: 0, width: 1, height: value))
      #expect(!box.isFinite)
    }
    for value in strangeFloats {
      let box = Box(minX: value, minY: 0, maxX: 1, maxY: value)
      let back = space.pixels(from: space.normalized(from: box))
      #expect(back.isFinite == box.isFinite || abs(value) > 1e30)
    }
  }

  @Test func survivesCodingAndRefusesWhatIsNoSize() throws {
    let space = try CoordinateSpace(width: 3, height: 4)
    let data = try JSONEncoder().encode(space)
    #expect(try JSONDecoder().decode(CoordinateSpace.self, from: data) == space)
    #expect(throws: GeometryError.invalidSize(width: 0, height: 4)) {
      try JSONDecoder().decode(
        CoordinateSpace.self, from: Data(#"{"width":0,"height":4}"#.utf8))
    }
  }
}
