/// Reads the fields of a configuration, with errors that name them.
struct FieldReader<Field: CodingKey & CaseIterable> {
  private let fields: KeyedDecodingContainer<Field>

  /// Opens an object; a field that nothing would read is most likely a slip of the pen, and
  /// refused.
  init(_ decoder: any Decoder) throws {
    guard let fields = try? decoder.container(keyedBy: Field.self),
      let all = try? decoder.container(keyedBy: AnyField.self)
    else {
      throw FrameConfigurationError.wrongKind(
        field: Self.path(decoder.codingPath, or: "the configuration"), expected: "an object")
    }
    self.fields = fields
    let known = Field.allCases.map(\.stringValue)
    if let unknown = all.allKeys.map(\.stringValue).filter({ !known.contains($0) }).min() {
      throw FrameConfigurationError.unknownField(
        Self.path(decoder.codingPath + [AnyField(stringValue: unknown)].compactMap(\.self)),
        known: known)
    }
  }

  /// Whether the field is there.
  func has(_ field: Field) -> Bool { fields.contains(field) }

  /// Changes the value where the field is there.
  func read<Value: Decodable>(
    _ field: Field, into value: inout Value, as kind: String
  ) throws(FrameConfigurationError) {
    guard fields.contains(field) else { return }
    guard let found = try? fields.decode(Value.self, forKey: field) else {
      throw .wrongKind(field: Self.path(fields.codingPath + [field]), expected: kind)
    }
    value = found
  }

  /// A decoder of the field's value.
  func decoder(of field: Field) throws -> any Decoder {
    try fields.superDecoder(forKey: field)
  }

  private static func path(_ keys: [any CodingKey], or whole: String = "") -> String {
    keys.isEmpty ? whole : keys.map(\.stringValue).joined(separator: ".")
  }
}

/// A key of any name.
private struct AnyField: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
