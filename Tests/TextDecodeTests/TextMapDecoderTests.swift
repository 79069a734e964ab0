import Geometry
import TestSupport
import Testing
import TextDecode

@Suite struct TextMapDecoderTests {
  struct Golden: Decodable, Sendable, CustomTestStringConvertible {
    let seed: UInt64
    let width: Int
    let height: Int
    let bars: Int
    let specks: Int
    let imageWidth: Int
    let imageHeight: Int
    let decoder: TextMapDecoder
    /// Eight coordinates and the score.
    let regions: [[Double]]
    /// Eight coordinates.
    let order: [[Double]]

    var testDescription: String { "map \(seed)" }
  }

  static let goldens = (try? Folders.golden("TextDecode/maps.json", as: [Golden].self)) ?? []

  private func coordinates(_ region: TextRegion) -> [Double] {
    region.outline.corners.flatMap { [$0.x, $0.y] }
  }

  @Test func goldensAreThere() {
    #expect(Self.goldens.count == 40)
    #expect(Self.goldens.reduce(0) { $0 + $1.regions.count } > 200)
  }

  /// Corners are the same pixels; means differ by the order of their sums.
  @Test("Regions are OpenCV's, Clipper's and RapidOCR's", arguments: goldens)
  func regions(golden: Golden) throws {
    let map = textMap(
      seed: golden.seed, width: golden.width, height: golden.height, bars: golden.bars,
      specks: golden.specks)
    let regions = try golden.decoder.regions(
      in: map, width: golden.width, height: golden.height, imageWidth: golden.imageWidth,
      imageHeight: golden.imageHeight)
    #expect(regions.map(coordinates) == golden.regions.map { Array($0.prefix(8)) })
    for (region, expected) in zip(regions, golden.regions) {
      #expect(abs(region.score - expected[8]) < 1e-12)
    }
    #expect(regions.inReadingOrder().map(coordinates) == golden.order)
  }
}
