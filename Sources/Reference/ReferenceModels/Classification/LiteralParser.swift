/// A value in JSON or as Python writes it.
enum Literal {
  case text(String)
  /// A number as it is written, or a word such as `None`.
  case number(String)
  case list([Literal])
  case object([LiteralMember])

  var isCollection: Bool {
    switch self {
    case .list, .object: true
    case .text, .number: false
    }
  }
}

/// A key of an object and what it stands for.
struct LiteralMember {
  let key: String
  let value: Literal
}

/// Reads lists, tuples, objects, texts and numbers, in JSON's spelling and in Python's.
///
/// Exporters write a Python dictionary's `str` into a model's metadata
/// (`{0: 'person', 1: 'bicycle'}`) as often as JSON; this reads both, and mixtures of them.
struct LiteralParser {
  /// The deepest nesting; labels need three.
  private static let deepest = 8

  private let bytes: [UInt8]
  private var place = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// The one value that all of the text is.
  mutating func parse() throws(ClassLabelsError) -> Literal {
    let value = try value(depth: 0)
    skipSpace()
    guard place == bytes.count else { throw fault("there is more after the end") }
    return value
  }

  private mutating func value(depth: Int) throws(ClassLabelsError) -> Literal {
    guard depth < Self.deepest else { throw fault("lists lie too deep in one another") }
    skipSpace()
    switch peek {
    case UInt8(ascii: "["): return .list(try list(until: UInt8(ascii: "]"), depth: depth))
    case UInt8(ascii: "("): return .list(try list(until: UInt8(ascii: ")"), depth: depth))
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try quoted())
    default: return .number(try word())
    }
  }

  private mutating func list(
    until end: UInt8, depth: Int
  ) throws(ClassLabelsError) -> [Literal] {
    place += 1
    var values: [Literal] = []
    while true {
      skipSpace()
      if peek == end {
        place += 1
        return values
      }
      guard values.count < ClassLabels.largestCount else { throw .tooMany }
      values.append(try value(depth: depth + 1))
      try separator(before: end)
    }
  }

  private mutating func members(
    depth: Int
  ) throws(ClassLabelsError) -> [LiteralMember] {
    let end = UInt8(ascii: "}")
    place += 1
    var members: [LiteralMember] = []
    while true {
      skipSpace()
      if peek == end {
        place += 1
        return members
      }
      guard members.count < ClassLabels.largestCount else { throw .tooMany }
      let isQuoted = peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'")
      let key = isQuoted ? try quoted() : try word()
      skipSpace()
      guard peek == UInt8(ascii: ":") else { throw fault("a colon is missing") }
      place += 1
      members.append(LiteralMember(key: key, value: try value(depth: depth + 1)))
      try separator(before: end)
    }
  }

  /// The comma after a value, which may be missing before the end.
  private mutating func separator(before end: UInt8) throws(ClassLabelsError) {
    skipSpace()
    if peek == UInt8(ascii: ",") {
      place += 1
    } else if peek != end {
      throw fault(peek == nil ? "it breaks off" : "a comma is missing")
    }
  }

  /// A number, or a word such as `null`.
  private mutating func word() throws(ClassLabelsError) -> String {
    let start = place
    while let byte = peek, Self.isWord(byte) { place += 1 }
    guard place > start else { throw fault(peek == nil ? "it breaks off" : "a value is missing") }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private mutating func quoted() throws(ClassLabelsError) -> String {
    let quote = bytes[place]
    place += 1
    var result: [UInt8] = []
    while let byte = peek {
      place += 1
      if byte == quote { return String(decoding: result, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      result += try escape()
    }
    throw fault("a text has no closing quote")
  }

  /// The bytes of what follows a backslash.
  private mutating func escape() throws(ClassLabelsError) -> [UInt8] {
    guard let byte = peek else { throw fault("it breaks off") }
    place += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "x"), UInt8(ascii: "U"):
      let value = try hexadecimal(byte == UInt8(ascii: "x") ? 2 : 8)
      return try scalar(value)
    case UInt8(ascii: "u"):
      let unit = try hexadecimal(4)
      guard (0xD800..<0xDC00).contains(unit) else { return try scalar(unit) }
      guard peek == UInt8(ascii: "\\"), bytes[(place + 1)...].first == UInt8(ascii: "u") else {
        throw fault("half of a surrogate pair")
      }
      place += 2
      let low = try hexadecimal(4)
      guard (0xDC00..<0xE000).contains(low) else { throw fault("half of a surrogate pair") }
      return try scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    default: return [byte]
    }
  }

  private mutating func hexadecimal(_ digits: Int) throws(ClassLabelsError) -> UInt32 {
    guard place + digits <= bytes.count,
      let value = UInt32(
        String(decoding: bytes[place..<(place + digits)], as: UTF8.self), radix: 16)
    else { throw fault("\(digits) hexadecimal digits are missing") }
    place += digits
    return value
  }

  private func scalar(_ value: UInt32) throws(ClassLabelsError) -> [UInt8] {
    guard let scalar = Unicode.Scalar(value) else { throw fault("no character has this number") }
    return Array(String(scalar).utf8)
  }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte = peek, Self.isSpace(byte) { place += 1 }
  }

  private func fault(_ reason: String) -> ClassLabelsError {
    .syntax(offset: place, reason: reason)
  }
}
