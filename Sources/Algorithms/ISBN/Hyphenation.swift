/// The five elements of an ISBN-13, of which a printed ISBN's hyphens stand between.
public struct ISBNElements: Hashable, Sendable {
  let isbn: ISBN13
  /// The number of digits of the registration group.
  public let groupLength: Int
  /// The number of digits of the registrant, the publisher's.
  public let registrantLength: Int

  /// 978 or 979.
  public var prefix: String { digits(from: 0, count: 3) }
  /// The registration group: a language area, country or region.
  public var group: String { digits(from: 3, count: groupLength) }
  /// The registrant within the group, usually a publisher.
  public var registrant: String { digits(from: 3 + groupLength, count: registrantLength) }
  /// The edition among the registrant's.
  public var publication: String {
    digits(from: 3 + groupLength + registrantLength, count: 9 - groupLength - registrantLength)
  }
  /// The check digit.
  public var checkDigit: Int { isbn.checkDigit }

  private func digits(from start: Int, count: Int) -> String {
    String(isbn.description.dropFirst(start).prefix(count))
  }
}

/// A registration group: the language area, country or region of ISBNs with the same start.
public struct RegistrationGroup: Hashable, Sendable {
  /// 978 or 979.
  public let prefix: Int
  /// One to five digits; "3" is the German language, "600" Iran.
  public let identifier: String
  /// The group's name as the International ISBN Agency spells it.
  public let name: String

  /// The day of the range message that the tables here were made from, as year-month-day.
  ///
  /// Numbers handed out later hyphenate only after an update; validation doesn't depend on it.
  public static var tableDate: String { RegistrationRanges.date }
}

extension ISBN13 {
  /// The elements of this number, by the agency's ranges; nil if the range is not assigned.
  ///
  /// O(log n) in the number of ranges (some 1,800); nothing is allocated.
  public var elements: ISBNElements? {
    let range = RegistrationRange(holding: number)
    guard range.registrantLength > 0 else { return nil }
    return ISBNElements(
      isbn: self, groupLength: range.groupLength, registrantLength: range.registrantLength)
  }

  /// The registration group, or nil if the number is in none.
  public var group: RegistrationGroup? {
    let range = RegistrationRange(holding: number)
    guard range.groupLength > 0 else { return nil }
    return RegistrationGroup(
      prefix: Int(number / 10_000_000_000),
      identifier: String(description.dropFirst(3).prefix(range.groupLength)), name: range.name)
  }

  /// The number as it is printed, such as 978-0-306-40615-7; nil if the agency has assigned the
  /// range to no registrant, so that the hyphens have no places.
  public var hyphenated: String? {
    let range = RegistrationRange(holding: number)
    guard range.registrantLength > 0 else { return nil }
    return String(unsafeUninitializedCapacity: 17) { buffer in
      write(number, digits: 13, hyphensAfter: range.boundaries(from: 3), into: buffer)
      return 17
    }
  }
}

extension ISBN10 {
  /// The number as it is printed, such as 0-306-40615-2; nil if the agency has assigned the range
  /// to no registrant.
  public var hyphenated: String? {
    let range = RegistrationRange(holding: isbn13.number)
    guard range.registrantLength > 0 else { return nil }
    let check = CheckDigit.isbn10(of: body)
    return String(unsafeUninitializedCapacity: 13) { buffer in
      write(UInt64(body) * 10, digits: 10, hyphensAfter: range.boundaries(from: 0), into: buffer)
      buffer[12] = check == 10 ? 0x58 : UInt8(0x30 + check)
      return 13
    }
  }
}

extension AnyISBN {
  /// The number as it is printed, in the length it was written in; nil if its range is unassigned.
  public var hyphenated: String? {
    switch self {
    case .isbn10(let isbn): return isbn.hyphenated
    case .isbn13(let isbn): return isbn.hyphenated
    }
  }
}

/// Writes ASCII digits with a hyphen after each count of digits whose bit is set.
func write(
  _ number: UInt64, digits: Int, hyphensAfter boundaries: UInt32,
  into buffer: UnsafeMutableBufferPointer<UInt8>
) {
  var rest = number
  var place = digits + boundaries.nonzeroBitCount
  for count in stride(from: digits, to: 0, by: -1) {
    if boundaries & (1 << UInt32(count)) != 0 {
      place -= 1
      buffer[place] = 0x2D
    }
    place -= 1
    buffer[place] = UInt8(0x30 + rest % 10)
    rest /= 10
  }
}

/// One row of the table of ranges.
struct RegistrationRange {
  let groupLength: Int
  let registrantLength: Int
  private let nameIndex: Int

  /// Finds the range of a valid ISBN-13.
  init(holding number: UInt64) {
    let entry = RegistrationRanges.entries.withUnsafeBufferPointer { entries -> UInt64 in
      // The last entry that starts no later than the number's first twelve digits. The fields
      // behind the start stay below 10^5.
      let limit = number / 10 * 100_000 + 99_999
      var low = 0
      var count = entries.count
      while count > 1 {
        let half = count / 2
        // Without a branch that depends on the data: which half is a coin toss.
        low = entries[low + half] <= limit ? low + half : low
        count -= half
      }
      return entries[low]
    }
    groupLength = Int(entry / 10_000 % 10)
    registrantLength = Int(entry / 1000 % 10)
    nameIndex = Int(entry % 1000)
  }

  var name: String { RegistrationRanges.names[nameIndex] }

  /// The counts of digits that a hyphen follows, as bits; `start` digits are the EAN prefix.
  func boundaries(from start: Int) -> UInt32 {
    var bits: UInt32 = start > 0 ? 1 << UInt32(start) : 0
    bits |= 1 << UInt32(start + groupLength)
    bits |= 1 << UInt32(start + groupLength + registrantLength)
    bits |= 1 << UInt32(start + 9)
    return bits
  }
}
