import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("tally isbn --kind")
struct ProductNumberTests {
  struct Checked: Decodable {
    let texts: [String]
    /// An x for each valid text.
    let valid: String
  }

  struct Golden: Decodable {
    let issn: Checked
    let ismn: Checked
    let gtin: Checked
    /// The number, the printed form, the variant and the bars.
    let issnForms: [[String]]
    /// The number, its 13 digits, the printed form and the publisher.
    let ismnForms: [[String]]
  }

  static func golden() throws -> Golden { try Folders.golden("ISBN/product_numbers.json") }

  private func objects(_ run: CommandRun) throws -> [[String: Any]] {
    try run.outputLines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("Codes are valid that python-stdnum takes")
  func validity() async throws {
    let golden = try Self.golden()
    for (kind, checked) in [
      ("issn", golden.issn), ("ismn", golden.ismn), ("gtin-14", golden.gtin),
    ] {
      let run = await tally(["isbn", "--kind", kind, "--json", "--"] + checked.texts)
      let found = try objects(run)
      #expect(found.count == checked.texts.count)
      let valid = found.map { $0["valid"] as? Bool == true ? "x" : "-" }.joined()
      #expect(valid == checked.valid, "\(kind)")
      #expect(run.errorLines.count == checked.valid.filter { $0 == "-" }.count)
      #expect(run.code == .badData)
    }
  }

  @Test("The forms of a number are python-stdnum's")
  func forms() async throws {
    let golden = try Self.golden()
    let issns = golden.issnForms.prefix(50)
    for (form, object) in zip(
      issns, try objects(await tally(["isbn", "--kind", "issn", "--json"] + issns.map { $0[0] })))
    {
      #expect(object["hyphenated"] as? String == form[1])
    }
    // The bars of a periodical say the same number.
    let bars = try objects(
      await tally(["isbn", "--kind", "issn", "--json"] + issns.map { $0[3] }))
    #expect(bars.map { $0["hyphenated"] as? String } == issns.map { $0[1] })
    let ismns = golden.ismnForms.prefix(50)
    for (form, object) in zip(
      ismns, try objects(await tally(["isbn", "--kind", "ismn", "--json"] + ismns.map { $0[0] })))
    {
      #expect(object["number"] as? String == form[1])
      #expect(object["hyphenated"] as? String == form[2])
      #expect(object["publisher"] as? String == form[3])
    }
  }

  @Test("A single number gets a paragraph, several a line each")
  func text() async {
    #expect(
      await tally("isbn", "--kind", "ismn", "M-2306-7118-7").output == """
        M-2306-7118-7: valid ISMN
          ISMN        979-0-2306-7118-7
          until 2007  M230671187
          publisher   2306
          item        7118

        """)
    let run = await tally(
      "isbn", "--kind", "any", "0-306-40615-2", "0264-3596", "14006381333938", "9790230671187")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(
      run.outputLines == [
        "0-306-40615-2: valid ISBN-10, 978-0-306-40615-7, 0-306-40615-2, English language",
        "0264-3596: valid ISSN, 0264-3596, in bars 9770264359008",
        "14006381333938: valid GTIN-14, 14006381333938, indicator 1 (a package of the item), "
          + "item 4006381333931",
        "9790230671187: valid ISMN, 979-0-2306-7118-7, until 2007 M230671187, publisher 2306, "
          + "item 7118",
      ])
  }

  @Test("An invalid code says which rule it breaks")
  func failures() async throws {
    let run = await tally("isbn", "--kind", "issn", "0264-3597", "--json")
    #expect(run.code == .badData)
    #expect(
      run.output
        == #"{"code":"0264-3597","valid":false,"kind":"issn","number":null,"rule":"checkDigit","#
        + #""expectedCheckDigit":"6","message":"the check digit is 7 where 6 would be right"}"#
        + "\n")
    #expect(await tally("isbn", "--kind", "gtin-14", "4006381333931").failed(.badData))
    #expect(await tally("isbn", "--kind", "ismn", "9780306406157").failed(.badData))
    // Of any kind, the error is that of an ISBN.
    let any = await tally("isbn", "--kind", "any", "9780306406158")
    #expect(any.failed(.badData) && any.errors.contains("the check digit is 8 where 7"))
    #expect(await tally("isbn", "--kind", "ean", "1").failed(.usage))
  }

  @Test("Numbers are found in a text, with line and column")
  func scan() async throws {
    let text = "Ä ISSN 0264-3596, 2434-561X\n1999-2000 ISMN M-2306-7118-7\nISBN 0-306-40615-2"
    func scan(_ kind: String, _ options: String...) async -> CommandRun {
      await tally(["isbn", "--kind", kind, "--scan", "-"] + options, input: Array(text.utf8))
    }
    #expect(
      await scan("any").outputLines == [
        "-:1:8: ISSN 0264-3596", "-:1:19: ISSN 2434-561X", "-:2:16: ISMN 979-0-2306-7118-7",
        "-:3:6: ISBN 0-306-40615-2",
      ])
    #expect(await scan("issn").outputLines.count == 2)
    #expect(
      await scan("ismn", "--json").output
        == #"{"file":"-","line":2,"column":16,"offset":44,"code":"M-2306-7118-7","valid":true,"#
        + #""kind":"ismn","number":"9790230671187","hyphenated":"979-0-2306-7118-7","#
        + #""ismn10":"M230671187","publisher":"2306","item":"7118","labelled":true}"# + "\n")
    #expect(await scan("gtin-14").failed(.usage))
    let none = await tally(
      ["isbn", "--kind", "issn", "--scan", "-"], input: Array("nothing".utf8))
    #expect(none.code == .success && none.output == "-: no ISSN found\n")
    let wide = await tally(["isbn", "--kind", "any", "--scan", "-"], input: [0xFF, 0xFE, 0x30, 0])
    #expect(wide.failed(.badData))
  }
}
