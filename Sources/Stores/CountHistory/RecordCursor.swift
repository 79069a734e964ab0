import Foundation

/// Reads the bytes of a record, or of a page, one part after the other; nil if they end too early.
struct RecordCursor {
  private let bytes: [UInt8]
  private var place: Int

  init(_ bytes: [UInt8], at place: Int = 0) {
    self.bytes = bytes
    self.place = place
  }

  /// The next bytes.
  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, place <= bytes.count, count <= bytes.count - place else { return nil }
    defer { place += count }
    return Array(bytes[place..<(place + count)])
  }

  /// The next whole number of 1 to 9 bytes, seven bits in each but the ninth.
  mutating func variable() -> Int64? {
    var value: UInt64 = 0
    for count in 1...9 {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      if count == 9 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { break }
    }
    return Int64(bitPattern: value)
  }

  /// The values of a record ("Database File Format", section 2.1), or nil if it is not valid.
  static func values(ofRecord record: [UInt8]) -> [SQLValue]? {
    var header = RecordCursor(record)
    guard let length = header.variable(), length >= 1, length <= record.count else { return nil }
    var body = RecordCursor(record, at: Int(length))
    var values: [SQLValue] = []
    while header.place < length {
      guard let type = header.variable(), let value = body.value(ofType: type) else { return nil }
      values.append(value)
    }
    return values
  }

  private mutating func value(ofType type: Int64) -> SQLValue? {
    switch type {
    case 0: return .null
    case 1...6:
      let length = type < 5 ? Int(type) : type == 5 ? 6 : 8
      return bytes(length).map { .integer(Self.signed($0)) }
    case 7: return bytes(8).map { .real(Double(bitPattern: $0.bigEndian(at: 0, bytes: 8))) }
    case 8, 9: return .integer(type - 8)
    case 12...(1 << 21):
      guard let bytes = bytes(Int((type - 12) / 2)) else { return nil }
      return type % 2 == 0 ? .blob(Data(bytes)) : SQLValue(utf8: Data(bytes))
    default: return nil
    }
  }

  private static func signed(_ bytes: [UInt8]) -> Int64 {
    let unused = 64 - 8 * bytes.count
    let value = Int64(bitPattern: bytes.bigEndian(at: 0, bytes: bytes.count) << UInt64(unused))
    return value >> Int64(unused)
  }
}
