import Geometry
import Raster
import Rectification
import TestSupport
import Testing

struct WarpCase: Decodable, CustomTestStringConvertible {
  let kind: String
  let seed: UInt64
  let channels, width, height: Int
  let quad: [Double]
  /// Two hexadecimal digits each.
  let samples: String

  var testDescription: String { "\(kind) \(seed), \(width) x \(height) x \(channels)" }

  func image() throws -> Raster {
    var random = SeededGenerator(seed: seed)
    return try kind == "noise" ? random.noise(40, 30, channels) : waves(40, 30, channels)
  }

  var answer: [Int] {
    let digits = samples.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
  }

  static let all = Result { try Folders.golden("Rectification/warps.json", as: [WarpCase].self) }
}

@Suite("Rectified pictures")
struct RectifiedTests {
  @Test("The goldens are there")
  func goldensAreThere() throws {
    #expect(try WarpCase.all.get().count == 21)
  }

  @Test("Pixels are those of OpenCV", arguments: (try? WarpCase.all.get()) ?? [])
  func goldens(golden: WarpCase) throws {
    let answer = try golden.image().rectified(
      quad(golden.quad), width: golden.width, height: golden.height)
    let expected = golden.answer
    try #require(answer.samples.count == expected.count)
    let worst = zip(answer.samples, expected).map { abs(Int($0) - $1) }.max()
    // One for rounding. With two channels OpenCV rounds places to 1/32 of a pixel: up to 1/64 off across
    // and down, which between neighbours 0 and 255 makes four each.
    let tolerance = golden.channels == 2 ? 9 : 1
    #expect(try #require(worst) <= tolerance)
  }

