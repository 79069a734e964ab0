import DateExtraction
import Foundation
import Testing

@Suite("Dates of the calendar")
struct CalendarDateTests {
  @Test("Every day of 1...9999 follows the one before, and there are as many as the calendar has")
  func everyDay() {
    var count = 0
    for year in 1...9999 {
      var ofYear = 0
      for month in 1...12 {
        for day in 0...32 {
          guard let date = CalendarDate(year: year, month: month, day: day) else { continue }
          count += 1
          ofYear += 1
          if CalendarDate(year: year, dayOfYear: ofYear) != date {
            Issue.record("day \(ofYear) of \(year) is not \(date)")
          }
        }
      }
      #expect(ofYear == (CalendarDate.isLeap(year) ? 366 : 365))
      if CalendarDate(year: year, dayOfYear: ofYear + 1) != nil {
        Issue.record("\(year) is too long")
      }
    }
    // datetime.date.max.toordinal() of Python.
    #expect(count == 3_652_059)
  }

  @Test(
    "What does not exist is not a date",
    arguments: [
      (2025, 2, 29), (1900, 2, 29), (2100, 2, 29), (2025, 2, 31), (2025, 4, 31), (2025, 6, 31),
      (2025, 9, 31), (2025, 11, 31), (2025, 13, 1), (2025, 0, 1), (2025, 1, 0), (2025, 1, 32),
      (2025, -1, 1), (2025, 1, -1), (0, 1, 1), (-1, 1, 1), (10000, 1, 1), (.max, .max, .max),
      (.min, .min, .min),
    ])
  func impossible(_ year: Int, _ month: Int, _ day: Int) {
    #expect(CalendarDate(year: year, month: month, day: day) == nil)
  }

  @Test("Days of the year outside it are none")
  func dayOfYear() {
    #expect(CalendarDate(year: 2025, dayOfYear: 0) == nil)
    #expect(CalendarDate(year: 2025, dayOfYear: 366) == nil)
    #expect(CalendarDate(year: 2024, dayOfYear: 366)?.description == "2024-12-31")
    #expect(CalendarDate(year: 2024, dayOfYear: .max) == nil)
    #expect(CalendarDate(year: 2024, dayOfYear: .min) == nil)
    #expect(CalendarDate(year: 0, dayOfYear: 1) == nil)
  }

  @Test(
    "A month lasts until its last day",
    arguments: [(2, 2024, "29"), (2, 2025, "28"), (12, 2025, "31")])
  func lastDay(_ month: Int, _ year: Int, _ day: String) throws {
    let date = try #require(CalendarDate(year: year, month: month))
    #expect(date.lastDay.description == date.description + "-" + day)
    #expect(date.lastDay.lastDay == date.lastDay)
    #expect(date < date.lastDay)
  }

  @Test("Dates sort by time, a month before its days")
  func order() throws {
    let texts = [
      "0001-01-01", "1999-12-31", "2025-01", "2025-01-01", "2025-01-31", "2025-02", "2026-01",
    ]
    let dates = try texts.map { try #require(CalendarDate($0)) }
    #expect(dates.reversed().sorted() == dates)
    #expect(dates.map(\.description) == texts)
  }

  @Test(
    "Only the form of ISO 8601 is read",
    arguments: [
      "", "2025", "2025-1", "2025-1-1", "2025-13", "2025-02-29", "20250101", "2025-01-01 ",
      "+2025-01-01",
      "2025-01-01-01", "-025-01-01", "0000-01-01", "２０２５-01-01", "2025/01/01", "2025--01",
    ])
  func strict(_ text: String) {
    #expect(CalendarDate(text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CalendarDate].self, from: JSONEncoder().encode([text]))
    }
  }

  @Test("As JSON it is its text", arguments: ["2025-12-31", "2025-12"])
  func json(_ text: String) throws {
    let date = try #require(CalendarDate(text))
    let data = try JSONEncoder().encode([date])
    #expect(String(decoding: data, as: UTF8.self) == "[\"\(text)\"]")
    #expect(try JSONDecoder().decode([CalendarDate].self, from: data) == [date])
  }
}
