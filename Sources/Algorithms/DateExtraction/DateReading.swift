/// One possible date of a place in a text.
struct DateReading {
  let date: CalendarDate
  let notation: DateNotation
}

/// All possible dates of a place in a text.
struct DateCandidate {
  /// The dates, the more likely first: at least one, and all different.
  let readings: [DateReading]
  /// Whether the assumed year can be a day.
  var mayBeDay = false
  let range: Range<Int>
  let repairs: Int
}

/// The result of looking for a date at a place.
enum DateAttempt {
  /// There is no form of a date.
  case none
  /// There is a form of a date up to `end`, but the date does not exist.
  case impossible(end: Int)
  /// There is a date.
  case found(DateCandidate)
}

extension DateExtractor {
  /// The year that a number means, and whether it had two digits.
  func year(_ number: DateNumber) -> (value: Int, isShort: Bool)? {
    switch number.count {
    case 2: (year(ofTwoDigits: number.value), true)
    case 4: years.contains(number.value) ? (number.value, false) : nil
    default: nil
    }
  }

  /// A day's reading, if the day exists.
  func reading(
    _ order: DateNotation.Order, year: DateNumber, month: Int, day: Int?, named: Bool = false
  ) -> DateReading? {
    guard let (value, isShort) = self.year(year),
      let date = CalendarDate(year: value, month: month, day: day)
    else { return nil }
    return DateReading(
      date: date,
      notation: DateNotation(order: order, hasMonthName: named, hasShortYear: isShort))
  }

  /// The readings of three numbers, by the configured order first, then by the others.
  ///
  /// A year of two digits comes first only if that is the order. 31/12/25 is clear in regions with
  /// the day first, and 31/02/25 is not a date, rather than one of 2031.
  func readings(_ first: DateNumber, _ second: DateNumber, _ third: DateNumber) -> [DateReading] {
    let yearFirst = reading(
      .yearMonthDay, year: first, month: second.value, day: third.value)
    if first.count == 4 { return Self.different([yearFirst]) }
    let monthFirst = reading(
      .monthDayYear, year: third, month: first.value, day: second.value)
    let dayFirst = reading(.dayMonthYear, year: third, month: second.value, day: first.value)
    switch order {
    case .monthFirst: return Self.different([monthFirst, dayFirst])
    case .dayFirst: return Self.different([dayFirst, monthFirst])
    case .yearFirst: return Self.different([yearFirst, dayFirst, monthFirst])
    }
  }

  /// The readings that are possible and differ.
  static func different(_ readings: [DateReading?]) -> [DateReading] {
    var result: [DateReading] = []
    for case let reading? in readings where !result.contains(where: { $0.date == reading.date }) {
      result.append(reading)
    }
    return result
  }
}
