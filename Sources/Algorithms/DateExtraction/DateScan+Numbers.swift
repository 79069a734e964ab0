extension DateScan {
  /// A date that begins here and has only numbers.
  func numeric(at start: Int, repairing: Bool) -> DateAttempt {
    guard let first = text.number(at: start, most: 14, repairing: repairing) else { return .none }
    if first.count > 4 { return together(first, at: start) }
    guard first.count != 3, let separator = text.separator(at: first.end),
      let second = text.number(at: separator.end, most: 4, repairing: repairing)
    else { return .none }
    if let next = text.separator(at: second.end), next.kind == separator.kind,
      let third = text.number(at: next.end, most: 4, repairing: repairing)
    {
      let attempt = three([first, second, third], separator.kind, at: start)
      // Numbers after blanks need not belong together.
      guard case .none = attempt, separator.kind == 0x20 else { return attempt }
    }
    return two(first, second, separator.kind, at: start)
  }

  /// Three numbers: day, month and year.
  private func three(_ numbers: [DateNumber], _ separator: UInt8, at start: Int) -> DateAttempt {
    let (first, second, third) = (numbers[0], numbers[1], numbers[2])
    let hasLongYear = first.count == 4 || third.count == 4
    guard second.isShort, first.count == 4 ? third.isShort : third.count == 2 || third.count == 4
    else { return .none }
    let isLabelled = isLabelled(start)
    let form = DateForm(
      separator: separator, isWhole: hasLongYear && separator != 0x20, hasLongYear: hasLongYear,
      endsShort: third.count < 4)
    switch separator {
    case 0x20:
      guard isLabelled else { return .none }
    case UInt8(ascii: "."):
      // Numbers of versions and sections contain dots too.
      guard
        isLabelled || hasLongYear || extractor.order != .monthFirst
          || first.count == 2 && second.count == 2
      else { return .none }
    default: break
    }
    guard mayBegin(at: start, form), mayEnd(at: third.end, form, isLabelled: isLabelled),
      areSafe(numbers, form, isLabelled: isLabelled)
    else { return .none }
    let readings = extractor.readings(first, second, third)
    if readings.isEmpty { return separator == 0x20 ? .none : .impossible(end: third.end) }
    return found(readings, numbers, start..<third.end)
  }

  /// Two numbers: month and year, or year and day of the year.
  private func two(
    _ first: DateNumber, _ second: DateNumber, _ separator: UInt8, at start: Int
  ) -> DateAttempt {
    let isLabelled = isLabelled(start)
    let hasLongYear = first.count == 4 || second.count == 4
    let form = DateForm(
      separator: separator, hasLongYear: hasLongYear, hasDay: false, endsShort: second.count < 4)
    guard mayBegin(at: start, form), mayEnd(at: second.end, form, isLabelled: isLabelled),
      areSafe([first, second], form, isLabelled: isLabelled)
    else { return .none }
    let slash = UInt8(ascii: "/")
    var readings: [DateReading?] = []
    var mayBeDay = false
    switch (first.count, second.count) {
    case (...2, 4) where isLabelled || separator == slash:
      readings = [extractor.reading(.monthYear, year: second, month: first.value, day: nil)]
    case (4, ...2)
    where isLabelled
      || second.count == 2 && (separator == slash || separator == UInt8(ascii: "-")):
      readings = [extractor.reading(.yearMonth, year: first, month: second.value, day: nil)]
    case (4, 3) where isMade(start):
      readings = [dayOfYear(first, second.value)]
    case (...2, 2)
    where separator != 0x20 && (isLabelled || separator == slash && isAlone(start..<second.end)):
      let monthYear = extractor.reading(
        .monthYear, year: second, month: first.value, day: nil)
      mayBeDay = (1...31).contains(second.value)
      readings =
        extractor.order == .yearFirst
        ? [extractor.reading(.yearMonth, year: first, month: second.value, day: nil), monthYear]
        : [monthYear]
    default: break
    }
    let possible = DateExtractor.different(readings)
    return possible.isEmpty
      ? .none : found(possible, [first, second], start..<second.end, mayBeDay: mayBeDay)
  }

  /// One number that is a whole date.
  private func together(_ number: DateNumber, at start: Int) -> DateAttempt {
    let isLabelled = isLabelled(start)
    let form = DateForm(endsShort: true)
    guard mayBegin(at: start, form), mayEnd(at: number.end, form, isLabelled: isLabelled),
      number.repairs == 0 || isLabelled && number.repairs * 2 <= number.count
    else { return .none }
    var readings: [DateReading?] = []
    var end = number.end
    switch number.count {
    case 14:
      guard isTime(number.value % 1_000_000) else { return .none }
      readings = [date(number, [4, 2, 2, 6], .yearMonthDay)]
      end = start + 8
    case 8:
      readings = [date(number, [4, 2, 2], .yearMonthDay)]
      if isLabelled {
        let others = [
          date(number, [2, 2, 4], .monthDayYear), date(number, [2, 2, 4], .dayMonthYear),
        ]
        readings += extractor.order == .monthFirst ? others : others.reversed()
      }
    case 6 where isLabelled:
      readings = [date(number, [2, 4], .monthYear), date(number, [4, 2], .yearMonth)]
      readings += sixDigits(number)
    case 7 where isMade(start), 5 where isMade(start):
      let parts = parts(of: number, [number.count - 3, 3])
      readings = [dayOfYear(parts[0], parts[1].value)]
    default: break
    }
    let possible = DateExtractor.different(readings)
    return possible.isEmpty ? .none : found(possible, [number], start..<end)
  }

  /// Day, month and year of two digits each.
  ///
  /// Machines print the year first as well as the usual order. If the digits are a date with the
  /// year first, that is therefore another reading.
  private func sixDigits(_ number: DateNumber) -> [DateReading?] {
    let month = date(number, [2, 2, 2], .monthDayYear)
    let day = date(number, [2, 2, 2], .dayMonthYear)
    let year = date(number, [2, 2, 2], .yearMonthDay)
    switch extractor.order {
    case .yearFirst: return [year, day, month]
    case .monthFirst: return month == nil && day == nil ? [] : [month, day, year]
    case .dayFirst: return month == nil && day == nil ? [] : [day, month, year]
    }
  }

  /// The reading of digits without separators.
  private func date(
    _ number: DateNumber, _ lengths: [Int], _ order: DateNotation.Order
  ) -> DateReading? {
    let parts = parts(of: number, lengths)
    switch order {
    case .yearMonthDay:
      return extractor.reading(
        order, year: parts[0], month: parts[1].value, day: parts[2].value)
    case .monthDayYear:
      return extractor.reading(
        order, year: parts[2], month: parts[0].value, day: parts[1].value)
    case .dayMonthYear:
      return extractor.reading(
        order, year: parts[2], month: parts[1].value, day: parts[0].value)
    case .monthYear:
      return extractor.reading(order, year: parts[1], month: parts[0].value, day: nil)
    case .yearMonth:
      return extractor.reading(order, year: parts[0], month: parts[1].value, day: nil)
    case .yearDayOfYear: return dayOfYear(parts[0], parts[1].value)
    }
  }

  /// A number's digits in groups of the given lengths, whose sum is the number of digits.
  private func parts(of number: DateNumber, _ lengths: [Int]) -> [DateNumber] {
    var rest = number.value
    var parts: [DateNumber] = []
    for length in lengths.reversed() {
      let power = (0..<length).reduce(1) { power, _ in power * 10 }
      parts.append(DateNumber(value: rest % power, count: length, repairs: 0, end: number.end))
      rest /= power
    }
    return parts.reversed()
  }

  private func dayOfYear(_ year: DateNumber, _ day: Int) -> DateReading? {
    guard let (value, isShort) = extractor.year(year),
      let date = CalendarDate(year: value, dayOfYear: day)
    else { return nil }
    return DateReading(
      date: date,
      notation: DateNotation(order: .yearDayOfYear, hasMonthName: false, hasShortYear: isShort))
  }

  /// Whether a date that begins here is that of a lot; machines number lots by the days of a year.
  private func isMade(_ start: Int) -> Bool {
    let label = label(at: start)
    return label == .packed || label == .manufactured
  }

  /// Whether six digits are hours, minutes and seconds.
  private func isTime(_ digits: Int) -> Bool {
    digits / 10000 < 24 && digits / 100 % 100 < 60 && digits % 100 < 61
  }

  /// Whether a range has only a few marks beside it on its line.
  private func isAlone(_ range: Range<Int>) -> Bool {
    func isBare(_ places: some Sequence<Int>) -> Bool {
      for place in places {
        let character = text[place]
        if character == 0x0A { return true }
        if Fold.isDigit(character) || Fold.isLetter(character) { return false }
      }
      return false
    }
    let reach = 8
    return isBare((range.lowerBound - reach..<range.lowerBound).reversed())
      && isBare(range.upperBound..<range.upperBound + reach)
  }

  private func found(
    _ readings: [DateReading], _ numbers: [DateNumber], _ range: Range<Int>, mayBeDay: Bool = false
  ) -> DateAttempt {
    .found(
      DateCandidate(
        readings: readings, mayBeDay: mayBeDay, range: range,
        repairs: numbers.reduce(0) { $0 + $1.repairs }))
  }
}
