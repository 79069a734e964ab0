import Geometry
import Raster
import Rectification
import TestSupport
import Testing

@Suite("Cubic warp")
struct CubicWarpTests {
  static let all =
    (try? Folders.golden("Rectification/cubic_warps.json", as: [WarpCase].self)) ?? []

  @Test func goldensAreThere() {
    #expect(Self.all.count == 8)
  }

  /// OpenCV's arithmetic is float32 in an order of its own: a sample in a thousand may round apart.
  @Test("Equals OpenCV's INTER_CUBIC", arguments: all)
  func goldens(golden: WarpCase) throws {
    let answer = try golden.image().cubicallyWarped(
      quad(golden.quad), width: golden.width, height: golden.height)
    let expected = golden.answer
    #expect(answer.samples.count == expected.count)
    let differences = zip(answer.samples, expected).map { abs(Int($0) - $1) }
    #expect((differences.max() ?? 0) <= 1)
    #expect(differences.filter { $0 > 0 }.count * 1000 <= expected.count)
  }

  @Test("A shape on whole pixels is a copy", arguments: 1...4)
  func copy(channels: Int) throws {
    var generator = SeededGenerator(seed: 3)
    let image = try generator.noise(130, 70, channels)
    let crop = try image.cubicallyWarped(quad(7, 5, 127, 5, 127, 65, 7, 65), width: 120, height: 60)
    let rect = try #require(PixelRect(x: 7, y: 5, width: 120, height: 60))
    #expect(crop == image.cropped(to: rect))
  }

  @Test("Shapes that have no inside, and sizes of nothing, are errors")
  func errors() throws {
    let image = try Raster(width: 9, height: 9, channels: 3)
    let square = quad(0, 0, 5, 0, 5, 5, 0, 5)
    #expect(throws: RectificationError.self) {
      try image.cubicallyWarped(quad(0, 0, 5, 0, 9, 0, 0, 5), width: 4, height: 4)
    }
    #expect(throws: RectificationError.self) {
      try image.cubicallyWarped(quad(0, 0, .nan, 0, 5, 5, 0, 5), width: 4, height: 4)
    }
    #expect(throws: RectificationError.self) {
      try image.cubicallyWarped(quad(0, 0, 5, 5, 5, 0, 0, 5), width: 4, height: 4)
    }
    for (width, height) in [(0, 4), (4, 0), (-1, 4), (1 << 30, 1 << 30)] {
      #expect(throws: RasterError.self) {
        try image.cubicallyWarped(square, width: width, height: height)
      }
    }
  }

  @Test("Any convex shape can be warped, however far outside", arguments: 0..<40 as Range<UInt64>)
  func shapes(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let image = try generator.noise(50, 40, 3)
    let factor = [0.01, 1, 30, 1e6][Int(seed % 4)]
    let shape = generator.convexQuad().mapCorners {
      Point(x: ($0.x - 20) * factor, y: ($0.y - 20) * factor)
    }
    let answer = try image.cubicallyWarped(shape, width: 90, height: 35)
    #expect(answer.width == 90 && answer.height == 35)
  }
}
