import DateExtraction
import FuzzSupport

extension Target {
  /// Dates in text: they lie in it one after the other, and line by line the same are found.
  static let dates = Target(
    "dates",
    seeds: {
      [
        "EXP: 12/31/2025", "1/2/25", "MFG EXP\n15 NOV 2024  15NOV2025", "best before end 12-2025",
        "2025-12-31T23:59:59Z", "MFG 25365", "N0V l5 2O24", "verfallsdatum 31.12.25 / 01.01.26",
        "BB/MA 20251231 LOT 12345", "\u{E0} consommer avant le 3 f\u{E9}vrier 2026", "2025-365",
      ].map { [0, 69] + Array($0.utf8) }
    }
  ) { bytes in
    var choices = Choices(bytes)
    let switches = choices.byte()
    let first = 1900 + Int(choices.byte())
    let extractor = DateExtractor(
      order: DateOrder.allCases[Int(switches % 3)], firstTwoDigitYear: first,
      years: switches & 8 == 0 ? 1900...2199 : 1...9999, repairsMisreadings: switches & 4 == 0)
    let text = String(decoding: choices.rest(), as: UTF8.self)

    let matches = extractor.matches(in: text)
    var end = 0
    for match in matches {
      expect(match.utf8Range.lowerBound >= end, "two dates lie in each other: \(matches)")
      end = match.utf8Range.upperBound
      expect(match.range(in: text) != nil, "\(match.utf8Range) is not in the text")
      for date in [match.date] + match.alternatives {
        expect(
          extractor.years.contains(date.year) || (first..<first + 100).contains(date.year),
          "\(date) is of no year that is asked for")
        expect(CalendarDate(date.description) == date, "\(date) is not read again")
      }
    }
    expect(end <= text.utf8.count, "a date ends behind the text")

    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let inLines = extractor.matches(inLines: lines)
    expect(inLines.count == lines.count, "\(inLines.count) answers for \(lines.count) lines")
    var start = 0
    var flat: [Range<Int>] = []
    for (line, matches) in zip(lines, inLines) {
      flat += matches.map { $0.utf8Range.lowerBound + start..<$0.utf8Range.upperBound + start }
      start += line.utf8.count + 1
    }
    expect(flat == matches.map(\.utf8Range), "in lines \(flat), in the text \(matches)")
  }
}
