extension AdaptiveConfiguration: Encodable {
  /// These settings with the fields that an object has.
  ///
  /// - Throws: ``CountingConfigurationError`` for an unknown field or a value of the wrong kind.
  func changed(by decoder: any Decoder) throws -> AdaptiveConfiguration {
    guard let fields = try? decoder.container(keyedBy: AnyField.self) else {
      throw CountingConfigurationError.wrongKind(
        field: "adaptive", expected: "\"off\" or an object of adaptive settings")
    }
    try refuseUnknownFields(
      in: decoder, known: CountingField.ofAdaptive.map(\.key), prefix: "adaptive.")
    var whole = CountingConfiguration.adaptive
    whole.adaptive = self
    for field in CountingField.ofAdaptive { try field.read(fields, into: &whole) }
    return whole.adaptiveOrDefault
  }

  /// Writes every field; a part that is off is the word "off".
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: AnyField.self)
    var whole = CountingConfiguration.adaptive
    whole.adaptive = self
    for field in CountingField.ofAdaptive { try field.write(whole, to: &fields) }
  }
}
