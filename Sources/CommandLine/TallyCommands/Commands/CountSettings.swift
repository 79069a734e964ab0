import Counting
import Foundation
import ReferenceModels

extension CountingConfiguration {
  /// The configuration that a command line asks for: a set, a file's fields over it, options over both.
  ///
  /// - Throws: ``UsageError`` for options that contradict each other, ``CommandError`` for a file that
  ///   is not there or holds no configuration.
  init(_ arguments: ParsedArguments) throws {
    let set = arguments[CountOptions.set]
    self =
      if let set {
        CountingConfiguration(set)
      } else if arguments[CountOptions.detector] == nil {
        .bundledDetector
      } else {
        .standard
      }
    if let path = arguments[CountOptions.config] {
      try readFields(path, namesSet: set != nil)
    }

    if let value = arguments[CountOptions.confidence] { confidence = value }
    if let value = arguments[CountOptions.nms] { nmsIoU = value }
    if let value = arguments[CountOptions.similarity] { similarity = value }
    if let value = arguments[CountOptions.sizeSigma] { sizeSigma = value.number }
    if let value = arguments[CountOptions.areaSigma] { areaSigma = value.number }
    if let value = arguments[CountOptions.mergeIoU] { mergeIoU = value }
    if let value = arguments[CountOptions.mergeFirst] { mergeFirst = value }
    switch (arguments[CountOptions.aspectSigma], arguments[CountOptions.aspectRange]) {
    case (nil, nil): break
    case (let sigma?, nil): aspect = sigma.number.map { .sigma($0) } ?? .off
    case (nil, let range?):
      aspect = .range(minimum: range.lowerBound, maximum: range.upperBound)
    case (_?, _?):
      throw UsageError("--aspect-sigma and --aspect-range exclude each other; give one of them")
    }
    try validate()
  }

  /// Takes over the fields in the file at `path`.
  private mutating func readFields(_ path: String, namesSet: Bool) throws {
    let url = try InputFile.existing(path)
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw CommandError(.inputOutput, at: path, "cannot be read")
    }
    do {
      let fields = try CountingConfiguration(json: data, basis: self)
      let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
      if namesSet, object?["set"] != nil {
        throw UsageError("both --set and \(path) name a set; leave one of them out")
      }
      self = fields
    } catch let error as CountingConfigurationError {
      throw CommandError(.badData, at: path, "\(error)")
    }
  }
}

extension CountingConfiguration {
  /// What suits the bundled detector, which reports little that is no object: surer detections than
  /// ``standard``, and filters that only drop what is far off.
  static var bundledDetector: CountingConfiguration {
    var configuration = CountingConfiguration.standard
    configuration.sizeSigma = 4
    configuration.aspect = .sigma(4)
    configuration.areaSigma = 4
    configuration.confidence = BundledModels.detectorConfidence
    configuration.nmsIoU = BundledModels.detectorNMSIoU
    return configuration
  }
}

extension Switchable {
  /// The number, or nil where it is off.
  var number: Double? {
    switch self {
    case .off: nil
    case .on(let value): value
    }
  }
}
