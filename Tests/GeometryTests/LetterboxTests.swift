import Foundation
import Geometry
import TestSupport
import Testing

@Suite struct LetterboxTests {
  struct Checksum: Decodable, Equatable {
    var used = 0
    var checksum = ""
  }

  struct Checksums: Decodable {
    let width: Int
    let height: Int
    let random: Checksum
    let square: Checksum
  }

  /// Every size from 1x1 to 300x300 and 20,000 random ones up to 8,000, against Python's `int(w *
  /// r)`.
  @Test func sizesTruncateAsPythons() throws {
    var generator = SeededGenerator(seed: 11)
    let random = (0..<20000).map { _ in
      (Int(generator.next() % 8000) + 1, Int(generator.next() % 8000) + 1)
    }
    let square = (1...300).flatMap { width in (1...300).map { (width, $0) } }
    for golden in try Folders.golden("Geometry/letterboxes.json", as: [Checksums].self) {
      #expect(try checksum(random, golden) == golden.random)
      #expect(try checksum(square, golden) == golden.square)
    }
  }

  private func checksum(_ sizes: [(Int, Int)], _ golden: Checksums) throws -> Checksum {
    var total: UInt64 = 0
    var used = 0
    for (width, height) in sizes {
      let letterbox = try Letterbox(
        imageWidth: width, imageHeight: height, networkWidth: golden.width,
        networkHeight: golden.height)
      // Where Python truncates a side to 0, it is 1 here, and Python's checksum leaves it out.
      if Double(min(width, height)) * letterbox.ratio < 1 { continue }
      used += 1
      total =
        total &* 1_000_003
        &+ UInt64(letterbox.resizedWidth * 65536 + letterbox.resizedHeight)
    }
    return Checksum(used: used, checksum: String(total))
  }

  struct Boxes: Decodable {
    let width: Int
    let height: Int
    let boxes: [[Float]]
  }

  @Test func boxesComeBackAsNumPyDividesThem() throws {
    for golden in try Folders.golden("Geometry/letterbox_boxes.json", as: [Boxes].self) {
      let letterbox = try Letterbox(
        imageWidth: golden.width, imageHeight: golden.height, networkWidth: 416,
        networkHeight: 416)
      for (box, expected) in zip(sampleBoxes(seed: 5, count: 20), golden.boxes) {
        let image = letterbox.image(fromNetwork: box)
        #expect([image.minX, image.minY, image.maxX, image.maxY] == expected)
      }
    }
  }

  @Test func theUsualPhoto() throws {
    let letterbox = try Letterbox(
      imageWidth: 1000, imageHeight: 750, networkWidth: 416, networkHeight: 416)
    #expect(letterbox.ratio == 0.416)
    #expect(letterbox.resizedWidth == 416 && letterbox.resizedHeight == 312)
    #expect(letterbox.offsetX == 0 && letterbox.offsetY == 0)
    #expect(letterbox.network(fromImage: Point(x: 1000, y: 750)) == Point(x: 416, y: 312))
  }

  @Test func centeredMarginsAreSplit() throws {
    let letterbox = try Letterbox(
      imageWidth: 100, imageHeight: 33, networkWidth: 200, networkHeight: 101,
      placement: .centered)
    #expect(letterbox.resizedWidth == 200 && letterbox.resizedHeight == 66)
    #expect(letterbox.offsetX == 0 && letterbox.offsetY == 17)
    #expect(letterbox.network(fromImage: Point(x: 50, y: 0)) == Point(x: 100, y: 17))
    let box = Box(minX: 1, minY: 2, maxX: 3, maxY: 4)
    #expect(letterbox.network(fromImage: box) == Box(minX: 2, minY: 21, maxX: 6, maxY: 25))
    #expect(letterbox.image(fromNetwork: letterbox.network(fromImage: box)) == box)
  }

