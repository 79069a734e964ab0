import Raster
import TestSupport
import Testing
import VisionProtocols

@testable import ReferenceModels

@Suite("Spine outlines")
struct SpineOutlineDetectorTests {
  /// Two books of the colours given on white, moved to the right.
  private func shelf(_ colors: [[UInt8]], moved: Int) throws -> Raster {
    var image = try Raster(width: 500, height: 400, channels: 3, fill: 235)
    for (book, color) in colors.enumerated() {
      for row in (60 + 20 * book)..<360 {
        for column in (100 + 70 * book + moved)..<(165 + 70 * book + moved) {
          // A band across, so that no spine is plain.
          let isBand = row % 90 < 12
          for channel in 0..<3 {
            image[x: column, y: row, channel: channel] = isBand ? 20 : color[channel]
          }
        }
      }
    }
    return image
  }

  @Test("A book looks like itself in another frame, and not like its neighbour")
  func appearance() async throws {
    let colors: [[UInt8]] = [[200, 40, 40], [90, 190, 220]]
    let detector = SpineOutlineDetector()
    let first = try await detector.outlines(in: shelf(colors, moved: 0))
    let later = try await detector.outlines(in: shelf(colors, moved: 37))
    try #require(first.count == 2 && later.count == 2)
    let vectors = try (first + later).map { try #require($0.appearance) }
    #expect(vectors.allSatisfy { $0.count == 48 })
    func cosine(_ a: Int, _ b: Int) -> Float {
      func dot(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
      let (x, y) = (vectors[a], vectors[b])
      return dot(x, y) / (dot(x, x) * dot(y, y)).squareRoot()
    }
    #expect(cosine(0, 2) > 0.95 && cosine(1, 3) > 0.95)
    #expect(cosine(0, 1) < 0.6 && cosine(2, 3) < 0.6)
  }

  @Test("A picture without books has no outlines", arguments: [1, 2, 3, 4])
  func nothing(channels: Int) async throws {
    let image = try Raster(width: 200, height: 100, channels: channels, fill: 128)
    #expect(try await SpineOutlineDetector().outlines(in: image).isEmpty)
  }
}
