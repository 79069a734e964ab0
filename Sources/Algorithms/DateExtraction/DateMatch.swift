/// One date found in a text.
public struct DateMatch: Hashable, Sendable, Codable {
  /// The date.
  public let date: CalendarDate
  /// What the words before it say it is; nil if none do.
  public let label: DateLabel?
  /// Where it stands: offsets into the text's UTF-8, from the first digit or letter of the date to
  /// behind the last, without label and time.
  public let utf8Range: Range<Int>
  /// How it was read.
  public let notation: DateNotation
  /// Whether the text can also mean something else.
  ///
  /// Mostly another date, which is one of ``alternatives``. There is none if a number behind a
  /// month was taken for a year of two digits and may be a day instead, as in `SELL BY NOV 24`: a
  /// day without a year is not a date.
  public let isAmbiguous: Bool
  /// The other dates that the text can mean, likelier ones first.
  public let alternatives: [CalendarDate]
  /// How many letters were read as digits, and digits as letters.
  public let repairs: Int

  /// Where the match stands in the text it was found in; nil for any other text too short for it.
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

/// How a date was read.
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
  /// Whether the year had two digits, and its century comes from
  /// ``DateExtractor/firstTwoDigitYear``.
  public let hasShortYear: Bool
}

/// What a date on a product is, by the words before it.
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
