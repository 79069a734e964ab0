/// One pass over a text that looks for a date wherever a number or a word begins.
///
/// What is looked at from each place is bounded, which makes the pass linear.
struct DateScan {
  let text: FoldedText
  let extractor: DateExtractor
  private(set) var matches: [DateMatch] = []
  private var labels = DateLabelQueue()
  /// Behind the last label, where a date may follow without a blank.
  private(set) var lastLabelEnd = -1
  /// Behind the last date.
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

  /// Whether a label stands before a date that begins here.
  func isLabelled(_ start: Int) -> Bool { label(at: start) != nil }

  /// The label of a date that begins here.
  func label(at start: Int) -> DateLabel? { labels.label(at: start, in: text) }

  /// Takes a date that begins with a number, or passes over the number.
  private mutating func takeNumber(at start: Int) -> Int {
    if let end = takeDate(at: start, [.numbers, .dayAndMonth, .monthFirst]) { return end }
    var end = start
    while Fold.isDigit(text[end]) { end += 1 }
    labels.sawNumber()
    return end
  }

  /// Takes a date that begins with a misread digit or a month, or a label, or passes over the word.
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

  /// What a date can begin with.
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

  /// Tries forms of dates, as the text stands and then with misread digits, and says where what was
  /// found ends.
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

/// What a date's form is, as far as it decides what may stand beside it.
struct DateForm {
  /// What separates the numbers; 0 for none, or the name of a month.
  var separator: UInt8 = 0
  /// Whether day, month and a year of four digits are there: enough to be a date beside letters.
  var isWhole = false
  /// Whether the year has four digits.
  var hasLongYear = false
  /// Whether there are day, month and year.
  var hasDay = true
  /// Whether the last number is not a year of four digits, and can be a time's hours.
  var endsShort = false
}

extension DateScan {
  /// Whether a date may begin here, as far as the character before tells.
  func mayBegin(at start: Int, _ form: DateForm) -> Bool {
    let before = text[start - 1]
    if start == lastLabelEnd { return true }
    if Fold.isDigit(before) { return false }
    if Fold.isLetter(before) {
      // A letter by itself may be a digit.
      return form.isWhole && !(Fold.misread(before) != nil && !Fold.isLetter(text[start - 2]))
    }
    guard isNumberMark(before), Fold.isDigit(text[start - 2]) else { return true }
    return start - 1 == lastMatchEnd
  }

  /// Whether a date may end here, as far as the next characters tell.
  func mayEnd(at end: Int, _ form: DateForm, isLabelled: Bool) -> Bool {
    let (after, next) = (text[end], text[end + 1])
    if Fold.isDigit(after) { return false }
    if Fold.isLetter(after) {
      // A time, as ISO 8601 has it.
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

  /// Whether numbers go on behind it.
  func isNumberMark(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ","): true
    default: false
    }
  }

  /// Whether letters may be read as the digits they were.
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
