extension Decoder {
  /// Decodes a string and parses it with `read`; rethrows parse errors as `dataCorrupted`.
  func number<Number, Failure: Error & CustomStringConvertible>(
    _ read: (String) throws(Failure) -> Number
  ) throws -> Number {
    let text = try String(from: self)
    do {
      return try read(text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: error.description))
    }
  }
}
