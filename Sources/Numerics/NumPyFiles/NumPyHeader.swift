/// What a `.npy` header says: a Python dictionary of exactly `descr`, `fortran_order`, `shape`.
struct NumPyHeader {
  var type: NumPyElementType
  var isBigEndian: Bool
  var isFortranOrder: Bool
  var shape: [Int]

  /// Reads the dictionary between the length field and the data.
  init(parsing text: some Sequence<UInt8>) throws(NumPyFileError) {
    var parser = NumPyHeaderParser(text)
    self = try parser.parse()
  }

  init(type: NumPyElementType, isBigEndian: Bool, isFortranOrder: Bool, shape: [Int]) {
    self.type = type
    self.isBigEndian = isBigEndian
    self.isFortranOrder = isFortranOrder
    self.shape = shape
  }

  /// The dictionary as `numpy.save` writes it for little-endian data in C order.
  var text: String {
    let order = type.byteCount == 1 ? "|" : "<"
    let lengths =
      shape.count == 1 ? "\(shape[0])," : shape.map(String.init).joined(separator: ", ")
    return "{'descr': '\(order)\(type.rawValue)', 'fortran_order': False, 'shape': (\(lengths)), }"
  }
}

/// Reads the subset of Python's literals that a header may hold.
struct NumPyHeaderParser {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: some Sequence<UInt8>) {
    bytes = Array(text)
  }

  mutating func parse() throws(NumPyFileError) -> NumPyHeader {
    var type: (NumPyElementType, isBigEndian: Bool)?
    var isFortranOrder: Bool?
    var shape: [Int]?
    try expect("{")
    while try !skip("}") {
      let key = try string()
      try expect(":")
      switch key {
      case "descr" where type == nil: type = try elementType()
      case "fortran_order" where isFortranOrder == nil: isFortranOrder = try boolean()
      case "shape" where shape == nil: shape = try lengths()
      default: throw .invalidHeader("unexpected key '\(key)'")
      }
      if try !skip(",") {
        try expect("}")
        break
      }
    }
    skipSpace()
    guard position == bytes.count else { throw .invalidHeader("text after the dictionary") }
    guard let type, let isFortranOrder, let shape else {
      throw .invalidHeader("'descr', 'fortran_order' or 'shape' is missing")
    }
    return NumPyHeader(
      type: type.0, isBigEndian: type.isBigEndian, isFortranOrder: isFortranOrder, shape: shape)
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      position += 1
    }
  }

  /// The next byte that is not a white space, not consumed.
  private mutating func peek() throws(NumPyFileError) -> UInt8 {
    skipSpace()
    guard position < bytes.count else { throw .invalidHeader("it ends before its dictionary does") }
    return bytes[position]
  }

  private mutating func skip(_ character: Unicode.Scalar) throws(NumPyFileError) -> Bool {
    guard try peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(NumPyFileError) {
    guard try skip(character) else { throw .invalidHeader("no '\(character)' at byte \(position)") }
  }

  /// A string in single or double quotes, without escapes: no valid header needs one.
  private mutating func string() throws(NumPyFileError) -> String {
    let quote = try peek()
    guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      throw .invalidHeader("no string at byte \(position)")
    }
    position += 1
    guard let end = bytes[position...].prefix(64).firstIndex(of: quote) else {
      throw .invalidHeader("a string that does not end, or is overlong")
    }
    defer { position = end + 1 }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  private mutating func elementType() throws(NumPyFileError) -> (
    NumPyElementType, isBigEndian: Bool
  ) {
    if try peek() == UInt8(ascii: "[") { throw .unsupportedType("of several fields") }
    let code = try string()
    guard let order = code.first, "<>|=".contains(order),
      let type = NumPyElementType(rawValue: String(code.dropFirst()))
    else { throw .unsupportedType("'\(code)'") }
    // '=' is the writer's own order; every platform this package is built for is little-endian.
    return (type, isBigEndian: order == ">")
  }

  private mutating func boolean() throws(NumPyFileError) -> Bool {
    _ = try peek()
    for (word, value) in [("True", true), ("False", false)]
    where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return value
    }
    throw .invalidHeader("'fortran_order' is neither True nor False")
  }

  private mutating func lengths() throws(NumPyFileError) -> [Int] {
    try expect("(")
    var lengths: [Int] = []
    while try !skip(")") {
      try lengths.append(length())
      // An overlong list ends here, before it takes memory.
      guard lengths.count <= 64 else { throw .invalidShape(lengths) }
      if try !skip(",") {
        try expect(")")
        // Python reads `(3)` as a number; NumPy refuses it as a shape.
        guard lengths.count > 1 else { throw .invalidHeader("'shape' is a number, not a tuple") }
        break
      }
    }
    return lengths
  }

  /// A whole number from 0, with the `L` that Python 2 wrote behind a long one.
  private mutating func length() throws(NumPyFileError) -> Int {
    let first = try peek()
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      throw .invalidHeader("no length at byte \(position)")
    }
    var value = 0
    while position < bytes.count, case let digit = bytes[position],
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
    {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
      guard !overflow, !carry else { throw .invalidHeader("a length of 2^63 or more") }
      value = sum
      position += 1
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: "L") { position += 1 }
    return value
  }
}
