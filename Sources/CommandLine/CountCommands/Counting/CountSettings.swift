import CommandKit
import CountSettings
import Counting
import Foundation

extension CountingConfiguration {
  /// The configuration of a command line.
  ///
  /// Options override the file's fields, which override the person's settings, which override the
  /// set. If no set is named, it is the adaptive one, unless the command line uses an option that
  /// only the sets of bands have. The set in the settings applies if the command line does not name
  /// a set or request another method. Settings that the method does not use are ignored.
  ///
  /// - Throws: ``UsageError`` for options that contradict each other, ``CommandError`` for a file
  ///   that does not exist or is not a configuration.
  package init(_ arguments: ParsedArguments, settings: CountingSettings = CountingSettings()) throws
  {
    let set = arguments[CountOptions.set]
    let file = try arguments[CountOptions.config].map { try ConfigurationFile(at: $0) }
    if let file, set != nil, file.namesSet {
      throw UsageError("both --set and \(file.path) name a set; leave one of them out")
    }
    let bands = CountOptions.ofBands.filter { arguments.has($0) }.map(\.name)
    let detector = arguments[CountOptions.detector] == nil
    let embedder = arguments[CountOptions.embedder] == nil
    let presets: Presets = { preset in
      // If the command line names another set, exactly that set is used.
      preset == .adaptive
        ? .adaptive.suitedToBundledModels(detector: detector, embedder: embedder)
        : preset.configuration
    }
    let isOfBands = !bands.isEmpty || file?.isOfBands == true
    let ofAdaptive = CountOptions.ofAdaptive + CountOptions.ofGuide
    let isAdaptive =
      ofAdaptive.contains { arguments.has($0) } || file?.isOfAdaptive == true
    self =
      if let named = set ?? file?.preset {
        presets(named)
      } else {
        settings.basis(
          isAdaptive: isOfBands ? false : isAdaptive ? true : nil, presets: presets,
          bands: .standard.suitedToBundledModels(detector: detector, embedder: embedder))
      }
    self = settings.over(self)
    if let file {
      // The set in the file was applied already, and settings override it.
      let basis = self
      self = try file.fields(over: basis, presets: { _ in basis })
    }

    if adaptive != nil {
      if let option = bands.first {
        throw UsageError(
          "--\(option) is about the sets of bands, and the adaptive one is asked for; name another "
            + "by --set, such as standard")
      }
    } else {
      if let option = ofAdaptive.first(where: { arguments.has($0) }) {
        throw UsageError(
          "--\(option.name) is about the adaptive set, and another is asked for; leave out what is "
            + "about bands, or give --set adaptive")
      }
      try takeOtherBandOptions(arguments)
    }
    CountOptions.takeFields(arguments, into: &self)
    try validate()
  }

  private mutating func takeOtherBandOptions(_ arguments: ParsedArguments) throws {
    if let value = arguments[CountOptions.mergeFirst] { mergeFirst = value }
    switch (arguments[CountOptions.aspectSigma], arguments[CountOptions.aspectRange]) {
    case (nil, nil): break
    case (let sigma?, nil): aspect = sigma.number.map { .sigma($0) } ?? .off
    case (nil, let range?):
      aspect = .range(minimum: range.lowerBound, maximum: range.upperBound)
    case (_?, _?):
      throw UsageError("--aspect-sigma and --aspect-range exclude each other; give one of them")
    }
  }
}

/// The file that `--config` names.
private struct ConfigurationFile {
  let path: String
  private let data: Data
  private let names: Set<String>
  /// The set in the file, if it names one.
  let preset: CountingPreset?
  /// Whether it has fields that only the adaptive set uses.
  let isOfAdaptive: Bool

  init(at path: String) throws {
    self.path = path
    data = try InputFile.bytes(path, atMost: InputFile.largestNote)
    let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    names = Set(object.map { Array($0.keys) } ?? [])
    preset = (object?["set"] as? String).flatMap(CountingPreset.init)
    isOfAdaptive = object?["adaptive"] is [String: Any]
  }

  /// Whether it names the initial set.
  var namesSet: Bool { names.contains("set") }

  /// Whether it has fields that only the sets of bands use.
  var isOfBands: Bool {
    !names.isDisjoint(with: [
      "sizeSigma", "aspect", "areaSigma", "similarity", "mergeIoU", "mergeFirst",
    ])
  }

  /// A configuration overridden by the file's fields.
  func fields(
    over basis: CountingConfiguration, presets: @escaping CountingConfiguration.Presets
  ) throws -> CountingConfiguration {
    try JSONFile.check(data, path)
    do {
      return try CountingConfiguration(json: data, basis: basis, presets: presets)
    } catch let error as CountingConfigurationError {
      throw CommandError(.badData, at: path, "\(error)")
    }
  }
}

extension Switchable {
  /// The number, or nil if it is off.
  var number: Double? {
    switch self {
    case .off: nil
    case .on(let value): value
    }
  }
}
