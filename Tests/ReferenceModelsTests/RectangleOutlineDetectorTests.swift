import Geometry
import Raster
import RectangleDetection
import ReferenceModels
import SpineDetection
import Testing
import VisionProtocols

// H1: rectangles are what a pipeline of frames may look for.

@Suite("Rectangle outlines")
struct RectangleOutlineDetectorTests {
  /// A card of this colour with a band across, on white, moved to the right.
  private func picture(_ color: [UInt8], moved: Int) throws -> Raster {
    var image = try Raster(width: 500, height: 400, channels: 3, fill: 235)
    for row in 60..<340 {
      for column in (120 + moved)..<(250 + moved) {
        let isBand = row % 90 < 12
        for channel in 0..<3 {
          image[x: column, y: row, channel: channel] = isBand ? 20 : color[channel]
        }
      }
    }
    return image
  }

  @Test("A card is found where it is, as sure as the detector is, and looks like itself later")
  func card() async throws {
    let detector = RectangleOutlineDetector()
    let first = try await detector.outlines(in: picture([200, 40, 40], moved: 0))
    let rectangle = try #require(
      try RectangleDetector().rectangles(in: picture([200, 40, 40], moved: 0)).first)
    let outline = try #require(first.first)
    #expect(outline.outline == rectangle.quad)
    #expect(outline.confidence == Float(rectangle.confidence))
    let box = outline.outline.boundingBox
    #expect(abs(box.minX - 120) < 4 && abs(box.maxX - 250) < 4)
    #expect(abs(box.minY - 60) < 4 && abs(box.maxY - 340) < 4)

    let later = try await detector.outlines(in: picture([200, 40, 40], moved: 37))
    let other = try await detector.outlines(in: picture([90, 190, 220], moved: 0))
    func cosine(_ a: [DetectedOutline], _ b: [DetectedOutline]) throws -> Float {
      let x = try #require(a.first?.appearance)
      let y = try #require(b.first?.appearance)
      #expect(x.count == 48 && y.count == 48)
      func dot(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
      return dot(x, y) / (dot(x, x) * dot(y, y)).squareRoot()
    }
    #expect(try cosine(first, later) > 0.95)
    #expect(try cosine(first, other) < 0.6)
  }

  @Test("A limit out of its range is an error, and a picture without edges has no outlines")
  func edges() async throws {
    var configuration = RectangleConfiguration()
    configuration.minimumSize = 2
    await #expect(throws: RectangleError.self) {
      try await RectangleOutlineDetector(RectangleDetector(configuration: configuration))
        .outlines(in: picture([0, 0, 0], moved: 0))
    }
    for channels in 1...4 {
      let image = try Raster(width: 200, height: 100, channels: channels, fill: 128)
      #expect(try await RectangleOutlineDetector().outlines(in: image).isEmpty)
    }
  }

  @Test("Rectangles stand in for spines that cannot be looked for")
  func fallback() async throws {
    var spines = SpineDetector()
    spines.configuration.workingSide = 0
    let image = try picture([200, 40, 40], moved: 0)
    let detector = FallbackOutlineDetector(
      SpineOutlineDetector(spines), fallback: RectangleOutlineDetector())
    #expect(
      try await detector.outlines(in: image)
        == RectangleOutlineDetector().outlines(in: image))
  }
}
