import Foundation

extension CountingConfiguration: Codable {
  private enum Field: String, CodingKey, CaseIterable {
    case set, confidence, nmsIoU, sizeSigma, aspect, areaSigma, similarity, mergeIoU, mergeFirst
    case adaptive, batchSize
  }

  private enum AspectField: String, CodingKey, CaseIterable {
    case sigma, range
  }

  /// Where ``init(json:basis:presets:)`` leaves what it was given for the decoder.
  private static let basisKey = CodingUserInfoKey(rawValue: "CountingConfiguration.basis")
  private static let presetsKey = CodingUserInfoKey(rawValue: "CountingConfiguration.presets")

  /// Reads a configuration; absent fields keep the values of the preset named as `"set"`, or the
  /// standard ones.
  ///
  /// - Throws: ``CountingConfigurationError`` for an unknown field, a value of the wrong kind or out
  ///   of range.
  public init(from decoder: any Decoder) throws {
    let basis = Self.basisKey.flatMap { decoder.userInfo[$0] as? Self } ?? .standard
    try refuseUnknownFields(in: decoder, known: Field.allCases.map(\.rawValue), prefix: "")
    let fields = try decoder.container(keyedBy: Field.self)
    let names = CountingPreset.allCases.map(\.rawValue).joined(separator: ", ")
    let preset = try read(CountingPreset.self, fields, .set, as: "one of \(names)")
    let presets =
      Self.presetsKey.flatMap { decoder.userInfo[$0] as? Presets } ?? { $0.configuration }
    self = preset.map(presets) ?? basis
    let number = "a number"
    confidence = try read(Double.self, fields, .confidence, as: number) ?? confidence
    nmsIoU = try read(Double.self, fields, .nmsIoU, as: number) ?? nmsIoU
    sizeSigma = try readSwitchable(fields, .sizeSigma, default: sizeSigma)
    aspect = try Self.aspect(fields) ?? aspect
    areaSigma = try readSwitchable(fields, .areaSigma, default: areaSigma)
    similarity = try read(Double.self, fields, .similarity, as: number) ?? similarity
    mergeIoU = try read(Double.self, fields, .mergeIoU, as: number) ?? mergeIoU
    mergeFirst =
      try read(MergePriority.self, fields, .mergeFirst, as: "\"score\" or \"main\"") ?? mergeFirst
    adaptive = try Self.adaptive(fields, default: adaptive)
    batchSize = try read(Int.self, fields, .batchSize, as: "a whole number") ?? batchSize
    try validate()
  }

  /// The adaptive settings with the given fields changed, or nil for the word "off".
  private static func adaptive(
    _ fields: KeyedDecodingContainer<Field>, default: AdaptiveConfiguration?
  ) throws -> AdaptiveConfiguration? {
    guard fields.contains(.adaptive) else { return `default` }
    if (try? fields.decode(String.self, forKey: .adaptive)) == "off" { return nil }
    return try (`default` ?? AdaptiveConfiguration()).changed(
      by: fields.superDecoder(forKey: .adaptive))
  }

  private static func aspect(_ fields: KeyedDecodingContainer<Field>) throws -> AspectRule? {
    guard fields.contains(.aspect) else { return nil }
    if (try? fields.decode(String.self, forKey: .aspect)) == "off" { return .off }
    let wrong = CountingConfigurationError.wrongKind(
      field: "aspect",
      expected: "\"off\", {\"sigma\": a number} or {\"range\": [a number, a number]}")
    guard let rule = try? fields.nestedContainer(keyedBy: AspectField.self, forKey: .aspect) else {
      throw wrong
    }
    try refuseUnknownFields(
      in: fields.superDecoder(forKey: .aspect), known: AspectField.allCases.map(\.rawValue),
      prefix: "aspect.")
    switch (rule.contains(.sigma), rule.contains(.range)) {
    case (true, false):
      guard let sigma = try? rule.decode(Double.self, forKey: .sigma) else { throw wrong }
      return .sigma(sigma)
    case (false, true):
      guard let bounds = try? rule.decode([Double].self, forKey: .range), bounds.count == 2 else {
        throw wrong
      }
      return .range(minimum: bounds[0], maximum: bounds[1])
    default:
      throw wrong
    }
  }

  /// Writes every field; a switched-off filter is the word "off".
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(confidence, forKey: .confidence)
    try fields.encode(nmsIoU, forKey: .nmsIoU)
    try writeSwitchable(sizeSigma, to: &fields, .sizeSigma)
    switch aspect {
    case .off:
      try fields.encode("off", forKey: .aspect)
    case .sigma(let sigma):
      var rule = fields.nestedContainer(keyedBy: AspectField.self, forKey: .aspect)
      try rule.encode(sigma, forKey: .sigma)
    case .range(let minimum, let maximum):
      var rule = fields.nestedContainer(keyedBy: AspectField.self, forKey: .aspect)
      try rule.encode([minimum, maximum], forKey: .range)
    }
    try writeSwitchable(areaSigma, to: &fields, .areaSigma)
    try fields.encode(similarity, forKey: .similarity)
    try fields.encode(mergeIoU, forKey: .mergeIoU)
    try fields.encode(mergeFirst, forKey: .mergeFirst)
    if let adaptive {
      try fields.encode(adaptive, forKey: .adaptive)
    } else {
      try fields.encode("off", forKey: .adaptive)
    }
    try fields.encode(batchSize, forKey: .batchSize)
  }
}

extension CountingConfiguration {
  /// What each preset stands for.
  public typealias Presets = @Sendable (CountingPreset) -> CountingConfiguration

  /// Reads a configuration from the bytes of a JSON object.
  ///
  /// - Parameters:
  ///   - json: an object of the fields to change; it may name a preset to start from as `"set"`.
  ///   - basis: what absent fields are taken from where the object names no preset.
  ///   - presets: what a preset stands for where the object names one, such as
  ///     `{ $0.configuration.suitedToBundledModels() }`.
  /// - Throws: ``CountingConfigurationError``.
  public init(
    json: Data, basis: CountingConfiguration = .standard,
    presets: @escaping Presets = { $0.configuration }
  ) throws {
    let decoder = JSONDecoder()
    if let key = Self.basisKey { decoder.userInfo[key] = basis }
    if let key = Self.presetsKey { decoder.userInfo[key] = presets }
    do {
      self = try decoder.decode(Self.self, from: json)
    } catch let error as CountingConfigurationError {
      throw error
    } catch DecodingError.dataCorrupted(let context) {
      let cause = context.underlyingError.map { ($0 as NSError).userInfo }
      throw CountingConfigurationError.notJSON(
        reason: cause?[NSDebugDescriptionErrorKey] as? String ?? context.debugDescription)
    } catch {
      throw CountingConfigurationError.notJSON(reason: "it must be an object in braces")
    }
  }
}
