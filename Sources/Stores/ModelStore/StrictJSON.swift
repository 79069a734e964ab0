/// A JSON value, read strictly, because manifests come from untrusted sources.
///
/// Foundation's readers take the last of two members of one name, but another program may take the
/// first. A manifest must have the same meaning for every program.
enum StrictJSON: Equatable, Sendable {
  case null
  case bool(Bool)
  /// The digits as they are written.
  case number(String)
  case string(String)
  case array([StrictJSON])
  /// Members by name, each once.
  case object([String: StrictJSON])

  /// The reason why a text is not JSON, and the byte of the error.
  struct Fault: Error, Equatable {
    let offset: Int
    let reason: String
  }

  /// The greatest nesting depth of a manifest.
  static let deepest = 16

  /// Reads a whole text, RFC 8259, in UTF-8.
  init(_ bytes: [UInt8]) throws(Fault) {
    var reader = Reader(bytes: bytes)
    self = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.position == bytes.count else { throw reader.fault("something follows the value") }
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    func fault(_ reason: String) -> Fault { Fault(offset: position, reason: reason) }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
      while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    mutating func take(_ byte: Character) -> Bool {
      guard next == byte.asciiValue else { return false }
      position += 1
      return true
    }

    mutating func value(depth: Int) throws(Fault) -> StrictJSON {
      guard depth <= StrictJSON.deepest else { throw fault("values lie too deep in one another") }
      skipSpace()
      guard let byte = next else { throw fault("it ends where a value must be") }
      switch byte {
      case UInt8(ascii: "{"): return try object(depth: depth)
      case UInt8(ascii: "["): return try array(depth: depth)
      case UInt8(ascii: "\""): return .string(try string())
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
      default: return try word()
      }
    }

    mutating func word() throws(Fault) -> StrictJSON {
      for (word, value) in [
        ("null", StrictJSON.null), ("true", .bool(true)), ("false", .bool(false)),
      ]
      where bytes[position...].starts(with: word.utf8) {
        position += word.utf8.count
        return value
      }
      throw fault("this is not a value")
    }

    mutating func object(depth: Int) throws(Fault) -> StrictJSON {
      position += 1
      var members: [String: StrictJSON] = [:]
      skipSpace()
      if take("}") { return .object(members) }
      while true {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw fault("a member has no name") }
        let name = try string()
        guard members[name] == nil else { throw fault("the member '\(name)' is there twice") }
        skipSpace()
        guard take(":") else { throw fault("a colon is missing") }
        members[name] = try value(depth: depth + 1)
        skipSpace()
        if take("}") { return .object(members) }
        guard take(",") else { throw fault("a comma or brace is missing") }
      }
    }

    mutating func array(depth: Int) throws(Fault) -> StrictJSON {
      position += 1
      var values: [StrictJSON] = []
      skipSpace()
      if take("]") { return .array(values) }
      while true {
        values.append(try value(depth: depth + 1))
        skipSpace()
        if take("]") { return .array(values) }
        guard take(",") else { throw fault("a comma or bracket is missing") }
      }
    }

    mutating func digits() throws(Fault) {
      let start = position
      while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        position += 1
      }
      guard position > start else { throw fault("a digit is missing") }
    }

    mutating func number() throws(Fault) -> StrictJSON {
      let start = position
      _ = take("-")
      if !take("0") { try digits() }
      if take(".") { try digits() }
      if take("e") || take("E") {
        if !take("+") { _ = take("-") }
        try digits()
      }
      return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    mutating func string() throws(Fault) -> String {
      position += 1
      var text: [UInt8] = []
      while let byte = next {
        switch byte {
        case UInt8(ascii: "\""):
          position += 1
          let string = String(decoding: text, as: UTF8.self)
          // Decoding puts a replacement character in the place of invalid bytes.
          guard string.utf8.elementsEqual(text) else { throw fault("a text is not UTF-8") }
          return string
        case 0..<0x20: throw fault("a control character in a text")
        case UInt8(ascii: "\\"):
          position += 1
          text += try escape()
        default:
          text.append(byte)
          position += 1
        }
      }
      throw fault("it ends inside a text")
    }

    mutating func escape() throws(Fault) -> [UInt8] {
      guard let byte = next else { throw fault("it ends inside a text") }
      position += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
      case UInt8(ascii: "b"): return [8]
      case UInt8(ascii: "f"): return [12]
      case UInt8(ascii: "n"): return [10]
      case UInt8(ascii: "r"): return [13]
      case UInt8(ascii: "t"): return [9]
      case UInt8(ascii: "u"):
        var code = try hexadecimal()
        if (0xD800..<0xDC00).contains(code) {
          guard take("\\"), take("u") else { throw fault("half a surrogate pair") }
          let low = try hexadecimal()
          guard (0xDC00..<0xE000).contains(low) else { throw fault("half a surrogate pair") }
          code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        // Zero is not valid in a name, a path or an address.
        guard code > 0, let scalar = Unicode.Scalar(code) else {
          throw fault("an escape sequence that is not a character")
        }
        return Array(String(Character(scalar)).utf8)
      default: throw fault("invalid escape sequence")
      }
    }

    mutating func hexadecimal() throws(Fault) -> UInt32 {
      guard position + 4 <= bytes.count,
        bytes[position..<(position + 4)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let code = UInt32(
          String(decoding: bytes[position..<(position + 4)], as: UTF8.self), radix: 16)
      else { throw fault("four hexadecimal digits are missing") }
      position += 4
      return code
    }
  }
}
