import Foundation
import Geometry
import ONNXRunner
import Raster
import Rectification
import TextDecode
import VisionProtocols

/// Reads the text in images with PP-OCR's networks: finds lines, turns them upright, and reads
/// them.
///
/// ```swift
/// let reader = try TextReader(files: TextModelFiles(folder: models))
/// for line in try await reader.texts(in: image) { print(line.text, line.confidence) }
/// ```
///
/// With ``TextReaderConfiguration/rapidOCR`` it does the same as RapidOCR 1.4.4 by default, step by
/// step and pixel by pixel as far as floating-point sums allow. Lines come from top to bottom, and
/// from left to right at about one height. Grey images are copied to three channels, alpha is
/// dropped.
///
/// It also reads text that runs up or down, such as a spine's title: a region whose height is at
/// least 1.5 times its width is first turned by a quarter. The outline of a line begins at the
/// start of its text.
///
/// Many tasks may use one reader at once.
///
/// Source: Li et al., "PP-OCRv3", 2022, and the documentation of PP-OCRv4.
public struct TextReader: TextRecognizer {
  /// How it reads.
  public let configuration: TextReaderConfiguration

  let detector: TextDetectorModel
  private let orientation: TextOrientationModel?
  private let recognizer: TextLineModel

  /// The parts of reading an image, in order.
  public enum Stage: String, Hashable, Sendable, Codable, CaseIterable {
    /// Resizing, and the detector's network.
    case detection
    /// Regions out of the detector's map.
    case regions
    /// Cutting the regions out, straightened.
    case crops
    /// Turning lines that are upside down.
    case orientation
    /// Reading the lines.
    case recognition
  }

  /// Loads the networks.
  ///
  /// - Parameters:
  ///   - files: the files of the networks.
  ///   - configuration: how to read.
  ///   - options: threads and passes of the runner.
  /// - Throws: `ModelError` if a file is not a model the runner can run; ``ReferenceModelError`` if
  ///   one is for another task, or a setting is out of range.
  public init(
    files: TextModelFiles, configuration: TextReaderConfiguration = TextReaderConfiguration(),
    options: SessionOptions = SessionOptions()
  ) throws {
    try self.init(
      detector: InferenceSession(contentsOf: files.detector, options: options),
      orientation: files.orientation.map {
        try InferenceSession(contentsOf: $0, options: options)
      },
      recognizer: InferenceSession(contentsOf: files.recognizer, options: options),
      configuration: configuration)
  }

  /// Makes a reader of networks that are loaded.
  ///
  /// - Parameters:
  ///   - detector: see ``TextModelFiles/detector``.
  ///   - orientation: see ``TextModelFiles/orientation``.
  ///   - recognizer: see ``TextModelFiles/recognizer``.
  ///   - characters: what the recognizer's classes stand for, blank and space not among them; nil
  ///     to take the lines of the model's property `character`.
  ///   - configuration: how to read.
  /// - Throws: ``ReferenceModelError`` if a network does another job, or a setting is out of range.
  public init(
    detector: InferenceSession, orientation: InferenceSession?, recognizer: InferenceSession,
    characters: [String]? = nil, configuration: TextReaderConfiguration = TextReaderConfiguration()
  ) throws {
    try configuration.check()
    self.configuration = configuration
    self.detector = try TextDetectorModel(detector)
    self.orientation = try orientation.map { try TextOrientationModel($0) }
    self.recognizer = try TextLineModel(
      recognizer, characters: characters, beamSearch: configuration.beamSearch)
  }

  /// The lines of text in an image.
  ///
  /// - Throws: `CancellationError` soon after the task is cancelled; `ModelError`; `RasterError`;
  ///   ``ReferenceModelError``.
  public func texts(in image: Raster) async throws -> [RecognizedText] {
    try await texts(in: image) { _ in }
  }

  /// The lines of text in an image, with a call after each part of the work.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - didFinish: called after each part, for example to measure times.
  /// - Throws: as ``texts(in:)``.
  public func texts(
    in image: Raster, didFinish: (Stage) -> Void
  ) async throws -> [RecognizedText] {
    let page = try TextPage(image, maximumSide: configuration.maximumSide)
    var lines = try await lines(on: page, didFinish: didFinish)
    let readings = try await read(&lines, didFinish: didFinish)
    return zip(lines, readings).compactMap { line, reading in
      recognized(reading, at: page.original(line.outline))
    }
  }

  /// The lines that are found on a page, as they lie there.
  func lines(on page: TextPage, didFinish: (Stage) -> Void = { _ in }) async throws -> [TextCrop] {
    let regions = try await regions(on: page, didFinish: didFinish)
    let lines = regions.compactMap { TextCrop($0, of: page.image) }
    didFinish(.crops)
    return lines
  }

  /// The outlines of the lines that are found on a page, in reading order.
  func regions(
    on page: TextPage, didFinish: (Stage) -> Void = { _ in }
  ) async throws -> [Quadrilateral] {
    let map = try await detector.map(of: page.image, side: configuration.detectionSide)
    didFinish(.detection)
    let regions = try map.regions(configuration.decoder, of: page.image).inReadingOrder()
    didFinish(.regions)
    return regions.map(\.outline)
  }

  /// A line that was read, unless it says nothing or is not sure enough.
  func recognized(_ reading: CTCText, at outline: Quadrilateral) -> RecognizedText? {
    guard !reading.text.isEmpty, reading.confidence >= configuration.minimumConfidence else {
      return nil
    }
    return RecognizedText(outline: outline, text: reading.text, confidence: reading.confidence)
  }

  /// What lines say.
  ///
  /// Those that are upside down, or read better the other way round, are turned over.
  ///
  /// - Parameters:
  ///   - tightly: see `TextLineModel`.
  ///   - doubtful: which lines are also read the other way round; nil for all that the
  ///     configuration says.
  func read(
    _ lines: inout [TextCrop], tightly: Bool = false,
    doubtful: (([TextCrop], [CTCText]) -> [Int])? = nil, didFinish: (Stage) -> Void = { _ in }
  ) async throws -> [CTCText] {
    if let orientation {
      let turned = try await orientation.upsideDown(
        lines.map(\.image), confidence: configuration.orientationConfidence,
        batchSize: configuration.batchSize)
      for index in turned { lines[index].turnOver() }
    }
    didFinish(.orientation)
    var readings = try await recognizer.texts(
      in: lines.map(\.image), batchSize: configuration.batchSize, tightly: tightly)
    let doubtful = doubtful?(lines, readings) ?? lines.indices.filter { !isSure(readings[$0]) }
    let others = try await recognizer.texts(
      in: doubtful.map { lines[$0].image.oriented(.rotate180) },
      batchSize: configuration.batchSize, tightly: tightly)
    for (index, other) in zip(doubtful, others) where other.weight > readings[index].weight {
      lines[index].turnOver()
      readings[index] = other
    }
    didFinish(.recognition)
    return readings
  }

  /// Whether a line need not be read the other way round.
  func isSure(_ reading: CTCText) -> Bool {
    let least = configuration.bothTurnsBelow
    if least == 0 { return true }
    return orientation != nil && reading.confidence >= least
      && reading.text.contains { $0.isLetter || $0.isNumber }
  }
}

extension CTCText {
  /// How much speaks for this reading, against one of the same line the other way round.
  ///
  /// Upside down, few letters are read and some of them surely: a longer text may be a little less
  /// sure.
  fileprivate var weight: Float {
    confidence * Float(text.count).squareRoot()
  }
}
