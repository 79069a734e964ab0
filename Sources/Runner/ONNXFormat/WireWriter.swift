import RunnerTensors

/// Writes protobuf's wire format.
///
/// Source: the Protocol Buffers documentation, "Encoding".
package struct WireWriter {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Makes room, so that little is moved while more is written.
  package mutating func reserve(_ byteCount: Int) {
    bytes.reserveCapacity(byteCount)
  }

  /// An integer field; negative ones take ten bytes, as the format has it.
  package mutating func integer(_ field: Int, _ value: Int) {
    key(field, .varint)
    bytes += Self.varint(UInt64(bitPattern: Int64(value)))
  }

  /// A 32-bit floating-point field.
  package mutating func float(_ field: Int, _ value: Float) {
    key(field, .fixed32)
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 }
  }

  /// A field of text.
  package mutating func string(_ field: Int, _ value: String) {
    key(field, .lengthDelimited)
    bytes += Self.varint(UInt64(value.utf8.count))
    bytes += value.utf8
  }

  /// A field of bytes.
  package mutating func bytes(_ field: Int, _ value: UnsafeRawBufferPointer) {
    key(field, .lengthDelimited)
    bytes += Self.varint(UInt64(value.count))
    bytes += value
  }

  /// A field that is a message, which `body` writes.
  ///
  /// It is written in its place and its length put before it: a large one is not held twice.
  package mutating func message(
    _ field: Int, _ body: (inout WireWriter) throws -> Void
  ) rethrows {
    key(field, .lengthDelimited)
    let start = bytes.count
    try body(&self)
    bytes.insert(contentsOf: Self.varint(UInt64(bytes.count - start)), at: start)
  }

  /// A field as it lies in a file, its key included.
  package mutating func raw(_ field: RawField) {
    bytes += UnsafeRawBufferPointer(
      start: field.file.base + field.range.lowerBound, count: field.range.count)
  }

  private mutating func key(_ field: Int, _ type: WireReader.WireType) {
    bytes += Self.varint(UInt64(field) << 3 | type.rawValue)
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var rest = value
    var result: [UInt8] = []
    while rest >= 0x80 {
      result.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    result.append(UInt8(rest))
    return result
  }
}

/// A field of a message, whatever it holds, by where it lies in its file.
package struct RawField {
  /// The field's number.
  package let number: Int
  /// Key and value.
  package let range: Range<Int>
  /// The value without its key, and without its length if it has one.
  package let value: Range<Int>

  let file: ModelFile

  /// A reader of the value, if that is a message.
  package var message: WireReader { WireReader(file: file, range: value) }

  /// The fields of a message in their order.
  ///
  /// - Throws: ``ModelError/malformed(reason:)`` if the bytes are not a message.
  package static func all(of reader: WireReader) throws -> [RawField] {
    var reader = reader
    var fields: [RawField] = []
    var start = reader.position
    while let (number, type) = try reader.nextField() {
      let value: Range<Int>
      if type == .lengthDelimited {
        value = try reader.bytes(type)
      } else {
        let first = reader.position
        try reader.skip(type)
        value = first..<reader.position
      }
      fields.append(
        RawField(number: number, range: start..<reader.position, value: value, file: reader.file))
      start = reader.position
    }
    return fields
  }
}
