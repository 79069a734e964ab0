/// A day, or a whole month, of the Gregorian calendar.
///
/// Every value is a date that exists: there is no 31 February, no month 13, and no 29 February of a
/// common year. Days and months are not counted from zero, and there is no time zone.
public struct CalendarDate: Hashable, Sendable {
  /// The year, 1...9999.
  public let year: Int
  /// The month, 1...12.
  public let month: Int
  /// The day of the month, from 1 on; nil if only the month is known.
  public let day: Int?

  /// Makes a date, or nil if the date does not exist.
  public init?(year: Int, month: Int, day: Int? = nil) {
    guard let length = Self.length(ofMonth: month, year: year) else { return nil }
    if let day, !(1...length).contains(day) { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Makes a date from a year and its day, counted from 1, or nil if the year has no such day.
  public init?(year: Int, dayOfYear: Int) {
    guard dayOfYear >= 1 else { return nil }
    var day = dayOfYear
    for month in 1...12 {
      guard let length = Self.length(ofMonth: month, year: year) else { return nil }
      if day <= length {
        self.init(year: year, month: month, day: day)
        return
      }
      day -= length
    }
    return nil
  }

  /// The number of days in a month; nil if there is no such month in 1...9999.
  public static func length(ofMonth month: Int, year: Int) -> Int? {
    guard (1...9999).contains(year) else { return nil }
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: return 31
    case 4, 6, 9, 11: return 30
    case 2: return isLeap(year) ? 29 : 28
    default: return nil
    }
  }

  /// Whether a year has a 29 February, by the rules of 1582.
  public static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// The date itself, or the last day of the month: the last day of a product that is good until
  /// then.
  public var lastDay: CalendarDate {
    if day != nil { return self }
    let length = Self.length(ofMonth: month, year: year)
    return CalendarDate(year: year, month: month, day: length) ?? self
  }
}

extension CalendarDate: Comparable {
  /// Orders by time; a whole month goes before its days.
  public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day ?? 0) < (right.year, right.month, right.day ?? 0)
  }
}

extension CalendarDate: LosslessStringConvertible, Codable {
  /// The date in ISO 8601: `2025-12-31`, and `2025-12` for a month.
  public var description: String {
    func padded(_ number: Int, to length: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: length - digits.utf8.count) + digits
    }
    let start = padded(year, to: 4) + "-" + padded(month, to: 2)
    return day.map { start + "-" + padded($0, to: 2) } ?? start
  }

  /// Reads the exact output of ``description``, and nothing else.
  public init?(_ description: String) {
    let fields = description.utf8.split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard (2...3).contains(fields.count),
      zip(fields, [4, 2, 2]).allSatisfy({ field, length in
        field.count == length && field.allSatisfy { (0x30...0x39).contains($0) }
      })
    else { return nil }
    let numbers = fields.map { $0.reduce(0) { $0 * 10 + Int($1) - 0x30 } }
    self.init(year: numbers[0], month: numbers[1], day: numbers.count > 2 ? numbers[2] : nil)
  }

  /// Reads the text of ``description``; any other text is `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let date = CalendarDate(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\"\(text)\" is not a date; right would be one like 2025-12-31 or 2025-12"
      )
    }
    self = date
  }

  /// Writes ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
