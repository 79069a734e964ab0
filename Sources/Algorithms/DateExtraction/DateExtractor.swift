/// Finds every date in free text, such as the recognized text of a package.
///
/// ```swift
/// let match = DateExtractor().matches(in: "EXP: 12/31/2025")[0]
/// print(match.date, match.label == .expiry)  // 2025-12-31 true
/// let other = DateExtractor(order: .dayFirst).matches(in: "1/2/25")[0]
/// print(other.date, other.alternatives)  // 2025-02-01 [2025-01-02]
/// ```
///
/// It reads days with day, month and year, and months with their year (`12/2025`, `2025-12`,
/// `NOV 2024`). Days are in numbers (`12/31/2025`, `1-2-25`, `31.12.2025`, `2025-12-31`,
/// `20251231`) or with the name of the month (`15 NOV 2024`, `Nov 15, 2024`, `15NOV24`). The name
/// may be in English, German, French, Spanish or Italian, in full or short. A time may follow.
/// Dates that do not exist are not found, and neither are their parts.
///
/// Some forms are common in texts that are not dates, and count only after a label such as `EXP`:
///
/// - 12-2025, and 11/25, which also counts if it is alone on its line
/// - numbers with spaces between them, and six digits together
/// - a month's name with a year of two digits
/// - days of the year (`MFG 25365`, `2025-365`)
///
/// `1.2.25` counts after a label, with two digits for day and month, or if dots are usual.
///
/// Text recognition confuses some letters with digits (O and 0, I, l or | and 1, B and 8, S and 5).
/// These letters are read as digits if at least half of all characters are digits, each number has
/// a digit, and there is a label or a year of four digits. Digits in a month's name are corrected
/// too (`N0V`).
///
/// A label may be in the 32 characters before a date, up to two lines above. If labels are side by
/// side (`MFG EXP`), the dates after or below them take them in order.
public struct DateExtractor: Hashable, Sendable {
  /// The order of dates where the text comes from, which decides the meaning of `1/2/25`.
  ///
  /// If a text is not a date in this order, it is read in another one: `31/12/2025` is always the
  /// last day of the year.
  public var order: DateOrder

  /// The first of the hundred years for two digits, 1...9900; other values become the nearer end.
  ///
  /// The default, 1969, is that of POSIX and of Python: 69 is 1969, and 68 is 2068. If dates are
  /// after a known day, its year minus about 20 is a better value.
  public var firstTwoDigitYear: Int {
    didSet { firstTwoDigitYear = Self.clamped(firstTwoDigitYear) }
  }

  /// The possible years of four digits; other numbers are not years.
  ///
  /// Two digits are a year of the hundred that starts with ``firstTwoDigitYear``, even outside this
  /// range.
  public var years: ClosedRange<Int>

  /// Whether letters that look like digits are read as digits.
  public var repairsMisreadings: Bool

  /// Makes an extractor.
  public init(
    order: DateOrder = .monthFirst, firstTwoDigitYear: Int = 1969,
    years: ClosedRange<Int> = 1900...2199, repairsMisreadings: Bool = true
  ) {
    self.order = order
    self.firstTwoDigitYear = Self.clamped(firstTwoDigitYear)
    self.years = years
    self.repairsMisreadings = repairsMisreadings
  }

  /// All dates of the text, in its order.
  ///
  /// - Complexity: O(length of the text).
  public func matches(in text: String) -> [DateMatch] {
    var scan = DateScan(FoldedText(text), self)
    scan.run()
    return scan.matches
  }

  /// The dates of several lines of text, separately for each line, with ranges in that line.
  ///
  /// A label also counts for the line below. Lines that contain line breaks are not split.
  public func matches(inLines lines: [String]) -> [[DateMatch]] {
    var results = [[DateMatch]](repeating: [], count: lines.count)
    var starts: [Int] = []
    var end = 0
    for line in lines {
      starts.append(end)
      end += line.utf8.count + 1
    }
    var line = 0
    for match in matches(in: lines.joined(separator: "\n")) {
      while line + 1 < starts.count, starts[line + 1] <= match.utf8Range.lowerBound { line += 1 }
      results[line].append(match.moved(by: -starts[line]))
    }
    return results
  }

  /// The year for two digits.
  func year(ofTwoDigits number: Int) -> Int {
    let first = firstTwoDigitYear
    let offset = (number - first % 100 + 200) % 100
    return first + offset
  }

  private static func clamped(_ year: Int) -> Int { min(max(year, 1), 9900) }
}

extension DateMatch {
  /// The match in a text with another start.
  fileprivate func moved(by offset: Int) -> DateMatch {
    DateMatch(
      date: date, label: label,
      utf8Range: utf8Range.lowerBound + offset..<utf8Range.upperBound + offset, notation: notation,
      isAmbiguous: isAmbiguous, alternatives: alternatives, repairs: repairs)
  }
}
