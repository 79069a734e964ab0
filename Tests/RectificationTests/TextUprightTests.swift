import Foundation
import Geometry
import Raster
import Rectification
import TestSupport
import Testing

@Suite("Spines turned for reading")
struct TextUprightTests {
  /// A picture of 60 x 50 whose samples say where they are.
  private let picture: Raster

  init() throws {
    picture = try Raster(width: 60, height: 50, channels: 2) { samples in
      for index in samples.indices {
        let (y, x) = (index / 2).quotientAndRemainder(dividingBy: 60)
        samples[index] = UInt8(index % 2 == 0 ? x : y)
      }
    }
  }

  private func place(_ image: Raster, _ x: Int, _ y: Int) -> [Int] {
    [Int(image[x: x, y: y, channel: 0]), Int(image[x: x, y: y, channel: 1])]
  }

  private func size(_ image: Raster) -> [Int] { [image.width, image.height] }

  /// Every way to name the corners of a shape, clockwise and against.
  private func namings(_ shape: Quadrilateral) throws -> [Quadrilateral] {
    try (0..<4).flatMap { start in
      let clockwise = (0..<4).map { shape.corners[(start + $0) % 4] }
      return [
        try Quadrilateral(corners: clockwise), try Quadrilateral(corners: clockwise.reversed()),
      ]
    }
  }

  @Test("A standing spine is read down or up, whatever its corners are called")
  func standing() throws {
    for shape in try namings(quad(10, 5, 20, 5, 20, 45, 10, 45)) {
      let down = try picture.textUpright(shape)
      #expect(size(down) == [40, 10])
      // The first letter's head is at the top right of the spine.
      #expect(place(down, 0, 0) == [19, 5])
      #expect(place(down, 39, 9) == [10, 44])
      let up = try picture.textUpright(shape, running: .up)
      #expect(size(up) == [40, 10])
      #expect(place(up, 0, 0) == [10, 44])
      #expect(place(up, 39, 9) == [19, 5])
      #expect(up == down.oriented(.rotate180))
    }
  }

  @Test("A lying spine stays as it lies", arguments: SpineTextRun.allCases)
  func lying(run: SpineTextRun) throws {
    for shape in try namings(quad(10, 5, 50, 5, 50, 15, 10, 15)) {
      let crop = try picture.textUpright(shape, running: run)
      let rect = try #require(PixelRect(x: 10, y: 5, width: 40, height: 10))
      #expect(crop == picture.cropped(to: rect))
    }
  }

  @Test("A leaning spine is read along its long side", arguments: [20.0, -20, 44, -44])
  func leaning(degrees: Double) throws {
    // Upright around (30, 25), turned clockwise as seen.
    let angle = degrees * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    let shape = quad(-4, -15, 4, -15, 4, 15, -4, 15).mapCorners {
      Point(x: 30 + cosine * $0.x - sine * $0.y, y: 25 + sine * $0.x + cosine * $0.y)
    }
    for named in try namings(shape) {
      let down = try picture.textUpright(named)
      #expect(size(down) == [30, 8])
      let first = place(down, 0, 4)
      let last = place(down, 29, 4)
      #expect(first[1] < last[1])
      #expect((first[0] > last[0]) == (degrees > 0))
      let head = place(down, 15, 0)
      let foot = place(down, 15, 7)
      #expect(head[0] > foot[0])
    }
  }

  @Test("Sides are the means of opposite sides, and are bounded")
  func sizes() throws {
    let tapered = quad(10, 5, 21, 5, 20, 45, 11, 45)
    let crop = try picture.textUpright(tapered)
    #expect(size(crop) == [40, 10])
    let small = try picture.textUpright(tapered, maximumSide: 20)
    #expect(size(small) == [20, 5])
    let thin = try picture.textUpright(quad(10, 5, 10.2, 5, 10.2, 45, 10, 45))
    #expect(size(thin) == [40, 1])
    let speck = try picture.textUpright(quad(1, 1, 1.01, 1, 1.01, 1.02, 1, 1.02))
    #expect(size(speck) == [1, 1])
    let vast = try picture.textUpright(
      quad(-1e9, -1e8, 1e9, -1e8, 1e9, 1e8, -1e9, 1e8), maximumSide: 50)
    #expect(size(vast) == [50, 5])
    for side in [0, -1, Int.min] {
      #expect(throws: RasterError.invalidLayout(width: side, height: side, channels: 2)) {
        try picture.textUpright(tapered, maximumSide: side)
      }
    }
    #expect(throws: RasterError.self) {
      try picture.textUpright(
        quad(-1e9, -1e8, 1e9, -1e8, 1e9, 1e8, -1e9, 1e8), maximumSide: .max)
    }
  }
}
