/// A number in a text: a part of a date, or a whole date.
struct DateNumber {
  let value: Int
  /// The number of its digits.
  let count: Int
  /// The number of digits that are misread letters.
  let repairs: Int
  let end: Int

  /// Whether it can be a day or a month.
  var isShort: Bool { count <= 2 }
}

extension FoldedText {
  /// The number that begins here, if it has at most `most` digits.
  func number(at start: Int, most: Int, repairing: Bool) -> DateNumber? {
    var place = start
    var value = 0
    var repairs = 0
    while true {
      let character = self[place]
      if Fold.isDigit(character) {
        value = value * 10 + Int(character) - 0x30
      } else if repairing, let digit = Fold.misread(character) {
        value = value * 10 + digit
        repairs += 1
      } else {
        break
      }
      place += 1
      if place - start > most { return nil }
    }
    guard place > start else { return nil }
    return DateNumber(value: value, count: place - start, repairs: repairs, end: place)
  }

  /// The separator between two numbers of a date.
  func separator(at start: Int) -> (kind: UInt8, end: Int)? {
    let place = blanks(at: start)
    switch self[place] {
    case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."):
      return (self[place], blanks(at: place + 1))
    default:
      return place > start ? (0x20, place) : nil
    }
  }

  /// The end of up to two blanks.
  private func blanks(at start: Int) -> Int {
    var place = start
    while place < start + 2, self[place] == 0x20 { place += 1 }
    return place
  }

  /// The end of the gap between a number and the name of a month, and the characters in it.
  func gap(at start: Int) -> (marks: GapMarks, end: Int) {
    var seen = GapMarks()
    var place = skipMarks(at: start, &seen)
    if let word = joiningWords.hit(in: self, at: place, repairing: false) {
      place = skipMarks(at: word.end, &seen)
    }
    return (seen, place)
  }

  private func skipMarks(at start: Int, _ seen: inout GapMarks) -> Int {
    var place = start
    while place < start + 3 {
      switch self[place] {
      case 0x20, UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: ","),
        UInt8(ascii: "'"):
        seen.insert(self[place])
        place += 1
      default: return place
      }
    }
    return place
  }
}

/// The set of marks in a gap.
struct GapMarks {
  private var bits: UInt64 = 0

  /// Adds an ASCII character from the blank to the question mark.
  mutating func insert(_ mark: UInt8) { bits |= 1 << UInt64(mark &- 0x20) }

  /// Whether the character was added.
  func contains(_ mark: Unicode.Scalar) -> Bool { bits >> UInt64(mark.value &- 0x20) & 1 == 1 }
}