  @Test("Answers of many tiles are those of one pixel after the other", arguments: 1...4)
  func tiles(channels: Int) throws {
    var random = SeededGenerator(seed: 7)
    let image = try random.noise(90, 70, channels)
    for (shape, width, height) in [
      (quad(3, 5, 80, 9, 84, 66, 6, 60), 150, 90), (quad(30, 2, 41, 4, 37, 66, 28, 63), 40, 220),
      (quad(-20, -9, 70, -4, 99, 80, -3, 88), 131, 101),
      (quad(95, 5, 170, 9, 160, 60, 99, 66), 65, 60),
      (quad(10, 10, 11, 10, 11, 11, 10, 11), 129, 65),
    ] {
      let answer = try image.rectified(shape, width: width, height: height)
      let map = try Homography(
        from: quad(0, 0, Double(width), 0, Double(width), Double(height), 0, Double(height)),
        to: shape)
      var worst = 0.0
      for y in 0..<height {
        for x in 0..<width {
          let place = map.apply(to: Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
          let (u, v) = (min(max(place.x - 0.5, 0), 89), min(max(place.y - 0.5, 0), 69))
          let (left, top) = (Int(u), Int(v))
          let (right, bottom) = (min(left + 1, 89), min(top + 1, 69))
          for channel in 0..<channels {
            func value(_ x: Int, _ y: Int) -> Double { Double(image[x: x, y: y, channel: channel]) }
            let (fx, fy) = (u - Double(left), v - Double(top))
            let above = value(left, top) * (1 - fx) + value(right, top) * fx
            let below = value(left, bottom) * (1 - fx) + value(right, bottom) * fx
            let exact = above * (1 - fy) + below * fy
            worst = max(worst, abs(Double(answer[x: x, y: y, channel: channel]) - exact))
          }
        }
      }
      // Rounded to whole numbers; places are equal but for rounding.
      #expect(worst <= 0.5 + 1e-6)
    }
  }

  @Test("The whole picture onto its own size is the picture", arguments: 1...4)
  func identity(channels: Int) throws {
    var random = SeededGenerator(seed: 3)
    let image = try random.noise(23, 17, channels)
    #expect(try image.rectified(quad(0, 0, 23, 0, 23, 17, 0, 17), width: 23, height: 17) == image)
  }

  @Test("Quarter turns and mirrors are those of the orientations")
  func turns() throws {
    var random = SeededGenerator(seed: 4)
    let image = try random.noise(23, 17, 3)
    for (shape, orientation) in [
      (quad(0, 17, 0, 0, 23, 0, 23, 17), Orientation.rotate90Clockwise),
      (quad(23, 17, 0, 17, 0, 0, 23, 0), .rotate180),
      (quad(23, 0, 23, 17, 0, 17, 0, 0), .rotate90Anticlockwise),
      (quad(23, 0, 0, 0, 0, 17, 23, 17), .flipHorizontally),
    ] {
      let expected = image.oriented(orientation)
      let answer = try image.rectified(shape, width: expected.width, height: expected.height)
      #expect(answer == expected)
    }
  }

  @Test("A box inside is the crop")
  func crop() throws {
    var random = SeededGenerator(seed: 5)
    let image = try random.noise(40, 30, 3)
    let crop = try image.rectified(quad(7, 5, 20, 5, 20, 26, 7, 26), width: 13, height: 21)
    let rect = try #require(PixelRect(x: 7, y: 5, width: 13, height: 21))
    #expect(crop == image.cropped(to: rect))
  }

  @Test("Every pixel of a picture that is shrunk counts, however far")
  func shrinking() throws {
    // Lines of 0 and 255: single samples would give stripes.
    var lines = try Raster(width: 320, height: 64, channels: 1)
    for y in 0..<64 {
      for x in stride(from: 0, to: 320, by: 2) { lines[x: x, y: y, channel: 0] = 255 }
    }
    let frame = quad(0, 0, 320, 0, 320, 64, 0, 64)
    for (width, height) in [(160, 64), (20, 8), (10, 1), (1, 1)] {
      let small = try lines.rectified(frame, width: width, height: height)
      #expect(small.samples.allSatisfy { abs(Int($0) - 128) <= 1 }, "\(width) x \(height)")
    }
  }

  @Test("A flat picture stays flat through any shape", arguments: 0..<10 as Range<UInt64>)
  func flat(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value = UInt8(random.next() >> 56)
    let image = try Raster(width: 300, height: 200, channels: 3, fill: value)
    let answer = try image.rectified(random.convexQuad(), width: 31, height: 47)
    #expect(answer.samples.allSatisfy { $0 == value })
  }

  @Test("What a camera made of a flat thing is undone")
  func undone() throws {
    // A board of four colours, drawn into a picture by the map, comes back as four quarters.
    let shape = quad(60.5, 20, 240, 50, 210, 170, 30, 140)
    let board = quad(0, 0, 80, 0, 80, 60, 0, 60)
    let back = try Homography(from: shape, to: board)
    let colors: [UInt8] = [10, 90, 170, 250]
    let picture = try Raster(width: 280, height: 200, channels: 1) { samples in
      for index in samples.indices {
        let place = back.apply(
          to: Point(x: Double(index % 280) + 0.5, y: Double(index / 280) + 0.5))
        samples[index] =
          board.contains(place) ? colors[(place.x < 40 ? 0 : 1) + (place.y < 30 ? 0 : 2)] : 0
      }
    }
    let flat = try picture.rectified(shape, width: 80, height: 60)
    for y in 0..<60 where abs(y - 30) > 2 && y > 1 && y < 58 {
      for x in 0..<80 where abs(x - 40) > 2 && x > 1 && x < 78 {
        #expect(flat[x: x, y: y, channel: 0] == colors[(x < 40 ? 0 : 1) + (y < 30 ? 0 : 2)])
      }
    }
  }

  @Test("Beyond the picture its edge goes on, at any distance")
  func outside() throws {
    var random = SeededGenerator(seed: 6)
    let image = try random.noise(9, 7, 2)
    func pixel(_ image: Raster, _ x: Int, _ y: Int) -> [UInt8] {
      (0..<2).map { image[x: x, y: y, channel: $0] }
    }
    for far in [20.0, 1e6, 1e12, 1e100] {
      let answer = try image.rectified(
        quad(far, far, 2 * far, far, 2 * far, 2 * far, far, 2 * far), width: 3, height: 2)
      #expect((0..<6).allSatisfy { pixel(answer, $0 % 3, $0 / 3) == pixel(image, 8, 6) })
      let around = try image.rectified(
        quad(-far, -far, far, -far, far, far, -far, far), width: 4, height: 4)
      #expect(pixel(around, 0, 0) == pixel(image, 0, 0))
      #expect(pixel(around, 3, 3) == pixel(image, 8, 6))
    }
    let single = try Raster(width: 1, height: 1, channels: 2, samples: [5, 200])
    let answer = try single.rectified(quad(-3, 0, 5, 1, 6, 8, -4, 7), width: 6, height: 5)
    #expect(answer.samples == (0..<60).map { $0 % 2 == 0 ? 5 : 200 })
  }

  @Test("Shapes that are none are errors")
  func shapes() throws {
    let image = try Raster(width: 9, height: 7, channels: 3)
    for shape in [quad(0, 0, 9, 7, 9, 0, 0, 6), quad(0, 0, 8, 0, 2, 2, 0, 8)] {
      #expect(throws: RectificationError.notConvex(shape)) {
        try image.rectified(shape, width: 4, height: 4)
      }
    }
    for shape in [quad(0, 0, 4, 0, 8, 0, 0, 8), quad(1, 1, 1, 1, 1, 1, 1, 1)] {
      #expect(throws: RectificationError.degenerate(shape)) {
        try image.rectified(shape, width: 4, height: 4)
      }
      #expect(throws: RectificationError.degenerate(shape)) { try image.textUpright(shape) }
    }
    for value in [Double.nan, .infinity] {
      let shape = quad(0, 0, value, 0, 9, 7, 0, 7)
      #expect(throws: RectificationError.self) {
        try image.rectified(shape, width: 4, height: 4)
      }
      #expect(throws: RectificationError.self) { try image.textUpright(shape) }
    }
  }

  @Test("Sizes that are none are errors")
  func sizes() throws {
    let image = try Raster(width: 9, height: 7, channels: 3)
    let frame = quad(0, 0, 9, 0, 9, 7, 0, 7)
    for (width, height) in [(0, 1), (1, 0), (-1, 5), (Int.min, Int.min)] {
      #expect(throws: RasterError.invalidLayout(width: width, height: height, channels: 3)) {
        try image.rectified(frame, width: width, height: height)
      }
    }
    #expect(throws: RasterError.tooLarge(width: .max, height: 2, channels: 3)) {
      try image.rectified(frame, width: .max, height: 2)
    }
    #expect(throws: RasterError.tooLarge(width: 50_000, height: 50_000, channels: 3)) {
      try image.rectified(frame, width: 50_000, height: 50_000)
    }
  }
}
