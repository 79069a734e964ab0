import Foundation
import ISBN
import TestSupport
import Testing

@Suite("tally isbn")
struct ISBNCommandTests {
  @Test("A single code gets a paragraph")
  func paragraph() async {
    let run = await tally("isbn", "ISBN 0-306-40615-2")
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(
      run.output == """
        ISBN 0-306-40615-2: valid ISBN-10
          ISBN-13  978-0-306-40615-7
          ISBN-10  0-306-40615-2
          group    English language (978-0)

        """)
    let newer = await tally("isbn", "9791090636071")
    #expect(newer.output.contains("ISBN-10  none: only numbers that start with 978 have one"))
    #expect(newer.output.contains("group    France (979-10)"))
    let unassigned = await tally("isbn", "9789999999991")
    #expect(unassigned.code == .success)
    #expect(unassigned.output.contains("ISBN-13  9789999999991 (the agency had not assigned"))
    #expect(unassigned.output.contains("group    none"))
  }

  @Test("Several codes get a line each, the invalid ones an error line, in order")
  func lines() async {
    let run = await tally(
      "isbn", "0306406152", "9780306406158", "９７８－３－１６－１４８４１０－０", "080442957", "080442957x")
    #expect(run.code == .badData)
    #expect(
      run.outputLines == [
        "0306406152: valid ISBN-10, 978-0-306-40615-7, 0-306-40615-2, English language",
        "９７８－３－１６－１４８４１０－０: valid ISBN-13, 978-3-16-148410-0, 3-16-148410-X, "
          + "German language",
        "080442957x: valid ISBN-10, 978-0-8044-2957-3, 0-8044-2957-X, English language",
      ])
    #expect(
      run.errorLines == [
        "tally: error: 9780306406158: the check digit is 8 where 7 would be right",
        "tally: error: 080442957: 9 digits where 10 or 13 would be right",
      ])
  }

  @Test("JSON has an object for every code, invalid ones too, with the same keys in the same order")
  func json() async {
    let run = await tally("isbn", "080442957X", "9790306406156", "9791090636071", "--json")
    #expect(run.code == .badData)
    #expect(
      run.outputLines == [
        #"{"code":"080442957X","valid":true,"kind":"isbn10","isbn13":"9780804429573","#
          + #""isbn10":"080442957X","hyphenated":"0-8044-2957-X","group":"English language","#
          + #""groupPrefix":"978-0"}"#,
        #"{"code":"9790306406156","valid":false,"kind":"ismn","isbn13":null,"isbn10":null,"#
          + #""hyphenated":null,"group":null,"groupPrefix":null,"rule":"prefix","#
          + #""expectedCheckDigit":null,"message":"the number starts with 979-0: it is an ISMN "#
          + #"(printed music), not an ISBN"}"#,
        #"{"code":"9791090636071","valid":true,"kind":"isbn13","isbn13":"9791090636071","#
          + #""isbn10":null,"hyphenated":"979-10-90636-07-1","group":"France","#
          + #""groupPrefix":"979-10"}"#,
      ])
    #expect(run.errorLines.count == 1)
  }

  @Test(
    "An invalid code says which rule it breaks, and what the check digit had to be",
    arguments: [
      ("9780306406158", "checkDigit", "7", nil), ("0306406153", "checkDigit", "2", nil),
      ("0804429571", "checkDigit", "X", nil), ("978030640615", "length", nil, nil),
      ("-", "length", nil, nil), ("4006381333931", "prefix", nil, "ean13"),
      ("4006381333932", "prefix", nil, nil), ("9770317847001", "prefix", nil, "issn"),
      ("2012345678903", "prefix", nil, "ean13"), ("96385074", "length", nil, nil),
      ("978-0-306-4O615-7", "character", nil, nil), ("978030640615X", "x", nil, nil),
      ("97803064061575149", "length", nil, nil), ("9780306406158 51495", "length", nil, nil),
      ("9770317847001 05", "length", nil, "issn"), ("\u{0}", "character", nil, nil),
      ("🙂", "character", nil, nil), ("\u{1B}[31m", "character", nil, nil),
    ] as [(String, String, String?, String?)])
  func rules(code: String, rule: String, digit: String?, kind: String?) async throws {
    let run = await tally("isbn", "--json", "--", code)
    #expect(run.code == .badData)
    let object = try run.json()
    #expect(object["valid"] as? Bool == false)
    #expect(object["rule"] as? String == rule)
    #expect(object["expectedCheckDigit"] as? String == digit)
    #expect(object["kind"] as? String == kind)
    #expect(object["code"] as? String == code)
    let text = await tally("isbn", "--", code)
    #expect(text.failed(.badData), "\(text)")
    #expect(text.errors == run.errors)
    #expect(!text.errors.contains("\u{1B}"))
  }

  @Test("The five digits beside a bar code are a price")
  func addOn() async throws {
    let run = await tally("isbn", "9780306406157 51495", "--json")
    #expect(run.code == .success)
    let addOn = try #require(run.json()["addOn"] as? [String: String])
    #expect(addOn == ["digits": "51495", "price": "14.95", "currency": "USD"])
    #expect(try run.json()["isbn13"] as? String == "9780306406157")
    for (digits, price) in [
      ("51495", "14.95 USD (51495)"), ("00799", "7.99 GBP (00799)"),
      ("90000", "none given (90000)"),
      ("59999", "99.99 USD or more (59999)"), ("99990", "none; a used copy (99990)"),
      ("99991", "none; not for sale (99991)"), ("21250", "unknown (21250)"),
      ("90001", "none; the publisher's own use (90001)"),
    ] {
      let text = await tally("isbn", "9780306406157\(digits)")
      #expect(text.outputLines.last == "  price    \(price)")
    }
  }

  @Test("A code of any length is an error line that can be read")
  func longCodes() async {
    for code in [String(repeating: "9", count: 1_000_000), String(repeating: "é", count: 100_000)] {
      let run = await tally("isbn", code)
      #expect(run.failed(.badData))
      #expect(run.errors.count < 300)
    }
  }

  @Test(
    "Codes and texts exclude one another, and one of them is needed",
    arguments: [
      [], ["--json"], [""], ["0306406152", ""], ["0306406152", "--scan", "-"], ["--scan"],
      ["--scan="], ["--scan", "-", "--scan=-"], ["--scann", "-"], ["--overlay", "x"],
    ])
  func usage(arguments: [String]) async {
    let run = await tally(["isbn"] + arguments)
    #expect(run.failed(.usage), "\(run)")
    #expect(run.errors.contains("tally isbn --help"))
  }
}
