/// The word ISBN as text recognition reads it.
enum MisreadLabel {
  /// What each letter is read as, itself in both cases first.
  private static let readings: [StaticString] = ["IiLl1|!", "Ss5$", "Bb8E3", "NnM"]

  /// The end of the label that starts here, behind its 10 or 13; nil if none does.
  static func end(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    // The first character decides nearly always. The last of these begins a full-width letter.
    switch bytes[start] {
    case 0x49, 0x69, 0x4C, 0x6C, 0x31, 0x7C, 0x21, 0xEF: break
    default: return nil
    }
    var offset = start
    var exact = 0
    for (index, letters) in readings.enumerated() {
      // Old books print I.S.B.N.
      if index > 0, offset < bytes.count, bytes[offset] == 0x2E || bytes[offset] == 0x20 {
        offset += 1
      }
      var reader = ScalarReader(bytes, at: offset)
      guard let scalar = reader.next() else { return nil }
      let isFullWidth = scalar.value >= 0xFF01 && scalar.value <= 0xFF5E
      let value = isFullWidth ? scalar.value - 0xFEE0 : scalar.value
      guard let place = place(of: value, in: letters) else { return nil }
      if place < 2 { exact += 1 }
      offset = reader.offset
    }
    // "158N" is a number and a letter.
    guard exact >= 2 else { return nil }
    // "ISBNs" and the like.
    if offset < bytes.count, bytes[offset] | 0x20 == 0x73 { offset += 1 }
    return behindKind(in: bytes, at: offset)
  }

  /// The index of an ASCII character in a list of them.
  private static func place(of value: UInt32, in letters: StaticString) -> Int? {
    UnsafeBufferPointer(start: letters.utf8Start, count: letters.utf8CodeUnitCount)
      .firstIndex { UInt32($0) == value }
  }

  /// Passes over "-13", " 10:" and "(13)", which say what follows; not over the start of a number.
  private static func behindKind(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
    var reader = ScalarReader(bytes, at: start)
    var kind = 0
    var end = start
    while let scalar = reader.next(), end - start <= 16 {
      switch CodeCharacter(scalar) {
      case .digit(let digit) where kind < 10:
        kind = kind * 10 + Int(digit)
      case .dash where kind == 0, .space where kind == 0, .other(0x28) where kind == 0,
        .other(0x2E) where kind == 0:
        break
      case .digit:
        return start
      default:
        return kind == 10 || kind == 13 ? end : start
      }
      end = reader.offset
    }
    return start
  }
}
