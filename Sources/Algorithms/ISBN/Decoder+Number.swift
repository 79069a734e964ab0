extension Decoder {
  /// Decodes a string and parses it with `read`; rethrows parse errors as `dataCorrupted`.
  func number<Number>(_ read: (String) throws(ISBNError) -> Number) throws -> Number {
    let text = try String(from: self)
    do {
      return try read(text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: error.description))
    }
  }
}
