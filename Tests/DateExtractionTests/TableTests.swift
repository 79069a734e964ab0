import DateExtraction
import Foundation
import TestSupport
import Testing

/// A line of the table that `Fixtures/generate/date_extraction.py` writes.
struct DateRow: CustomTestStringConvertible, Sendable {
  let orders: [DateOrder]
  let text: String
  /// What is expected, as `DateMatch.summary` has it.
  let expected: [String]
  let testDescription: String

  init(_ line: Substring) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    let byLetter: [String: DateOrder] = ["M": .monthFirst, "D": .dayFirst, "Y": .yearFirst]
    orders = byLetter[fields[0]].map { [$0] } ?? DateOrder.allCases
    testDescription = String(line)
    let marked = fields[1].replacingOccurrences(of: "\\n", with: "\n")
    var marks = marked.components(separatedBy: "«")
    var text = marks.removeFirst()
    var ranges: [Range<Int>] = []
    for part in marks {
      let (date, rest) = (
        part.components(separatedBy: "»")[0], part.components(separatedBy: "»")[1]
      )
      ranges.append(text.utf8.count..<text.utf8.count + date.utf8.count)
      text += date + rest
    }
    self.text = text
    let dates = fields[2] == "-" ? [] : fields[2].components(separatedBy: "; ")
    precondition(dates.count == ranges.count, "\(line)")
    expected = zip(dates, ranges).map { "\($0) @\($1)" }
  }

  static let all: [DateRow] = {
    let file = Folders.goldens.appendingPathComponent("DateExtraction/dates.tsv")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { DateRow($0) }
  }()
}

extension DateMatch {
  /// All that the table tells of a match.
  var summary: String {
    var words = [date.description]
    if let label { words.append(label.rawValue) }
    words += alternatives.map { "~\($0)" }
    if isAmbiguous, alternatives.isEmpty { words.append("?") }
    if repairs > 0 { words.append("r\(repairs)") }
    return words.joined(separator: " ") + " @\(utf8Range)"
  }
}

@Suite("The table of dates in text")
struct TableTests {
  @Test(
    "Every row has the dates that are expected, in the place where they stand",
    arguments: DateRow.all)
  func row(_ row: DateRow) {
    for order in row.orders {
      let found = DateExtractor(order: order).matches(in: row.text)
      #expect(found.map(\.summary) == row.expected, "\(order)")
      for match in found {
        #expect(match.isAmbiguous || match.alternatives.isEmpty)
      }
    }
  }

  @Test("The table is there, and large enough")
  func size() {
    #expect(DateRow.all.count >= 300)
    #expect(DateRow.all.filter { $0.expected.isEmpty }.count >= 100)
    #expect(Set(DateRow.all.map(\.testDescription)).count == DateRow.all.count)
  }
}
