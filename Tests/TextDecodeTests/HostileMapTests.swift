import Geometry
import TestSupport
import Testing
import TextDecode

/// Maps that no network should answer, and settings that nobody should make.
@Suite struct HostileMapTests {
  private func regions(
    _ map: [Float], _ width: Int, _ height: Int, decoder: TextMapDecoder = TextMapDecoder()
  ) throws -> [TextRegion] {
    try decoder.regions(
      in: map, width: width, height: height, imageWidth: width, imageHeight: height)
  }

  @Test("Nothing, everything, and what is no number")
  func plain() throws {
    for value in [0, -1, -Float.infinity, .nan, 0.3] {
      #expect(try regions(Array(repeating: value, count: 600), 30, 20).isEmpty)
    }
    for value in [1, 0.5, 1e30] as [Float] {
      let found = try regions(Array(repeating: value, count: 600), 30, 20)
      #expect(found.count == 1)
      #expect(
        found.first?.outline.corners == [
          Point(x: 0, y: 0), Point(x: 29, y: 0), Point(x: 29, y: 19), Point(x: 0, y: 19),
        ])
      #expect(found.first?.score == Double(value))
    }
    let infinite = try regions(Array(repeating: .infinity, count: 600), 30, 20)
    #expect(infinite.first?.score == .infinity)
  }

  @Test("A region whose rectangle holds a NaN is left out")
  func hole() throws {
    var map = [Float](repeating: 0, count: 4000)
    for y in 10..<30 { for x in 20..<80 { map[y * 100 + x] = 0.9 } }
    #expect(try regions(map, 100, 40).count == 1)
    map[20 * 100 + 50] = .nan
    #expect(try regions(map, 100, 40).isEmpty)
  }

  @Test("Maps of one row, one column, one pixel")
  func thin() throws {
    for (width, height) in [(1, 1), (1, 50), (50, 1), (2, 2), (3, 3), (2, 60)] {
      let found = try regions(Array(repeating: 1, count: width * height), width, height)
      #expect(found.isEmpty)
    }
  }

  @Test("Tens of thousands of regions of a pixel, and as many holes")
  func chequers() throws {
    let side = 400
    let chequers = (0..<side * side).map { ($0 % side + $0 / side) % 2 == 0 ? Float(1) : 0 }
    var decoder = TextMapDecoder()
    decoder.maximumCandidates = .max >> 32
    for dilates in [false, true] {
      decoder.dilates = dilates
      for region in try regions(chequers, side, side, decoder: decoder) {
        #expect(region.outline.isFinite)
      }
    }
    let dots = (0..<side * side).map { $0 % 2 == 0 && $0 / side % 2 == 0 ? Float(1) : 0 }
    decoder.dilates = false
    #expect(try regions(dots, side, side, decoder: decoder).isEmpty)
    let holes = dots.map { 1 - $0 }
    #expect(try regions(holes, side, side, decoder: decoder).count == 1)
  }

  @Test("Noise of any kind gives regions inside the image, again and again the same")
  func noise() throws {
    let strange: [Float] = [.nan, .infinity, -.infinity, 0, 1, 0.3, Float(0.3).nextUp, -1, 1e38]
    for seed in 0..<60 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let (width, height) = (1 + Int(seed) * 3 % 70, 1 + Int(seed) * 7 % 50)
      let map = (0..<width * height).map { _ -> Float in
        seed % 3 == 0
          ? strange.randomElement(using: &generator) ?? 0 : Float(generator.unit() < 0.6 ? 1 : 0)
      }
      let decoder = TextMapDecoder(
        minimumScore: 0, unclipRatio: Double(seed % 11), dilates: seed % 2 == 0)
      let found = try decoder.regions(
        in: map, width: width, height: height, imageWidth: 500, imageHeight: 300)
      for region in found {
        for corner in region.outline.corners {
          #expect((0...499).contains(corner.x) && (0...299).contains(corner.y))
          #expect(corner.x == corner.x.rounded() && corner.y == corner.y.rounded())
        }
        #expect(region.score >= 0)
      }
      #expect(
        try decoder.regions(
          in: map, width: width, height: height, imageWidth: 500, imageHeight: 300) == found)
    }
  }

  @Test("A turned map gives turned regions")
  func turned() throws {
    var map = [Float](repeating: 0, count: 120 * 80)
    for y in 20..<40 { for x in 30..<100 { map[y * 120 + x] = 0.8 } }
    var decoder = TextMapDecoder()
    decoder.dilates = false
    let upright = try #require(try regions(map, 120, 80, decoder: decoder).first)
    let flipped = try #require(
      try regions(Array(map.reversed()), 120, 80, decoder: decoder).first)
    #expect(upright.score == flipped.score)
    #expect(upright.outline.boundingBox.width == flipped.outline.boundingBox.width)
    #expect(upright.outline.boundingBox.minX == 119 - flipped.outline.boundingBox.maxX)
  }

  @Test("Sizes, counts and settings that are wrong are errors of one line")
  func errors() {
    func refuse(_ expected: TextDecodeError, _ body: () throws -> Void) {
      let error = #expect(throws: TextDecodeError.self) { try body() }
      #expect(error == expected)
      #expect(error?.description.contains("\n") == false)
    }
    refuse(.valueCount(got: 5, expected: 6)) { _ = try regions([0, 0, 0, 0, 0], 3, 2) }
    refuse(.invalidSize(width: 0, height: 2)) { _ = try regions([], 0, 2) }
    refuse(.invalidSize(width: .max, height: .max)) { _ = try regions([], .max, .max) }
    refuse(.invalidSize(width: -1, height: 4)) {
      _ = try TextMapDecoder().regions(in: [1], width: 1, height: 1, imageWidth: -1, imageHeight: 4)
    }
    let settings: [(TextMapDecoder, String)] = [
      (TextMapDecoder(threshold: .nan), "threshold"),
      (TextMapDecoder(threshold: -0.1), "threshold"),
      (TextMapDecoder(minimumScore: 2), "minimumScore"),
      (TextMapDecoder(unclipRatio: .infinity), "unclipRatio"),
      (TextMapDecoder(maximumCandidates: 0), "maximumCandidates"),
    ]
    for (decoder, field) in settings {
      let error = #expect(throws: TextDecodeError.self) {
        try regions([1], 1, 1, decoder: decoder)
      }
      #expect(error?.description.hasPrefix("\(field) is ") == true)
    }
  }
}
