extension DateScan {
  /// A date that begins here with a number, followed by the name of a month.
  func dayAndMonth(at start: Int, repairing: Bool) -> DateAttempt {
    guard let first = text.number(at: start, most: 4, repairing: repairing), first.count != 3
    else { return .none }
    let isLabelled = isLabelled(start)
    var place = first.end
    if first.isShort { place = behindOrdinal(place) }
    place = text.gap(at: place).end
    let isSymbol: Bool
    let month: PhraseTable<Int>.Hit
    if let hit = monthNames.hit(in: text, at: place, repairing: repairing) {
      (month, isSymbol) = (hit, false)
    } else if isLabelled, first.count >= 2,
      let hit = monthSymbols.hit(in: text, at: place, repairing: false)
    {
      (month, isSymbol) = (hit, true)
    } else {
      return .none
    }
    let gap = text.gap(at: month.end)
    let last = text.number(at: gap.end, most: 4, repairing: repairing)
    if first.count == 4 || isSymbol {
      return yearMonth(first, month, last, at: start, isLabelled: isLabelled)
    }
    guard let last, last.count == 2 || last.count == 4, !isDayBeforeYear(last) else { return .none }
    let form = DateForm(
      isWhole: last.count == 4, hasLongYear: last.count == 4, endsShort: last.count < 4)
    guard
      isDate([first, last], month, form, start..<last.end, isLabelled: isLabelled)
    else { return .none }
    let dayFirst = extractor.reading(
      .dayMonthYear, year: last, month: month.meaning, day: first.value, named: true)
    let yearFirst = extractor.reading(
      .yearMonthDay, year: first, month: month.meaning, day: last.value, named: true)
    let readings = DateExtractor.different(
      extractor.order == .yearFirst ? [yearFirst, dayFirst] : [dayFirst])
    return attempt(readings, [first, last], month, start..<last.end)
  }

  /// A year, a month, and possibly a day.
  private func yearMonth(
    _ year: DateNumber, _ month: PhraseTable<Int>.Hit, _ day: DateNumber?, at start: Int,
    isLabelled: Bool
  ) -> DateAttempt {
    var form = DateForm(
      isWhole: year.count == 4, hasLongYear: year.count == 4, endsShort: true)
    if let day, day.isShort {
      guard isDate([year, day], month, form, start..<day.end, isLabelled: isLabelled)
      else { return .none }
      let reading = extractor.reading(
        .yearMonthDay, year: year, month: month.meaning, day: day.value, named: true)
      return attempt([reading].compactMap(\.self), [year, day], month, start..<day.end)
    }
    form.hasDay = false
    guard isLabelled, year.count == 4,
      isDate([year], month, form, start..<month.end, isLabelled: isLabelled),
      let reading = extractor.reading(
        .yearMonth, year: year, month: month.meaning, day: nil, named: true)
    else { return .none }
    return attempt([reading], [year], month, start..<month.end)
  }

  /// A date that begins here with the name of a month.
  func monthFirst(at start: Int, repairing: Bool) -> DateAttempt {
    guard let month = monthNames.hit(in: text, at: start, repairing: repairing) else {
      return .none
    }
    let gap = text.gap(at: month.end)
    guard let number = text.number(at: gap.end, most: 6, repairing: repairing) else { return .none }
    let isLabelled = isLabelled(start)
    if number.count == 4, extractor.years.contains(number.value) {
      return monthYear(month, number, at: start, isLabelled: isLabelled)
    }
    if number.count == 6 || number.count == 4 && isLabelled {
      // NOV152024: the day and the year together.
      let power = number.count == 6 ? 10000 : 100
      let day = DateNumber(
        value: number.value / power, count: 2, repairs: number.repairs, end: number.end)
      let year = DateNumber(
        value: number.value % power, count: number.count - 2, repairs: 0, end: number.end)
      return monthDayYear(month, day, year, at: start, isLabelled: isLabelled)
    }
    guard number.isShort else { return .none }
    let next = text.gap(at: behindOrdinal(number.end))
    let isJoined = ["-", "/", "'"].contains { next.marks.contains($0) }
    if next.end > number.end,
      let year = text.number(at: next.end, most: 4, repairing: repairing),
      year.count == 4 || year.count == 2 && (isLabelled || isJoined), !isTime(at: year.end)
    {
      return monthDayYear(month, number, year, at: start, isLabelled: isLabelled)
    }
    let hasApostrophe = gap.marks.contains("'")
    guard number.count == 2, isLabelled || hasApostrophe, behindOrdinal(number.end) == number.end
    else { return .none }
    return monthYear(
      month, number, at: start, isLabelled: isLabelled,
      mayBeDay: !hasApostrophe && (1...31).contains(number.value))
  }

