/// A date found in a text.
public struct DateMatch: Hashable, Sendable, Codable {
  /// The date.
  public let date: CalendarDate
  /// Its meaning by the words before it; nil if they do not say it.
  public let label: DateLabel?
  /// Its place: offsets into the text's UTF-8, without label and time.
  ///
  /// The range is from the first digit or letter of the date to the end of the last.
  public let utf8Range: Range<Int>
  /// The form in which it was read.
  public let notation: DateNotation
  /// Whether the text can also have another meaning.
  ///
  /// That is usually another date, which is one of ``alternatives``. There is none if a number
  /// after a month was read as a year of two digits and may be a day instead, as in
  /// `SELL BY NOV 24`: a day without a year is not a date.
  public let isAmbiguous: Bool
  /// The other possible dates of the text, the more likely first.
  public let alternatives: [CalendarDate]
  /// The number of letters read as digits, and of digits read as letters.
  public let repairs: Int

  /// The place of the match in the text where it was found; nil if the text is too short for it.
  public func range(in text: String) -> Range<String.Index>? {
    let bytes = text.utf8
    guard
      let start = bytes.index(
        bytes.startIndex, offsetBy: utf8Range.lowerBound, limitedBy: bytes.endIndex),
      let end = bytes.index(start, offsetBy: utf8Range.count, limitedBy: bytes.endIndex)
    else { return nil }
    return start..<end
  }
}

/// The form in which a date was read.
public struct DateNotation: Hashable, Sendable, Codable {
  /// The order of a date's parts.
  public enum Order: String, Hashable, Sendable, Codable, CaseIterable {
    /// Month, day, year.
    case monthDayYear
    /// Day, month, year.
    case dayMonthYear
    /// Year, month, day.
    case yearMonthDay
    /// Month and year.
    case monthYear
    /// Year and month.
    case yearMonth
    /// Year and day of the year, counted from 1, as in lot codes.
    case yearDayOfYear
  }

  /// The order of the parts.
  public let order: Order
  /// Whether the month is a word.
  public let hasMonthName: Bool
  /// Whether the year had two digits, so that its century comes from
  /// ``DateExtractor/firstTwoDigitYear``.
  public let hasShortYear: Bool
}

/// The meaning of a date on a product, by the words before it.
public enum DateLabel: String, Hashable, Sendable, Codable, CaseIterable {
  /// `EXP`, *expires*, *verfällt*, *caduca*, *scadenza*.
  case expiry
  /// *Best before*, *best by*, `BBE`, *mindestens haltbar bis*, *à consommer de préférence avant*.
  case bestBefore
  /// *Use by*, *zu verbrauchen bis*, *à consommer jusqu'au*, *da consumarsi entro*.
  case useBy
  /// *Sell by*, *display until*.
  case sellBy
  /// *Packed on*, `PKD`.
  case packed
  /// `MFG`, *produced*, *hergestellt am*.
  case manufactured
}
