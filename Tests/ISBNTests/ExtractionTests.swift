import Foundation
import TestSupport
import Testing

@testable import ISBN

/// ISBNs found in texts, and what looks like them and is none.
@Suite struct ExtractionTests {
  static let written: [(text: String, isbns: [String])] = [
    // Plain and labelled.
    ("ISBN 978-0-306-40615-7", ["9780306406157"]),
    ("ISBN-13: 978-0-306-40615-7, ISBN-10: 0-306-40615-2", ["9780306406157", "0306406152"]),
    ("ISBN-10 0 306 40615 2 (pbk.)", ["0306406152"]),
    ("0-8044-2957-X", ["080442957X"]),
    ("ISBN 0 8044 2957 X.", ["080442957X"]),
    ("I.S.B.N. 3-16-148410-X", ["316148410X"]),
    ("(9783161484100)", ["9783161484100"]),
    ("ISBN9783161484100Printed in Germany", ["9783161484100"]),
    ("书号：ISBN 978-7-302-27328-8定价", ["9787302273288"]),
    ("ＩＳＢＮ９７８－４－１４－９５５８０４－２", ["9784149558042"]),
    ("isbn.org/dp/0306406152/ref", ["0306406152"]),
    (
      "ISBNs 0-306-40615-2, 0-8044-2957-X, 3-16-148410-X",
      ["0306406152", "080442957X", "316148410X"]
    ),
    ("e-ISBN: 978 3 16 148410 0", ["9783161484100"]),
    // The two lines under and over the bars.
    ("ISBN 978-0-306-40615-7\n9 780306 406157\n51495", ["9780306406157", "9780306406157"]),
    ("9 780306 406157 >", ["9780306406157"]),
    ("9 780306 406157 90000", ["9780306406157"]),
    // Separators as text recognition leaves them.
    ("978-0-306-\n40615-7", ["9780306406157"]),
    ("ISBN 978 - 0 - 306 - 40615 - 7", ["9780306406157"]),
    ("ISBN 978.0.306.40615.7", ["9780306406157"]),
    ("ISBN 978–0—306‐40615−7", ["9780306406157"]),
    ("ISBN 978-03 06-406 15-7", ["9780306406157"]),
    ("ISBN\n0-306-40615-2", ["0306406152"]),
    // Misreadings.
    ("978-O-3O6-4O6l5-7", ["9780306406157"]),
    ("lSBN 97B-0-3O6-406I5-7", ["9780306406157"]),
    ("1SBN: 978-3-I6-l484IO-O", ["9783161484100"]),
    ("ISEN 97B 3 I6 148410 O", ["9783161484100"]),
    ("I5BN 0-8O44-29S7-X", ["080442957X"]),
    ("978|3161|484100", []),
    ("978 3 16 148410 O", ["9783161484100"]),
    ("O 306 40615 2", ["0306406152"]),
    ("978 31 614 8410 O", []),
    ("ISBN 978-3-|6-148410-0", ["9783161484100"]),
    // Not repaired: the checksum disproves it.
    ("ISBN 978-O-306-4O615-8", []),
    ("ISBN 978-0-306-40615-8", []),
    // No ISBNs: parts of longer numbers, telephone numbers, amounts, other products.
    ("12345978030640615799", []),
    ("99780306406157", []),
    ("978-0-306-40615-7-1", []),
    ("3.9780306406157", []),
    ("0.9780306406157", []),
    ("1-9780306406157", []),
    ("deadbeef9780306406157", []),
    ("Tel: 0306406152", []),
    ("Fax 0 306 40615 2", []),
    ("phone +0306406152", []),
    ("$0306406152", []),
    ("030-640-6152", []),
    ("(030) 640 6152", []),
    ("ISMN 9790260000438", []),
    ("EAN 4006381333931", []),
    ("ISBN", []),
    ("ISBN 12", []),
    ("", []),
    ("is so SOS Oslo BOSS 1 5 8", []),
    ("978", []),
    ("978 0306406152", []),
    // Lines that break off, with Windows' line ends and indented ones too.
    ("ISBN 978-0-306-\r\n   40615-7", ["9780306406157"]),
    ("978-0-306-\r\n        40615-7", ["9780306406157"]),
    ("ISBN 978 0 306\r\n40615 7", ["9780306406157"]),
    ("978 0 306\n40615 7", ["9780306406157"]),
    ("9780306\n406157", ["9780306406157"]),
    ("97803064\n06157", []),
    ("0 306 40615\n2", []),
    ("978-0-306-\n\n40615-7", []),
    // Two without anything between them: both are proven.
    ("97803064061579783161484100", ["9780306406157", "9783161484100"]),
    ("978-0-306-40615-7978-3-16-148410-0", ["9780306406157", "9783161484100"]),
    ("978-0-306-40615-7 978-3-16-148410-0", ["9780306406157", "9783161484100"]),
    ("97803064061579783161484101", []),
    ("197803064061579783161484100", []),
    ("03064061520306406152", []),
    // In front of a word that begins like a digit, and of a chapter's or file's number.
    ("ISBN 978-0-306-40615-7Bound in Oslo", ["9780306406157"]),
    ("ISBN 0-306-40615-2Broschur", ["0306406152"]),
    ("9780306406157So", ["9780306406157"]),
    ("978-0-306-40615-7B", []),
    ("9780306406157B12", []),
    ("doi:10.1007/978-3-319-10590-1_53", ["9783319105901"]),
    ("https://doi.org/10.1007/9783642117466", ["9783642117466"]),
    ("scan_2_9780306406157_1.png", ["9780306406157"]),
    ("9780306406157.0", ["9780306406157"]),
    ("9780306406157.5", []),
    ("9780306406157.00.1", []),
    // Marks that bars' guards and hyphens are read as.
    ("9\"780306\"406157", ["9780306406157"]),
    ("9‘780306’406157", ["9780306406157"]),
    ("978•0•306•40615•7", ["9780306406157"]),
    ("{\"isbn\":\"9780306406157\",\"n\":\"0306406152\"}", ["9780306406157", "0306406152"]),
    // Words that say what a number is; the word ISBN weighs more.
    ("Telephone number: 0306406152", []),
    ("Kundennummer 0306406152", []),
    ("Bestellnr. 0306406152", []),
    ("USD 0306406152", []),
    ("ISBN No. 0306406152", ["0306406152"]),
    ("ISBN-Nummer 0306406152", ["0306406152"]),
    ("ＴＥＬ 0306406152", []),
    ("ISBN 978-3-16-148410-0 Phone No. 030-640-6152", ["9783161484100"]),
    ("ISBN\n+03 0640 6152", []),
    ("€0306406152", []),
    ("ISBN 978-3-16-148410-0 80-100 — Oslo x", ["9783161484100"]),
    ("0-8044-2957-\u{425} (рус.)", ["080442957X"]),
    ("0-8044-2957-\u{425}а", []),
    ("£ 0306406152", ["0306406152"]),
    ("DE76 2438 6787 8063 6327 29 ISBN", []),
    ("ISBN 316148410X\nDE76 2438 6787 8063 6327 29", ["316148410X"]),
    ("ISBN 316148410X\n10 9 8 7 6 5 4 3 2 1 O", ["316148410X"]),
    ("ISBN 0 3 0 6 4 0 6 1 5 2", ["0306406152"]),
    ("Tel. 2881139396     89-85000-01-2", ["8985000012"]),
    ("ISBN 978-O-306-4O615-7Bound", ["9780306406157"]),
  ]

