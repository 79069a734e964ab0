import Geometry
import Raster
import SpineHeuristics
import TestSupport
import Testing

@testable import SpineDetection

@Suite("Spine detector")
struct SpineDetectorTests {
  let detector = SpineDetector()

  @Test(
    "Every book of a painted shelf is found, left to right",
    arguments: 1...6 as ClosedRange<UInt64>)
  func standing(seed: UInt64) throws {
    let shelf = try PaintedShelf(books: 4 + Int(seed), seed: seed)
    try expectAll(shelf, standing: .standing)
  }

  @Test(
    "Every book of a painted stack is found, top to bottom", arguments: 1...6 as ClosedRange<UInt64>
  )
  func lying(seed: UInt64) throws {
    let shelf = try PaintedShelf(books: 4 + Int(seed), seed: seed).lying()
    try expectAll(shelf, standing: .lying)
  }

  @Test("Noise of 12 grey levels changes nothing", arguments: 1...4 as ClosedRange<UInt64>)
  func noise(seed: UInt64) throws {
    let shelf = try PaintedShelf(books: 8, seed: seed).noisy(12, seed: seed)
    try expectAll(shelf, standing: .standing)
  }

  @Test("Bands along books part them, but for who knows that they are lines of text")
  func textLines() throws {
    var apart = 0
    for seed in 1...6 as ClosedRange<UInt64> {
      let (shelf, text) = try PaintedShelf(books: 4 + Int(seed), seed: seed).banded()
      apart += try detector.spines(in: shelf.image).count == shelf.spines.count ? 0 : 1
      try expectAll(shelf, standing: .standing, textLines: text)
      let lying = try shelf.lying()
      let turned = text.map(\.transposed)
      try expectAll(lying, standing: .lying, textLines: turned)
    }
    #expect(apart >= 3)
  }

  @Test("Lines of text that are none change nothing")
  func badTextLines() throws {
    let shelf = try PaintedShelf(books: 6, seed: 2)
    let bow = try Quadrilateral(
      corners: [
        Point(x: 10, y: 10), Point(x: 90, y: 90), Point(x: 90, y: 10), Point(x: 10, y: 90),
      ])
    let far = Quadrilateral(Box(minX: 1e9, minY: 1e9, maxX: 1e9 + 512, maxY: 1e9 + 4096))
    try expectAll(shelf, standing: .standing, textLines: [bow, far])
  }

  private func expectAll(
    _ shelf: PaintedShelf, standing: SpineOrientation, textLines: [Quadrilateral] = []
  ) throws {
    let found = try detector.spines(in: shelf.image, textLines: textLines)
    #expect(found.count == shelf.spines.count)
    for (spine, truth) in zip(found, shelf.spines) {
      #expect(spine.quad.iou(truth) > (textLines.isEmpty ? 0.9 : 0.85))
      #expect(spine.orientation == standing)
      #expect((0...1).contains(spine.confidence))
      #expect(spine.quad.signedArea > 0, "corners go clockwise on the screen")
    }
  }

  @Test("A shelf's picture reduced to the working side has its spines in its own pixels")
  func reduced() throws {
    let shelf = try PaintedShelf(books: 6, seed: 3, width: 2400, height: 1500)
    try expectAll(shelf, standing: .standing)
  }

  @Test("A broad board does not hide the row that stands on it", arguments: [3, 5] as [UInt64])
  func board(seed: UInt64) throws {
    let shelf = try PaintedShelf(books: 20, seed: seed, width: 940, height: 320)
    let found = try detector.spines(in: shelf.onBoard(height: 190).image)
    let standing = found.filter { $0.orientation == .standing }
    #expect(standing.count >= shelf.spines.count - 1)
    var alone = SpineDetectionConfiguration()
    alone.companions = 0
    let hidden = try SpineDetector(configuration: alone)
      .spines(in: shelf.onBoard(height: 190).image)
    #expect(hidden.filter { $0.orientation == .standing }.count < standing.count)
  }

  @Test("Pictures too small, plain or noisy have no spines")
  func nothing() throws {
    for (width, height) in [(1, 1), (4, 400), (400, 4), (5, 5), (1, 4000), (30, 30), (640, 480)] {
      let image = try Raster(width: width, height: height, channels: 3, fill: 200)
      #expect(try detector.spines(in: image).isEmpty)
    }
    var generator = SeededGenerator(seed: 9)
    let noise = try Raster(width: 640, height: 480, channels: 1) { samples in
      for index in samples.indices { samples[index] = UInt8(255 * generator.unit()) }
    }
    #expect(try detector.spines(in: noise).isEmpty)
  }

  @Test("Stripes, checks and single lines end in an answer", arguments: [1, 2, 3, 5, 8, 13, 40])
  func patterns(period: Int) throws {
    for slant in [0, 1, 3] {
      let image = try Raster(width: 500, height: 400, channels: 1) { samples in
        for row in 0..<400 {
          for column in 0..<500 {
            let phase = (column + slant * row / 8) / period + (slant == 3 ? row / period : 0)
            samples[row * 500 + column] = phase % 2 == 0 ? 230 : 20
          }
        }
      }
      let found = try detector.spines(in: image)
      #expect(found.allSatisfy { $0.quad.isFinite && (0...1).contains($0.confidence) })
    }
  }

  @Test("The number of channels makes no difference to grey pictures")
  func channels() throws {
    let grey = try PaintedShelf(books: 5, seed: 4).image.converted(toChannels: 1)
    let expected = try detector.spines(in: grey)
    #expect(expected.count == 5)
    for channels in 2...4 {
      #expect(try detector.spines(in: grey.converted(toChannels: channels)) == expected)
    }
  }

  @Test(
    "A threshold out of its range is named",
    arguments: [
      ("workingSide", 63.0), ("workingSide", 4097), ("minimumAspectRatio", -0.1),
      ("minimumAspectRatio", .nan), ("maximumAspectRatio", 1.5), ("maximumRows", 0),
      ("minimumConfidence", 2), ("minimumAspectRatio", 0.5),
    ])
  func thresholds(field: String, value: Double) throws {
    var configuration = SpineDetectionConfiguration()
    switch field {
    case "workingSide": configuration.workingSide = Int(value)
    case "minimumAspectRatio": configuration.minimumAspectRatio = value
    case "maximumAspectRatio": configuration.maximumAspectRatio = value
    case "maximumRows": configuration.maximumRows = Int(value)
    default: configuration.minimumConfidence = value
    }
    let image = try Raster(width: 64, height: 64, channels: 1)
    let error = #expect(throws: SpineDetectionError.self) {
      try SpineDetector(configuration: configuration).spines(in: image)
    }
    guard case .outOfRange(let name, _, _) = error else { return }
    #expect(name == field)
    #expect(try #require(error).description.hasPrefix(field))
  }
}