  @Test(arguments: Letterbox.Placement.allCases)
  func thereAndBackIsTheSamePlace(placement: Letterbox.Placement) throws {
    var generator = SeededGenerator(seed: 12)
    for box in sampleBoxes(seed: 13, count: 200) {
      let letterbox = try Letterbox(
        imageWidth: Int(generator.next() % 4000) + 100,
        imageHeight: Int(generator.next() % 4000) + 100,
        networkWidth: 640, networkHeight: 416, placement: placement)
      let point = Point(x: generator.unit() * 4000, y: generator.unit() * 4000)
      let back = letterbox.image(fromNetwork: letterbox.network(fromImage: point))
      #expect(back.distance(to: point) < 1e-9)
      let boxBack = letterbox.image(fromNetwork: letterbox.network(fromImage: box))
      // A Float of the network's size, 2^-15 at most, seen through the smallest ratio, 0.1.
      for (a, b) in zip(boxBack.corners, box.corners) { #expect(a.distance(to: b) < 1e-3) }
    }
  }

  @Test func theScaledImageFillsTheCanvasOneWay() throws {
    var generator = SeededGenerator(seed: 14)
    for _ in 0..<2000 {
      let letterbox = try Letterbox(
        imageWidth: Int(generator.next() % 5000) + 1,
        imageHeight: Int(generator.next() % 5000) + 1, networkWidth: 416, networkHeight: 640)
      #expect((1...416).contains(letterbox.resizedWidth))
      #expect((1...640).contains(letterbox.resizedHeight))
      // Truncation may take one pixel from the side that fits.
      #expect(letterbox.resizedWidth >= 415 || letterbox.resizedHeight >= 639)
    }
  }

  @Test func aThreadKeepsOnePixel() throws {
    let letterbox = try Letterbox(
      imageWidth: 1, imageHeight: 416 * 1024, networkWidth: 416, networkHeight: 416)
    #expect(letterbox.resizedWidth == 1 && letterbox.resizedHeight == 416)
  }

  @Test(arguments: [(0, 1), (1, 0), (-3, 5), (Int.max, 1), (1, Int.min)])
  func sizesOutsideTheRangeAreRefused(width: Int, height: Int) {
    let error = GeometryError.invalidSize(width: width, height: height)
    #expect(throws: error) {
      try Letterbox(imageWidth: width, imageHeight: height, networkWidth: 8, networkHeight: 8)
    }
    #expect(throws: error) {
      try Letterbox(imageWidth: 8, imageHeight: 8, networkWidth: width, networkHeight: height)
    }
    #expect(throws: error) { try CoordinateSpace(width: width, height: height) }
    #expect(error.description.contains("1...2147483647"))
  }

  @Test func theLargestSizesDoNotTrap() throws {
    let side = Int(Int32.max)
    for (width, height) in [(side, 1), (1, side), (side, side)] {
      let letterbox = try Letterbox(
        imageWidth: width, imageHeight: height, networkWidth: side, networkHeight: side)
      #expect(letterbox.resizedWidth <= side && letterbox.resizedHeight <= side)
    }
  }

  /// As Ultralytics' LetterBox: 333 x 500 in 640 x 640 has a width of 426.24, 500 x 333 of 1000 x 667 a height of 333.5.
  @Test func sidesToTheNearest() throws {
    for (width, height, expected) in [(333, 500, 426), (334, 501, 427), (1000, 667, 427)] {
      let letterbox = try Letterbox(
        imageWidth: width, imageHeight: height, networkWidth: 640, networkHeight: 640,
        placement: .centered, sides: .nearest)
      let (short, offset) =
        width < height
        ? (letterbox.resizedWidth, letterbox.offsetX) : (letterbox.resizedHeight, letterbox.offsetY)
      #expect(short == expected)
      #expect(offset == (640 - expected) / 2)
    }
  }

  @Test func survivesCodingAndRefusesWhatIsNoLetterbox() throws {
    let letterbox = try Letterbox(
      imageWidth: 479, imageHeight: 640, networkWidth: 416, networkHeight: 416,
      placement: .centered)
    let data = try JSONEncoder().encode(letterbox)
    #expect(try JSONDecoder().decode(Letterbox.self, from: data) == letterbox)
    let bad = String(decoding: data, as: UTF8.self).replacingOccurrences(of: "479", with: "-1")
    #expect(throws: GeometryError.invalidSize(width: -1, height: 640)) {
      try JSONDecoder().decode(Letterbox.self, from: Data(bad.utf8))
    }
  }
}
