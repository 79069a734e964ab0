import DateExtraction
import Foundation
import Testing

@Suite("Settings of the extraction of dates")
struct SettingsTests {
  @Test(
    "The order follows from the locale",
    arguments: [
      ("en_US", DateOrder.monthFirst), ("en-US", .monthFirst), ("en", .monthFirst),
      ("es_PR", .monthFirst),
      ("fil_PH", .monthFirst), ("en_US@calendar=gregorian", .monthFirst),
      ("en_US.UTF-8", .monthFirst),
      ("en_GB", .dayFirst), ("de_DE", .dayFirst), ("de", .dayFirst), ("fr_FR", .dayFirst),
      ("es_ES", .dayFirst), ("it_IT", .dayFirst), ("es_MX", .dayFirst), ("pt_BR", .dayFirst),
      ("en_AU", .dayFirst), ("en_IN", .dayFirst), ("ru_RU", .dayFirst), ("zh_CN", .yearFirst),
      ("zh-Hant-TW", .yearFirst), ("zh_Hans", .yearFirst), ("ja_JP", .yearFirst),
      ("ko", .yearFirst),
      ("hu_HU", .yearFirst), ("sv_SE", .yearFirst), ("en_CA", .yearFirst), ("lt", .yearFirst),
      ("", .dayFirst), ("xx", .dayFirst), ("_", .dayFirst), ("@", .dayFirst),
      ("en_001", .monthFirst),
    ])
  func locale(_ identifier: String, _ order: DateOrder) {
    #expect(DateOrder(localeIdentifier: identifier) == order)
  }

  @Test(
    "Two digits are of the hundred years that the setting begins",
    arguments: [
      (1969, "68", 2068), (1969, "69", 1969), (1969, "00", 2000), (1969, "99", 1999),
      (2000, "00", 2000), (2000, "99", 2099), (2005, "04", 2104), (2005, "05", 2005),
      (1950, "49", 2049), (1950, "50", 1950), (1, "00", 100), (1, "01", 1),
      (Int.min, "01", 1), (Int.max, "00", 9900), (9900, "99", 9999),
    ])
  func pivot(_ first: Int, _ digits: String, _ year: Int) {
    var extractor = DateExtractor(firstTwoDigitYear: first)
    #expect(extractor.matches(in: "EXP 12/31/\(digits)").map(\.date.year) == [year])
    extractor = DateExtractor()
    extractor.firstTwoDigitYear = first
    #expect(extractor.matches(in: "EXP 12/31/\(digits)").map(\.date.year) == [year])
    #expect(extractor.matches(in: "31 DEC \(digits)").map(\.date.year) == [year])
  }

  @Test("The century that was assumed is told")
  func shortYear() {
    let matches = DateExtractor().matches(in: "12/31/25 12/31/2025 31 DEC 25 2025-12-31")
    #expect(matches.map(\.notation.hasShortYear) == [true, false, true, false])
    #expect(matches.map(\.notation.hasMonthName) == [false, false, true, false])
    #expect(
      matches.map(\.notation.order) == [.monthDayYear, .monthDayYear, .dayMonthYear, .yearMonthDay])
  }

  @Test(
    "How a date was read is told",
    arguments: [
      ("12/2025", DateNotation.Order.monthYear), ("2025-12", .yearMonth), ("NOV 2024", .monthYear),
      ("MFG 25365", .yearDayOfYear), ("31/12/2025", .dayMonthYear), ("Dec 31, 2025", .monthDayYear),
      ("EXP 2025 DEC", .yearMonth), ("2025 DEC 31", .yearMonthDay),
    ])
  func notation(_ text: String, _ order: DateNotation.Order) {
    #expect(DateExtractor().matches(in: text).map(\.notation.order) == [order])
  }

  @Test("Years outside the setting are no years")
  func years() {
    var extractor = DateExtractor()
    #expect(extractor.matches(in: "12/31/1899, 12/31/2200").isEmpty)
    #expect(extractor.matches(in: "12/31/1900, 12/31/2199").count == 2)
    extractor.years = 1500...1600
    #expect(extractor.matches(in: "12/31/1517").map(\.date.year) == [1517])
    #expect(extractor.matches(in: "12/31/2025").isEmpty)
    extractor.years = Int.min...Int.max
    #expect(
      extractor.matches(in: "12/31/0001 12/31/0000 12/31/9999").map(\.date.year) == [1, 9999])
  }

  @Test("Repairs can be turned off")
  func repairs() {
    let text = "EXP 12/3l/2025, 15 N0V 2024, 8EST 8EFORE"
    #expect(DateExtractor().matches(in: text).map(\.repairs) == [1, 1])
    #expect(DateExtractor(repairsMisreadings: false).matches(in: text).isEmpty)
  }

  @Test("Lines have their own dates, and labels count for the line below")
  func lines() throws {
    let lines = ["", "BEST BEFORE", "31/12/2025 é", "LOT 7", "é 12/2026 and 2027-01-31", ""]
    let found = DateExtractor().matches(inLines: lines)
    #expect(found.map(\.count) == [0, 0, 1, 0, 2, 0])
    #expect(found[2][0].label == .bestBefore)
    let ranges = try zip(lines, found).flatMap { line, matches in
      try matches.map { String(line[try #require($0.range(in: line))]) }
    }
    #expect(ranges == ["31/12/2025", "12/2026", "2027-01-31"])
    #expect(DateExtractor().matches(inLines: []).isEmpty)
    #expect(DateExtractor().matches(inLines: ["1\n2/2025", "12/2025"]).map(\.count) == [1, 1])
  }

  @Test("A range of another text is nil rather than a trap")
  func foreignRange() throws {
    let match = try #require(DateExtractor().matches(in: "EXP 12/2025").first)
    #expect(match.range(in: "EXP 12/2025").map { $0.isEmpty } == false)
    #expect(match.range(in: "EXP") == nil)
    #expect(match.range(in: "") == nil)
  }

  @Test("A match survives JSON")
  func json() throws {
    let matches = DateExtractor().matches(in: "Best by 1-2-25, EXP l2/31/2025")
    let data = try JSONEncoder().encode(matches)
    #expect(try JSONDecoder().decode([DateMatch].self, from: data) == matches)
  }
}
