/// One pass over a text that looks for a date at the start of every number and word.
///
/// The number of characters read from each place is bounded, so the pass is linear.
struct DateScan {
  let text: FoldedText
  let extractor: DateExtractor
  private(set) var matches: [DateMatch] = []
  private var labels = DateLabelQueue()
  /// The end of the last label, after which a date may follow without a blank.
  private(set) var lastLabelEnd = -1
  /// The end of the last date.
  private(set) var lastMatchEnd = -1

  init(_ text: FoldedText, _ extractor: DateExtractor) {
    self.text = text
    self.extractor = extractor
  }

  /// Finds all dates.
  mutating func run() {
    var place = 0
    while place < text.count {
      let character = text[place]
      if Fold.isDigit(character) {
        place = takeNumber(at: place)
      } else if Fold.isLetter(character) || character == UInt8(ascii: "|") {
        place = takeWord(at: place)
      } else {
        place += 1
      }
    }
  }

  /// Whether a date that begins here has a label.
  func isLabelled(_ start: Int) -> Bool { label(at: start) != nil }

  /// The label of a date that begins here.
  func label(at start: Int) -> DateLabel? { labels.label(at: start, in: text) }

  /// Reads a date that begins with a number, or skips the number.
  private mutating func takeNumber(at start: Int) -> Int {
    if let end = takeDate(at: start, [.numbers, .dayAndMonth, .monthFirst]) { return end }
    var end = start
    while Fold.isDigit(text[end]) { end += 1 }
    labels.sawNumber()
    return end
  }

  /// Reads a date that begins with a misread digit or a month, or a label, or skips the word.
  private mutating func takeWord(at start: Int) -> Int {
    let startsNumber = Fold.misread(text[start]) != nil && !Fold.isDigit(text[start - 1])
    if startsNumber, extractor.repairsMisreadings,
      let end = takeDate(at: start, [.numbers, .dayAndMonth], onlyRepaired: true)
    {
      return end
    }
    if let hit = labelPhrases.hit(
      in: text, at: start, repairing: extractor.repairsMisreadings)
    {
      if let label = hit.meaning {
        labels.add(label, end: hit.end)
        lastLabelEnd = hit.end
      }
      return hit.end
    }
    if let end = takeDate(at: start, [.monthFirst]) { return end }
    var end = start + 1
    while Fold.isLetter(text[end]) { end += 1 }
    return end
  }

  /// The possible beginnings of a date.
  private enum Beginning {
    case numbers, dayAndMonth, monthFirst
  }

  private func attempt(_ beginning: Beginning, at start: Int, repairing: Bool) -> DateAttempt {
    switch beginning {
    case .numbers: numeric(at: start, repairing: repairing)
    case .dayAndMonth: dayAndMonth(at: start, repairing: repairing)
    case .monthFirst: monthFirst(at: start, repairing: repairing)
    }
  }

  /// Tries forms of dates, first with the text unchanged, then with misread digits; returns the
  /// end.
  private mutating func takeDate(
    at start: Int, _ beginnings: [Beginning], onlyRepaired: Bool = false
  ) -> Int? {
    let ways = extractor.repairsMisreadings ? [false, true] : [false]
    for repairing in onlyRepaired ? [true] : ways {
      for beginning in beginnings {
        switch attempt(beginning, at: start, repairing: repairing) {
        case .none: continue
        case .impossible(let end):
          labels.take(end: end)
          return end
        case .found(let candidate):
          report(candidate)
          return candidate.range.upperBound
        }
      }
    }
    return nil
  }

  private mutating func report(_ candidate: DateCandidate) {
    let (start, end) = (candidate.range.lowerBound, candidate.range.upperBound)
    let label = label(at: start)
    if label != nil { labels.take(end: end) }
    lastMatchEnd = end
    matches.append(
      DateMatch(
        date: candidate.readings[0].date, label: label,
        utf8Range: text.utf8Range(candidate.range), notation: candidate.readings[0].notation,
        isAmbiguous: candidate.mayBeDay || candidate.readings.count > 1,
        alternatives: candidate.readings.dropFirst().map(\.date), repairs: candidate.repairs))
  }
}

/// The properties of a date's form that decide which characters may be beside it.
struct DateForm {
  /// The separator of the numbers; 0 for none, or the name of a month.
  var separator: UInt8 = 0
  /// Whether it has day, month and a year of four digits, which is enough to be a date beside
  /// letters.
  var isWhole = false
  /// Whether the year has four digits.
  var hasLongYear = false
  /// Whether it has day, month and year.
  var hasDay = true
  /// Whether the last number is not a year of four digits, and can be the hours of a time.
  var endsShort = false
}

extension DateScan {
  /// Whether a date may begin here, by the character before.
  func mayBegin(at start: Int, _ form: DateForm) -> Bool {
    let before = text[start - 1]
    if start == lastLabelEnd { return true }
    if Fold.isDigit(before) { return false }
    if Fold.isLetter(before) {
      // A single letter may be a digit.
      return form.isWhole && !(Fold.misread(before) != nil && !Fold.isLetter(text[start - 2]))
    }
    guard isNumberMark(before), Fold.isDigit(text[start - 2]) else { return true }
    return start - 1 == lastMatchEnd
  }

  /// Whether a date may end here, by the next characters.
  func mayEnd(at end: Int, _ form: DateForm, isLabelled: Bool) -> Bool {
    let (after, next) = (text[end], text[end + 1])
    if Fold.isDigit(after) { return false }
    if Fold.isLetter(after) {
      // A time in the form of ISO 8601.
      if after | 0x20 == UInt8(ascii: "t"), Fold.isDigit(next) { return true }
      if Fold.misread(after) != nil, !Fold.isLetter(next) { return false }
      return form.isWhole || isLabelled
    }
    if after == UInt8(ascii: "/"), !form.hasDay { return false }
    guard Fold.isDigit(next) else { return true }
    if after == UInt8(ascii: ":") { return !form.endsShort }
    guard isNumberMark(after) else { return true }
    if after == form.separator || after == UInt8(ascii: "/") { return false }
    // The dash between two dates.
    if after == UInt8(ascii: "-"), form.separator != 0 { return form.hasDay || form.hasLongYear }
    return form.isWhole
  }

  /// Whether numbers continue after it.
  func isNumberMark(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ","): true
    default: false
    }
  }

  /// Whether letters may be read as digits.
  func areSafe(_ numbers: [DateNumber], month repairs: Int = 0, _ form: DateForm, isLabelled: Bool)
    -> Bool
  {
    let repaired = numbers.reduce(0) { $0 + $1.repairs }
    if repaired + repairs == 0 { return true }
    guard repaired * 2 <= numbers.reduce(0, { $0 + $1.count }) else { return false }
    return isLabelled
      || form.hasLongYear && form.hasDay && numbers.allSatisfy { $0.repairs < $0.count }
  }
}
