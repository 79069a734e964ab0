import DateExtraction
import Foundation
import TestSupport
import Testing

@Suite("Hostile texts, for dates")
struct HostileTests {
  private static let pieces = [
    "0", "1", "2", "3", "9", "12", "31", "25", "2025", "02", "29", "20", "/", "-", ".", " ", ":",
    ",",
    "'", "O", "l", "S", "B", "|", "T", "NOV", "DEC", "feb", "März", "de", "th", "EXP", "BB", "MFG ",
    "USE BY", "best before", "\n", "\r\n", "\t", "é", "e\u{301}", "３", "٣", "年", "🍪", "\u{0}",
    "\u{200B}",
    "–", "JN", "$", "(", "#",
  ]

  /// Everything that holds for matches of any text.
  private func check(_ matches: [DateMatch], in text: String, _ extractor: DateExtractor) {
    var last = 0
    for match in matches {
      #expect(match.utf8Range.lowerBound >= last && match.utf8Range.upperBound <= text.utf8.count)
      last = match.utf8Range.upperBound
      guard let range = match.range(in: text) else {
        Issue.record("a match beyond its text: \(match)")
        return
      }
      #expect(!match.alternatives.contains(match.date))
      #expect(Set(match.alternatives).count == match.alternatives.count)
      #expect(match.isAmbiguous || match.alternatives.isEmpty)
      #expect((match.date.day == nil) == [.monthYear, .yearMonth].contains(match.notation.order))
      let found = text[range]
      #expect(!found.contains("\n"))
      // Numbers alone: the date's parts stand there, in an order or another.
      let numbers = found.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
      guard match.repairs == 0, !match.notation.hasMonthName, numbers.count == 3,
        found.utf8.allSatisfy({ $0 < 0x80 })
      else { continue }
      let date = match.date
      let parts = [
        match.notation.hasShortYear ? date.year % 100 : date.year, date.month, date.day ?? 0,
      ]
      #expect(numbers.sorted() == parts.sorted(), "\(found)")
    }
    #expect(extractor.matches(in: text) == matches)
  }

  @Test("100,000 random texts of what dates are made of give dates that stand there")
  func fuzz() {
    var random = SeededGenerator(seed: 2025)
    var dates = 0
    for round in 0..<100_000 {
      func piece() -> String { Self.pieces[Int(random.next() % UInt64(Self.pieces.count))] }
      var text = (0..<random.next() % 14).map { _ in piece() }.joined()
      if round.isMultiple(of: 2) {
        // Something like a date, between other things.
        let separator = ["/", "-", ".", " ", "/", " / "][Int(random.next() % 6)]
        let numbers = (0..<2 + random.next() % 2).map { _ in
          ["1", "02", "12", "31", "30", "29", "25", "2025", "2024", "O1", "3l", "MAR"][
            Int(random.next() % 12)]
        }
        text = piece() + numbers.joined(separator: separator) + piece() + text
      }
      let extractor = DateExtractor(order: DateOrder.allCases[round % 3])
      let matches = extractor.matches(in: text)
      dates += matches.count
      if !matches.isEmpty { check(matches, in: text, extractor) }
    }
    // Else nothing was tried.
    #expect(dates > 5000)
  }

  @Test("Random bytes are text like any other")
  func bytes() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<5000 {
      let bytes = (0..<random.next() % 60).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let text = String(decoding: bytes, as: UTF8.self)
      check(DateExtractor().matches(in: text), in: text, DateExtractor())
    }
  }

  @Test("Every day of 40 years is found in every format, alone and in a sentence")
  func everyDay() {
    let months = [
      "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
    ]
    let extractor = DateExtractor(order: .dayFirst)
    for year in 2000..<2040 {
      for month in 1...12 {
        // Each month with a day that it has and the first that it has not.
        let length = CalendarDate.length(ofMonth: month, year: year) ?? 0
        for day in [1, 12, 13, length, length + 1] {
          let date = CalendarDate(year: year, month: month, day: day)
          let texts = [
            "\(day)/\(month)/\(year)", "\(day).\(month).\(year)",
            "\(day) \(months[month - 1]) \(year)",
            "\(months[month - 1]) \(day), \(year)", "\(year)-\(month)-\(day)",
          ]
          for text in texts {
            for sentence in [text, "Sold by us on \(text), and so on."] {
              let found = extractor.matches(in: sentence).map(\.date)
              let expected = [date].compactMap(\.self)
              if found != expected { Issue.record("\(sentence): \(found)") }
            }
          }
        }
      }
    }
  }

  @Test(
    "A megabyte of the same is read in time that grows with its length",
    arguments: [
      "1", "1 ", "1/", "12/", "12/31/", "12/31/2025", "EXP ", "EXP", "BEST ", "best before ", "l",
      "O|",
      "NOV", "NOV ", "NOV 1", "31 ", "15 NOV ", "2025 DEC ", "'", " ", "\n", "\u{301}", "é", "B",
      "8",
      "0CT ", "1st ", "de ", "12 May 15, ", "MFG EXP ", "EXP 12/25 ", "年", "٣", "A CONSOMMER ",
    ])
  func megabyte(_ piece: String) {
    // Time that grew with the square of it would be hours.
    let text = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
    let matches = DateExtractor().matches(in: text)
    let half = DateExtractor().matches(
      in: String(repeating: piece, count: (1 << 19) / piece.utf8.count))
    #expect(matches.count >= half.count)
    #expect(matches.prefix(half.count - min(half.count, 2)) == half.dropLast(2))
  }

  @Test("Many dates in one text are all found")
  func many() {
    let text = String(repeating: "EXP 12/31/2025\n", count: 50_000)
    let matches = DateExtractor().matches(in: text)
    #expect(matches.count == 50_000)
    #expect(matches.allSatisfy { $0.label == .expiry && $0.date.description == "2025-12-31" })
    #expect(matches.last?.utf8Range.upperBound == text.utf8.count - 1)
  }
}