  private func monthDayYear(
    _ month: PhraseTable<Int>.Hit, _ day: DateNumber, _ year: DateNumber, at start: Int,
    isLabelled: Bool
  ) -> DateAttempt {
    let form = DateForm(
      isWhole: year.count == 4, hasLongYear: year.count == 4, endsShort: year.count < 4)
    guard isDate([day, year], month, form, start..<year.end, isLabelled: isLabelled)
    else { return .none }
    let reading = extractor.reading(
      .monthDayYear, year: year, month: month.meaning, day: day.value, named: true)
    return attempt([reading].compactMap(\.self), [day, year], month, start..<year.end)
  }

  private func monthYear(
    _ month: PhraseTable<Int>.Hit, _ year: DateNumber, at start: Int, isLabelled: Bool,
    mayBeDay: Bool = false
  ) -> DateAttempt {
    let form = DateForm(hasLongYear: year.count == 4, hasDay: false, endsShort: year.count < 4)
    guard !followsDay(start),
      isDate([year], month, form, start..<year.end, isLabelled: isLabelled),
      let reading = extractor.reading(
        .monthYear, year: year, month: month.meaning, day: nil, named: true)
    else { return .none }
    return attempt([reading], [year], month, start..<year.end, mayBeDay: mayBeDay)
  }

  /// Whether the characters around a date and the repairs in it allow it to be one.
  private func isDate(
    _ numbers: [DateNumber], _ month: PhraseTable<Int>.Hit, _ form: DateForm, _ range: Range<Int>,
    isLabelled: Bool
  ) -> Bool {
    mayBegin(at: range.lowerBound, form)
      && mayEnd(at: range.upperBound, form, isLabelled: isLabelled)
      && areSafe(numbers, month: month.repairs, form, isLabelled: isLabelled)
  }

  private func attempt(
    _ readings: [DateReading], _ numbers: [DateNumber], _ month: PhraseTable<Int>.Hit,
    _ range: Range<Int>, mayBeDay: Bool = false
  ) -> DateAttempt {
    if readings.isEmpty { return .impossible(end: range.upperBound) }
    return .found(
      DateCandidate(
        readings: readings, mayBeDay: mayBeDay, range: range,
        repairs: numbers.reduce(month.repairs) { $0 + $1.repairs }))
  }

  /// The end of an ordinal number's ending, as in 15th, if there is one.
  private func behindOrdinal(_ place: Int) -> Int {
    ordinalEnds.hit(in: text, at: place, repairing: false)?.end ?? place
  }

  /// Whether two digits after a month are a day, because a year follows: 12 May 15, 2025.
  private func isDayBeforeYear(_ number: DateNumber) -> Bool {
    guard number.count == 2 else { return false }
    let gap = text.gap(at: number.end)
    guard gap.end > number.end,
      let year = text.number(at: gap.end, most: 4, repairing: false), year.count == 4,
      !(isNumberMark(text[year.end]) && Fold.isDigit(text[year.end + 1]))
    else { return false }
    return extractor.years.contains(year.value)
  }

  private func isTime(at end: Int) -> Bool {
    text[end] == UInt8(ascii: ":") && Fold.isDigit(text[end + 1])
  }

  /// Whether a number of one or two digits is before a month: a day that the month does not have.
  private func followsDay(_ start: Int) -> Bool {
    var place = start
    while place > start - 4, !Fold.isDigit(text[place - 1]), text[place - 1] != 0x0A { place -= 1 }
    guard Fold.isDigit(text[place - 1]), place != lastMatchEnd else { return false }
    return !(Fold.isDigit(text[place - 2]) && Fold.isDigit(text[place - 3]))
  }
}
