import Foundation

extension CountingConfiguration: Codable {
  /// The fields that are not plain numbers.
  private enum Field: String, CodingKey, CaseIterable {
    case set, aspect, mergeFirst, adaptive
  }

  private static let names =
    Field.allCases.map(\.rawValue) + (CountingField.ofAll + CountingField.ofBands).map(\.key)

  private enum AspectField: String, CodingKey, CaseIterable {
    case sigma, range
  }

  /// The key under which ``init(json:basis:presets:)`` passes its arguments to the decoder.
  private static let basisKey = CodingUserInfoKey(rawValue: "CountingConfiguration.basis")
  private static let presetsKey = CodingUserInfoKey(rawValue: "CountingConfiguration.presets")

  /// Reads a configuration; absent fields keep the values of the preset named as `"set"`, or the
  /// standard ones.
  ///
  /// - Throws: ``CountingConfigurationError`` for an unknown field, a value of the wrong kind or
  ///   out of range.
  public init(from decoder: any Decoder) throws {
    let basis = Self.basisKey.flatMap { decoder.userInfo[$0] as? Self } ?? .standard
    try refuseUnknownFields(in: decoder, known: Self.names, prefix: "")
    let fields = try decoder.container(keyedBy: Field.self)
    let names = CountingPreset.allCases.map(\.rawValue).joined(separator: ", ")
    let preset = try read(CountingPreset.self, fields, .set, as: "one of \(names)")
    let presets =
      Self.presetsKey.flatMap { decoder.userInfo[$0] as? Presets } ?? { $0.configuration }
    self = preset.map(presets) ?? basis
    let numbers = try decoder.container(keyedBy: AnyField.self)
    for field in CountingField.ofAll + CountingField.ofBands {
      try field.read(numbers, into: &self)
    }
    aspect = try Self.aspect(fields) ?? aspect
    mergeFirst =
      try read(MergePriority.self, fields, .mergeFirst, as: "\"score\" or \"main\"") ?? mergeFirst
    adaptive = try Self.adaptive(fields, default: adaptive)
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
    var numbers = encoder.container(keyedBy: AnyField.self)
    for field in CountingField.ofAll + CountingField.ofBands { try field.write(self, to: &numbers) }
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
    try fields.encode(mergeFirst, forKey: .mergeFirst)
    if let adaptive {
      try fields.encode(adaptive, forKey: .adaptive)
    } else {
      try fields.encode("off", forKey: .adaptive)
    }
  }
}

extension CountingConfiguration {
  /// What each preset stands for.
  public typealias Presets = @Sendable (CountingPreset) -> CountingConfiguration

  /// Reads a configuration from the bytes of a JSON object.
  ///
  /// - Parameters:
  ///   - json: an object of the fields to change; it may name a preset to start from as `"set"`.
  ///   - basis: the values of absent fields if the object names no preset.
  ///   - presets: the configuration of a preset that the object names, such as
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
