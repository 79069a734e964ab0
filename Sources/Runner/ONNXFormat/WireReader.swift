import RunnerTensors

/// Reads protobuf's wire format from a stretch of a file, checking every length against its end.
///
/// Source: the Protocol Buffers documentation, "Encoding".
package struct WireReader {
  /// How a field's value is encoded.
  package enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case fixed32 = 5
  }

  /// How deep messages may lie in each other; a graph in a graph takes three levels.
  package static let maximumDepth = 64

  package let file: ModelFile
  package private(set) var position: Int
  package private(set) var end: Int
  private let depth: Int

  /// Reads the whole file.
  package init(_ file: ModelFile) {
    self.init(file: file, range: 0..<file.count, depth: 0)
  }

  /// Reads a stretch of a file that is known to lie in it.
  init(file: ModelFile, range: Range<Int>) {
    self.init(file: file, range: range, depth: 0)
  }

  private init(file: ModelFile, range: Range<Int>, depth: Int) {
    self.file = file
    self.position = range.lowerBound
    self.end = range.upperBound
    self.depth = depth
  }

  /// Whether everything was read.
  var isAtEnd: Bool { position >= end }

  /// The next field's number and encoding, or nil at the end.
  mutating func nextField() throws -> (number: Int, type: WireType)? {
    if isAtEnd { return nil }
    let start = position
    let key = try varint()
    guard let type = WireType(rawValue: key & 7), key >> 3 > 0, key >> 3 < 1 << 29 else {
      throw ModelError.malformed(reason: "byte \(start) is not the start of a field")
    }
    return (Int(key >> 3), type)
  }

  /// An integer of up to ten bytes of seven bits each.
  mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    let start = position
    while position < end {
      let byte = UInt64(file.base.load(fromByteOffset: position, as: UInt8.self))
      position += 1
      value |= (byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
      if shift >= 64 {
        throw ModelError.malformed(reason: "the number at byte \(start) is too long")
      }
    }
    throw truncated(at: start)
  }

  /// A signed integer, read whatever the field's type says, as long as it is a number.
  package mutating func integer(_ type: WireType) throws -> Int {
    guard type == .varint else { throw wrongType("an integer") }
    return Int(Int64(bitPattern: try varint()))
  }

  /// A 32-bit floating-point number.
  package mutating func float(_ type: WireType) throws -> Float {
    guard type == .fixed32 else { throw wrongType("a number") }
    return Float(bitPattern: try fixed(UInt32.self))
  }

  /// Bytes of a known length, by where they lie in the file.
  package mutating func bytes(_ type: WireType) throws -> Range<Int> {
    guard type == .lengthDelimited else { throw wrongType("bytes") }
    let start = position
    let length = try varint()
    guard length <= UInt64(end - position) else { throw truncated(at: start) }
    let range = position..<position + Int(length)
    position = range.upperBound
    return range
  }

  /// Text; bytes that are not UTF-8 are replaced.
  package mutating func string(_ type: WireType) throws -> String {
    let range = try bytes(type)
    return String(
      decoding: UnsafeRawBufferPointer(
        start: file.base + range.lowerBound, count: range.count), as: UTF8.self)
  }

  /// A reader of the message that is the field's value.
  package mutating func message(_ type: WireType) throws -> WireReader {
    let start = position
    let range = try bytes(type)
    guard depth < Self.maximumDepth else {
      throw ModelError.malformed(
        reason: "messages at byte \(start) lie more than \(Self.maximumDepth) deep in each other")
    }
    return WireReader(file: file, range: range, depth: depth + 1)
  }

  /// Appends one integer, or a packed run of them.
  package mutating func integers(_ type: WireType, into values: inout [Int]) throws {
    if type == .varint { return values.append(try integer(type)) }
    var packed = WireReader(file: file, range: try bytes(type), depth: depth)
    while !packed.isAtEnd { values.append(Int(Int64(bitPattern: try packed.varint()))) }
  }

  /// Appends one 32-bit number, or a packed run of them.
  package mutating func floats(_ type: WireType, into values: inout [Float]) throws {
    if type == .fixed32 { return values.append(try float(type)) }
    var packed = WireReader(file: file, range: try bytes(type), depth: depth)
    values.reserveCapacity(values.count + (packed.end - packed.position) / 4)
    while !packed.isAtEnd { values.append(Float(bitPattern: try packed.fixed(UInt32.self))) }
  }

  /// Appends one 64-bit number, or a packed run of them.
  package mutating func doubles(_ type: WireType, into values: inout [Double]) throws {
    if type == .fixed64 { return values.append(Double(bitPattern: try fixed(UInt64.self))) }
    var packed = WireReader(file: file, range: try bytes(type), depth: depth)
    while !packed.isAtEnd { values.append(Double(bitPattern: try packed.fixed(UInt64.self))) }
  }

  /// Passes over a field nobody asked for.
  mutating func skip(_ type: WireType) throws {
    switch type {
    case .varint: _ = try varint()
    case .fixed64: _ = try fixed(UInt64.self)
    case .fixed32: _ = try fixed(UInt32.self)
    case .lengthDelimited: _ = try bytes(type)
    }
  }

  private mutating func fixed<Value: FixedWidthInteger & BitwiseCopyable>(
    _: Value.Type
  ) throws -> Value {
    let size = MemoryLayout<Value>.size
    guard end - position >= size else { throw truncated(at: position) }
    let value = file.base.loadUnaligned(fromByteOffset: position, as: Value.self)
    position += size
    return Value(littleEndian: value)
  }

  private func truncated(at start: Int) -> ModelError {
    .malformed(reason: "cut off: the field at byte \(start) reaches past byte \(end)")
  }

  private func wrongType(_ expected: String) -> ModelError {
    .malformed(reason: "the field before byte \(position) should be \(expected)")
  }
}
