import Annotations
import CountReport
import Counting
import Foundation
import FuzzSupport
import Geometry
import NMS
import Raster
import VisionProtocols

extension Target {
  /// A count with models that answer anything, and all that is made of its result.
  static let counted = Target(
    "counted",
    seeds: {
      (0..<12).map { kind in
        let boxes: [UInt8] = (0..<30).flatMap { [UInt8($0 * 5), 9, 9, 136, 200, 200, 200, 0] }
        return [UInt8(kind % 6), kind < 6 ? 0 : 63, 0, 0, 0, 30] + boxes
          + [UInt8](repeating: 4, count: 60)
      }
    }
  ) { bytes in
    var choices = Choices(bytes)
    let kind = choices.byte()
    // Pictures take a hundred times as long as all the rest.
    let hasPictures = choices.byte() % 64 == 63
    var configuration = CountingPreset.allCases[Int(kind) % CountingPreset.allCases.count]
      .configuration
    if kind & 0x40 != 0 { change(&configuration, &choices) }
    let guide = try guide(&choices)
    let frame = Frame(width: 240, height: 256)
    let answers = Answers(choices)
    let counter = ObjectCounter(
      detector: AnyDetector(answers: answers), embedder: AnyEmbedder(answers: answers),
      configuration: configuration,
      calibration: kind & 0x80 == 0 ? .bundledModels : nil)
    do {
      let count = try waiting { try await counter.tracedCount(in: frame, guide: guide) }
      try look(at: count)
      if hasPictures { try draw(count, configuration: configuration) }
    } catch is CountingError {
    } catch is CountingConfigurationError {
    } catch is SuppressionError {
    } catch is EmbeddingMatrixError {}
  }

  private static func change(_ configuration: inout CountingConfiguration, _ choices: inout Choices)
  {
    func share() -> Double { Double(choices.share()) }
    func switchable() -> Double? { choices.once(in: 4) ? nil : 2 * share() }
    configuration.confidence = share()
    configuration.nmsIoU = share()
    configuration.sizeSigma = switchable()
    configuration.areaSigma = switchable()
    configuration.aspect =
      choices.once(in: 2) ? .sigma(share()) : .range(minimum: share(), maximum: 4 * share())
    configuration.similarity = 0.6 + 0.35 * share()
    configuration.mergeIoU = share()
    configuration.mergeFirst = choices.once(in: 2) ? .main : .score
    configuration.batchSize = 1 + choices.below(8)
    guard configuration.adaptive != nil else { return }
    configuration.adaptive?.tilesPerSide =
      choices.once(in: 8) ? choices.integer() : 1 + choices.below(4)
    configuration.adaptive?.targetSide = 100 * share()
    configuration.adaptive?.partShare = switchable()
    configuration.adaptive?.sizeFactor = switchable().map { 1 + $0 }
    configuration.adaptive?.aspectFactor = switchable().map { 1 + $0 }
    configuration.adaptive?.perspectiveGain = switchable()
    configuration.adaptive?.keepsCutObjects = choices.once(in: 2)
    configuration.adaptive?.containment = switchable()
    configuration.adaptive?.scoreShare = switchable()
    configuration.adaptive?.otherSizes = switchable()
    configuration.adaptive?.leastSilhouette = switchable()
    configuration.adaptive?.leastKindDistance = share()
  }

  private static func guide(_ choices: inout Choices) throws -> CountingGuide {
    var guide = CountingGuide()
    for _ in 0..<choices.below(3) { guide.like.append(choices.box()) }
    for _ in 0..<choices.below(3) { guide.unlike.append(choices.box()) }
    if choices.once(in: 8) {
      try refusable(CountingError.self) { guide.region = try CountingRegion(of: choices.box()) }
    }
    return guide
  }

  private static func look(at count: TracedCount) throws {
    let result = count.result
    expect((0...result.detections.count).contains(result.count), "\(result.count) are counted")
    for object in result.detections {
      expect(object.detection.box.isFinite, "an object without a place: \(object)")
    }
    // Scores are the detector's own, be they numbers or not; without these names they are refused.
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let json = try encoder.encode(result)
    let again = try decoder.decode(CountingResult.self, from: json)
    expect(again.count == result.count, "\(result.count) are counted, \(again.count) are read")

    let correction = correction(of: result)
    var corrected = CorrectedCount(result)
    try refusable(CountCorrectionError.self) {
      let read = try CountCorrection(json: try correction.json())
      expect(read == correction, "\(correction) is read as \(read)")
      corrected = try CorrectedCount(result, correctedBy: correction)
    }
    for count in [CorrectedCount(result), corrected] {
      let labels = AnnotationSet(count, image: "a\u{1B}\"<b>.jpg")
      _ = try JSONSerialization.jsonObject(with: try labels.write(as: .coco))
      for line in String(decoding: try labels.write(as: .yolo), as: UTF8.self).split(
        separator: "\n")
      {
        let words = line.split(separator: " ")
        expect(
          words.count == 5 && words.allSatisfy { Double($0)?.isFinite == true }, "\(line)")
      }
      let rows = String(decoding: try labels.write(as: .csv), as: UTF8.self).split(separator: "\n")
      let number = labels.photos[0].annotations.count
      expect(rows.count == number + 1, "\(rows.count) rows of \(number) labels")
    }
  }

  private static func correction(of result: CountingResult) -> CountCorrection {
    let boxes = result.detections.filter(\.isMain).map(\.detection.box)
    return CountCorrection(
      of: result, removed: Array(boxes.prefix(1)),
      moved: boxes.dropFirst().prefix(1).map {
        .init(from: $0, to: Box(minX: 1, minY: 1, maxX: 9, maxY: 9))
      },
      added: [Box(minX: 10, minY: 10, maxX: 20, maxY: 20)])
  }

  private static func draw(_ count: TracedCount, configuration: CountingConfiguration) throws {
    let result = count.result
    let photo = try Raster(width: result.width, height: result.height, channels: 3, fill: 90)
    _ = try CountThumbnail.jpeg(of: result, in: photo)
    try refusable(CountPageError.self) {
      try refusable(CountCorrectionError.self) {
        let page = CountPage(
          name: "<script>\u{202E}", count: count, configuration: configuration,
          correction: result.count % 2 == 0 ? nil : correction(of: result))
        let html = try page.html(photo: photo)
        expect(html.count <= page.maximumBytes, "a page of \(html.count) bytes")
        let text = String(decoding: html, as: UTF8.self)
        expect(!text.contains("<script>\u{202E}"), "a name as it is")
      }
    }
  }
}
