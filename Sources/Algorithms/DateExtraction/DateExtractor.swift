/// Finds every date in free text, such as what text recognition makes of a package.
///
/// ```swift
/// DateExtractor().matches(in: "EXP: 12/31/2025")
/// // one match: 2025-12-31, .expiry
/// DateExtractor(order: .dayFirst).matches(in: "1/2/25")
/// // 2025-02-01, alternatives 2025-01-02
/// ```
///
/// Read are days with all of day, month and year, in numbers (`12/31/2025`, `1-2-25`, `31.12.2025`,
/// `2025-12-31`, `20251231`) or with the month's name in English, German, French, Spanish or
/// Italian, in full or short (`15 NOV 2024`, `Nov 15, 2024`, `15NOV24`), and months with their year
/// (`12/2025`, `2025-12`, `NOV 2024`). A time may follow. Dates that do not exist are not found,
/// nor is a part of them.
///
/// Some forms are common in texts that mean no date, and count only behind a label such as `EXP`:
/// 12-2025, 11/25 (which also counts where nothing else stands on its line), numbers with spaces
/// between them, six digits together, a month's name with a year of two digits, and days of the
/// year (`MFG 25365`, `2025-365`). `1.2.25` counts behind a label, with two digits for day and
/// month, or where dots are usual.
///
/// Letters that text recognition takes for digits (O and 0, I, l or | and 1, B and 8, S and 5) are
/// read as digits where at least half of all are digits, and a label or a whole year, with a digit
/// in each number, makes it safe; so are digits in a month's name (`N0V`).
///
/// A label is looked for in the 32 characters before a date, up to two lines above. Where labels
/// stand side by side (`MFG EXP`), the dates behind or below them take them in order.
public struct DateExtractor: Hashable, Sendable {
  /// How dates are written where the text comes from, which decides what `1/2/25` means.
  ///
  /// What is not a date in this order is read in another one: `31/12/2025` is always the last day
  /// of the year.
  public var order: DateOrder

  /// The first of the hundred years that two digits stand for, 1...9900; others are taken for the
  /// nearer end.
  ///
  /// The default, 1969, is that of POSIX and of Python: 69 is 1969, and 68 is 2068. For dates ahead
  /// of a day that is known, its year less 20 or so tells more.
  public var firstTwoDigitYear: Int {
    didSet { firstTwoDigitYear = Self.clamped(firstTwoDigitYear) }
  }

  /// The years that four digits can mean; what is beyond them is not a year.
  ///
  /// Two digits are a year of the hundred that ``firstTwoDigitYear`` begins, be it one of these or
  /// not.
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
  /// O(length of the text).
  public func matches(in text: String) -> [DateMatch] {
    var scan = DateScan(FoldedText(text), self)
    scan.run()
    return scan.matches
  }

  /// The dates of several lines of text, for each line its own, with ranges in that line.
  ///
  /// A label counts for the line below too. Lines that hold line breaks are taken as they are.
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

  /// The year that two digits stand for.
  func year(ofTwoDigits number: Int) -> Int {
    let first = firstTwoDigitYear
    let offset = (number - first % 100 + 200) % 100
    return first + offset
  }

  private static func clamped(_ year: Int) -> Int { min(max(year, 1), 9900) }
}

extension DateMatch {
  /// The match in a text that begins elsewhere.
  fileprivate func moved(by offset: Int) -> DateMatch {
    DateMatch(
      date: date, label: label,
      utf8Range: utf8Range.lowerBound + offset..<utf8Range.upperBound + offset, notation: notation,
      isAmbiguous: isAmbiguous, alternatives: alternatives, repairs: repairs)
  }
}