  @Test(arguments: written)
  func examples(text: String, codes: [String]) {
    let matches = ISBNExtractor().matches(in: text)
    #expect(matches.map(\.isbn.description) == codes)
    for match in matches {
      // What stands at the range reads as the code once the letters are repaired.
      #expect(match.range(in: text).map { !text[$0].isEmpty } == true)
    }
  }

  @Test func matchesSayWhereAndHow() throws {
    let text = "Über: lSBN 978-O-306-4O615-7 (pbk.)"
    let match = try #require(ISBNExtractor().matches(in: text).first)
    #expect(match.isbn.description == "9780306406157")
    #expect(match.repairs == 2)
    #expect(match.isLabelled)
    let range = try #require(match.range(in: text))
    #expect(text[range] == "978-O-306-4O615-7")
    #expect(match.range(in: "short") == nil)
  }

  @Test func settings() {
    let text = "9783I61484100 and 0-306-40615-2 and ISBN 316148410X"
    func found(_ extractor: ISBNExtractor) -> [String] {
      extractor.matches(in: text).map(\.isbn.description)
    }
    #expect(found(.init()) == ["9783161484100", "0306406152", "316148410X"])
    #expect(found(.init(repairsMisreadings: false)) == ["0306406152", "316148410X"])
    #expect(found(.init(acceptsUnlabelledISBN10: false)) == ["9783161484100", "316148410X"])
  }

