import Foundation

/// Files of JSON, and the errors in them.
package enum JSONFile {
  /// The bytes of the file at `path`, without the byte order mark of editors and spreadsheets.
  package static func data(_ path: String) throws(CommandError) -> Data {
    let data = try InputFile.bytes(path, atMost: InputFile.largestDocument)
    return data.starts(with: ByteOrderMark.bytes)
      ? Data(data.dropFirst(ByteOrderMark.bytes.count)) : data
  }

  /// The first byte that is not a space.
  package static func start(of data: Data) -> UInt8? {
    data.first { ![9, 10, 13, 32].contains($0) }
  }

  /// The value of a whole file; an object that has a key twice is an error.
  package static func decoded<Value: Decodable>(
    _ data: Data, _ path: String
  ) throws(CommandError) -> Value {
    try check(data, path)
    do {
      return try JSONDecoder().decode(Value.self, from: data)
    } catch {
      throw CommandError(.badData, at: path, text(of: error, in: data))
    }
  }

  /// The values of a file with one per line, or of one value on several lines.
  package static func decodedLines<Value: Decodable>(
    _ data: Data, _ path: String
  ) throws(CommandError) -> [Value] {
    if (try? JSONSerialization.jsonObject(with: data)) != nil { return [try decoded(data, path)] }
    var values: [Value] = []
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where start(of: line) != nil {
      try check(Data(line), path, "line \(index + 1): ")
      do {
        values.append(try JSONDecoder().decode(Value.self, from: Data(line)))
      } catch {
        throw CommandError(
          .badData, at: path, "line \(index + 1): \(text(of: error, in: Data(line)))")
      }
    }
    return values
  }

  /// Throws for an object that has a key twice: only one of its values could be taken.
  package static func check(
    _ data: Data, _ path: String, _ place: String = ""
  ) throws(CommandError) {
    guard let key = RepeatedKeys.first(in: data) else { return }
    throw CommandError(
      .badData, at: path,
      "\(place)an object has the key \"\(key)\" twice, or two that differ only in how Unicode "
        + "writes a letter")
  }

  /// The error in some JSON, and its place.
  package static func text(of error: any Error, in data: Data) -> String {
    func place(_ context: DecodingError.Context) -> String {
      let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? "\"\($0.stringValue)\"" }
      return path.isEmpty ? "the top-level value" : path.joined(separator: " ")
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      return "\(place(context)) has no \"\(key.stringValue)\""
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      return "\(place(context)) has the wrong type"
    case DecodingError.dataCorrupted(let context):
      let isJSON = (try? JSONSerialization.jsonObject(with: data)) != nil
      // Foundation does not report the place of such a number.
      return !isJSON
        ? "is not JSON"
        : "\(place(context)) has a number that is not whole where it must be, or too large"
    default: return "is not JSON of the right kind"
    }
  }
}
