extension Decoder {
  /// What `read` makes of the string that is decoded; an error of its is `dataCorrupted`.
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