  @Test func booksComeOnce() {
    let text = "ISBN 0-306-40615-2 / 978-0-306-40615-7, ISBN 978-3-16-148410-0"
    #expect(
      ISBNExtractor().books(in: text).map(\.description) == ["9780306406157", "9783161484100"])
  }

  /// 3,000 pages of words, prices, telephone numbers and ISBNs as text recognition leaves them.
  @Test func noisyPages() {
    var generator = SeededGenerator(seed: 5)
    var present = 0
    var found = 0
    var falseMatches = 0
    for _ in 0..<3000 {
      let page = NoisyPage(using: &generator)
      let matches = ISBNExtractor().matches(in: page.text)
      let truth = Set(page.isbns)
      present += truth.count
      let answers = Set(matches.map(\.isbn.isbn13))
      found += truth.intersection(answers).count
      falseMatches += answers.subtracting(truth).count
    }
    #expect(Double(found) >= 0.99 * Double(present))
    #expect(falseMatches == 0)
  }

  /// 5,000 pages with columns, broken lines, damaged ISBNs and numbers of every other kind.
  @Test func scannedPages() throws {
    var present = 0
    var found = 0
    var falseMatches = 0
    for seed in 1...5000 as ClosedRange<UInt64> {
      let page = ScannedPage(seed: seed)
      let truth = Set(page.isbns)
      present += truth.count
      let answers = Set(ISBNExtractor().matches(in: page.text).map(\.isbn.isbn13))
      found += truth.intersection(answers).count
      falseMatches += answers.subtracting(truth).count
    }
    #expect(Double(found) >= 0.99 * Double(present))
    let guide = try String(
      contentsOf: Folders.package.appendingPathComponent("Docs/ISBN.md"), encoding: .utf8)
    #expect(guide.contains("\(found) of \(present) ISBNs"))
    #expect(guide.contains("\(falseMatches) false"))
  }

  /// Nothing but digits and separators: only what the rules let through by chance may be found.
  @Test func randomNumbersAreRarelyBooks() {
    var generator = SeededGenerator(seed: 6)
    var found = 0
    for _ in 0..<2000 {
      var text = ""
      for _ in 0..<20 {
        for _ in 0..<Int.random(in: 1...16, using: &generator) {
          text.append(String(Int.random(in: 0...9, using: &generator)))
        }
        text.append([" ", "-", ".", ", "].randomElement(using: &generator) ?? " ")
      }
      found += ISBNExtractor(acceptsUnlabelledISBN10: false).matches(in: text).count
    }
    #expect(found <= 20)
  }
}

/// A page with known ISBNs.
struct NoisyPage {
  private(set) var text = ""
  private(set) var isbns: [ISBN13] = []

  init(using generator: inout SeededGenerator) {
    let words = [
      "Printed", "in", "Boston", "first", "edition", "Oslo", "is", "So", "le", "livre", "Best",
      "1998", "2nd", "12.95", "US", "$24.99", "Can.", "for", "all", "iOS", "Bill", "Soil", "x",
      "Tel. 212-555-0187", "fax: (030) 5550187", "LCCN 95012345", "Library", "\n", "100", "No. 7",
      "QA76.9", "B8", "5", "l", "Verlag", "©2004", "80-100 pp.",
    ]
    func filler() {
      for _ in 0..<Int.random(in: 2...8, using: &generator) {
        text += (words.randomElement(using: &generator) ?? "") + " "
      }
    }
    filler()
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      let isbn = Self.assigned(using: &generator)
      isbns.append(isbn)
      text += Self.printed(isbn, using: &generator)
      text += ["\n", " ", ", ", ". ", " (pbk.) ", ")"].randomElement(using: &generator) ?? " "
      filler()
    }
  }

  /// A number of an assigned range.
  static func assigned(using generator: inout SeededGenerator) -> ISBN13 {
    while true {
      let entry = RegistrationRanges.entries.randomElement(using: &generator) ?? 0
      let body = entry / 100_000 + UInt64.random(in: 0..<1000, using: &generator)
      if let isbn = try? ISBN13(number: body * 10 + CheckDigit.ean(of: body)),
        isbn.elements != nil
      {
        return isbn
      }
    }
  }

  /// The number as text recognition may read it.
  private static func printed(_ isbn: ISBN13, using generator: inout SeededGenerator) -> String {
    var code = isbn.hyphenated ?? isbn.description
    let isTen = Int.random(in: 0..<4, using: &generator) == 0
    if isTen, let ten = isbn.isbn10 { code = ten.hyphenated ?? ten.description }
    let label =
      ["", "ISBN ", "ISBN: ", "lSBN ", "1SBN-13 ", "I5BN: ", "ISBN", "ISBN\n", "ISBN (pbk.) "]
      .randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: code = code.split(separator: "-").joined(separator: "")
    case 1: code = code.split(separator: "-").joined(separator: " ")
    case 2: code = code.split(separator: "-").joined(separator: "–")
    case 3 where !label.isEmpty: code = code.split(separator: "-").joined(separator: " - ")
    default: break
    }
    let misread: [Character: [Character]] = [
      "0": ["O", "o"], "1": ["I", "l"], "8": ["B"], "5": ["S", "s"],
    ]
    code = String(
      code.map { character in
        guard Int.random(in: 0..<10, using: &generator) == 0 else { return character }
        return misread[character]?.randomElement(using: &generator) ?? character
      })
    return label + code
  }
}
