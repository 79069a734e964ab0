import FuzzSupport
import TextDecode

extension Target {
  /// Maps of where text is, and rows of which letter it is, of any numbers.
  static let textmaps = Target(
    "textmaps",
    seeds: {
      [
        [75, 125, 40, 40, 1, 24, 16, 60, 50]
          + (0..<384).map { UInt8($0 % 24 > 3 && $0 % 24 < 20 && $0 / 24 % 9 > 2 ? 200 : 3) }
      ]
    }
  ) { bytes in
    var choices = Choices(bytes)
    let decoder = TextMapDecoder(
      threshold: Float(choices.setting(0...1)), minimumScore: choices.setting(0...1),
      unclipRatio: choices.setting(0...10), maximumCandidates: choices.wholeSetting(1...1000),
      dilates: choices.once(in: 2))
    let (width, height) = (choices.below(97), choices.below(97))
    let (imageWidth, imageHeight) = (choices.wholeSetting(1...500), choices.wholeSetting(1...500))
    let values = choices.rest()
    var map = values.map { byte -> Float in
      switch byte {
      case 250: .nan
      case 251: .infinity
      case 252: -.infinity
      case 253: .greatestFiniteMagnitude
      default: Float(byte) / 240
      }
    }
    try refusable(TextDecodeError.self) {
      let characters = (0..<1 + width % 24).map { "\($0)" }
      let text = try CTCDecoder(characters: characters, endsWithSpace: height % 2 == 0)
        .text(in: map)
      expect(text.confidence == 0 || !text.text.isEmpty, "\(text)")
    }
    try refusable(TextDecodeError.self) {
      let configuration = CTCBeamConfiguration(
        beamWidth: 1 + width % 20, leastProbability: decoder.threshold,
        lexicon: height % 3 == 0 ? nil : WordLexicon(["ab", "b0c"], penalty: 0.5))
      let reader = try CTCBeamDecoder(
        characters: "ab0c-d中".prefix(1 + width % 7).map(String.init),
        endsWithSpace: height % 2 == 0, configuration: configuration)
      let readings = try reader.readings(in: map)
      expect((1...configuration.beamWidth).contains(readings.count), "\(readings.count)")
      for reading in readings {
        expect(reading.score.isFinite && reading.confidence.isFinite, "\(reading)")
      }
    }
    if map.count < width * height {
      map += [Float](repeating: 0, count: width * height - map.count)
    }
    map.removeLast(map.count - width * height)
    try refusable(TextDecodeError.self) {
      let regions = try decoder.regions(
        in: map, width: width, height: height, imageWidth: imageWidth, imageHeight: imageHeight)
      for region in regions {
        for corner in region.outline.corners {
          expect(
            (0..<Double(imageWidth)).contains(corner.x)
              && (0..<Double(imageHeight)).contains(corner.y), "\(region)")
        }
        expect(region.score >= decoder.minimumScore, "\(region)")
      }
      expect(regions.inReadingOrder().count == regions.count, "\(regions.count) regions")
    }
  }
}
