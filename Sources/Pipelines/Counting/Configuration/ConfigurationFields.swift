// Reading the fields of a configuration, with errors that name them.

/// A key of any name.
struct AnyField: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Throws if an object has an unknown field, which is probably a typing error.
func refuseUnknownFields(
  in decoder: any Decoder, known: [String], prefix: String
) throws {
  let names = try decoder.container(keyedBy: AnyField.self).allKeys.map(\.stringValue)
  if let unknown = names.filter({ !known.contains($0) }).min() {
    throw CountingConfigurationError.unknownField(prefix + unknown, known: known)
  }
}

/// The value of a field, nil if it is absent.
func read<Value: Decodable, Field: CodingKey>(
  _ type: Value.Type, _ fields: KeyedDecodingContainer<Field>, _ field: Field, as kind: String
) throws -> Value? {
  guard fields.contains(field) else { return nil }
  guard let value = try? fields.decode(Value.self, forKey: field) else {
    let path = (fields.codingPath + [field]).map(\.stringValue).joined(separator: ".")
    throw CountingConfigurationError.wrongKind(field: path, expected: kind)
  }
  return value
}

/// A number, or nil for the word "off"; the default where the field is absent.
func readSwitchable<Field: CodingKey>(
  _ fields: KeyedDecodingContainer<Field>, _ field: Field, default: Double?
) throws -> Double? {
  guard fields.contains(field) else { return `default` }
  if (try? fields.decode(String.self, forKey: field)) == "off" { return nil }
  return try read(Double.self, fields, field, as: "a number or \"off\"")
}

/// Writes a number, or the word "off" for nil.
func writeSwitchable<Field: CodingKey>(
  _ value: Double?, to fields: inout KeyedEncodingContainer<Field>, _ field: Field
) throws {
  if let value {
    try fields.encode(value, forKey: field)
  } else {
    try fields.encode("off", forKey: field)
  }
}
