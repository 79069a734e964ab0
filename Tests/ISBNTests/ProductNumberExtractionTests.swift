import TestSupport
import Testing

@testable import ISBN

/// ISSN and ISMN in texts.
@Suite struct ProductNumberExtractionTests {
  @Test(arguments: [
    ("ISSN 0317-8471", ["0317-8471"]),
    ("issn:03178471.", ["0317-8471"]),
    ("ISSN 0317 8471", ["0317-8471"]),
    ("Nature (ISSN: 0028-0836; e-ISSN: 1476-4687)", ["0028-0836", "1476-4687"]),
    ("ISSN 0264-3596 (print), 2434-561X (online)", ["0264-3596", "2434-561X"]),
    ("ISSN-L 0264-3596", ["0264-3596"]),
    ("ISSNs 0264-3596 and 2434\u{2013}561x", ["0264-3596", "2434-561X"]),
    ("ＩＳＳＮ　０３１７－８４７１", ["0317-8471"]),
    ("ISSN 0264-3596/2434-561X", ["0264-3596", "2434-561X"]),
    ("ISSN:0264-3596,2434-561X", ["0264-3596", "2434-561X"]),
    ("ISSN 10.1000/03178471", []), ("ISSN 1,0317-8471", []),
    ("ISSN 0317-8472", []),
    ("ISSN 0317-84712", []), ("ISSN 0317-8471-2", []), ("ISSN 10317-8471", []),
    ("ISSN 1-0317-8471", []), ("ISSN 0317-8471.5", []), ("ISSN 031-78471", []),
    ("ISSN 0317--8471", []), ("ISSN 0317-8471a", []), ("MISSNER 0317-8471", []),
    ("0317-8471", []), ("from 1998 to 2007, 0317-8471", []),
    // Near the word, but a date behind a number is not one of a list.
    ("ISSN 0264-3596, 03178471", ["0264-3596"]),
    ("ISSN " + String(repeating: ".", count: 60) + " 0317-8471", []),
    ("", []), ("ISSN", []), ("ISSN 0317", []), ("ISSN 0317-", []),
  ])
  func serialNumbers(text: String, expected: [String]) {
    #expect(ISSNExtractor().matches(in: text).map(\.number.hyphenated) == expected)
  }

  @Test(arguments: [
    ("0317-8471", ["0317-8471"]), ("tel. 0317-8471", ["0317-8471"]),
    ("03178471", []), ("0317 8471", []), ("2013-2016 1998-2007", []), ("2000-2009", ["2000-2009"]),
    ("ISSN 03178471", ["0317-8471"]),
  ])
  func unlabelledSerialNumbers(text: String, expected: [String]) {
    let matches = ISSNExtractor(acceptsUnlabelled: true).matches(in: text)
    // A pair of years with a right check digit passes, which is why this is off by default.
    #expect(matches.map(\.number.hyphenated) == expected.filter { ISSN.isValid($0) })
    #expect(matches.allSatisfy { $0.isLabelled == text.hasPrefix("ISSN") })
  }

  @Test(arguments: [
    ("ISMN M-2306-7118-7", ["979-0-2306-7118-7"]),
    ("ISMN M230671187", ["979-0-2306-7118-7"]),
    ("ISMN-10: m 2306 7118 7", ["979-0-2306-7118-7"]),
    ("979-0-2306-7118-7", ["979-0-2306-7118-7"]),
    ("Full score: 9790230671187 (ISMN)", ["979-0-2306-7118-7"]),
    ("ISMN 979-0-2306-7118-7, M-060-11561-5", ["979-0-2306-7118-7", "979-0-060-11561-5"]),
    ("ISMN-13 9790230671187", ["979-0-2306-7118-7"]),
    ("M-2306-7118-7", []), ("230671187", []), ("ISMN 230671187", []),
    ("9780306406157", []), ("97902306711871", []), ("19790230671187", []),
    ("9790230671188", []), ("AM230671187 ISMN", []),
  ])
  func musicNumbers(text: String, expected: [String]) {
    #expect(ISMNExtractor().matches(in: text).map(\.number.hyphenated) == expected)
  }

  @Test func rangesAreThoseOfTheNumbers() throws {
    let text = "Größe: ISSN ０３１７－８４７１ é 0264-3596."
    let matches = ISSNExtractor().matches(in: text)
    let parts = try matches.map { String(text[try #require($0.range(in: text))]) }
    #expect(parts == ["０３１７－８４７１", "0264-3596"])
    #expect(matches[0].range(in: "short") == nil)
    let music = "♪ ISMN M-2306-7118-7 ♪"
    let match = try #require(ISMNExtractor().matches(in: music).first)
    #expect(String(music[try #require(match.range(in: music))]) == "M-2306-7118-7")
    #expect(match.isLabelled)
  }

  /// Numbers among words, years, prices and telephone numbers: all of them and no others.
  @Test func seededPages() {
    var generator = SeededGenerator(seed: 61)
    let fillers = [
      "the", "Journal", "vol. 12", "2013-2016", "pp. 1998-2007", "12.50", "+49 30 1234-5679", "(",
      ")", "Tel. 0317-8471", "03178471", "10.1000/182", "1-2-3", "ISBN 978-0-306-40615-7", "M-16",
    ]
    let labels = ["ISSN ", "ISSN: ", "eISSN ", "ISSN-L: ", "issn "]
    for _ in 0..<300 {
      var text = ""
      var serials: [ISSN] = []
      var scores: [ISMN] = []
      for _ in 0..<30 {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0:
          let issn = ISSN(uncheckedBody: UInt32.random(in: 0..<10_000_000, using: &generator))
          let written = Bool.random(using: &generator) ? issn.hyphenated : issn.description
          text += (labels.randomElement(using: &generator) ?? "") + written
          // So far that nothing else counts as labelled.
          text += String(repeating: " far away", count: 7)
          serials.append(issn)
        case 1:
          let body = UInt64.random(in: 0..<100_000_000, using: &generator)
          let ismn = ISMN(
            unchecked: (979_000_000_000 + body) * 10 + CheckDigit.ean(of: 979_000_000_000 + body))
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: text += "ISMN " + ismn.ismn10 + String(repeating: " far away", count: 7)
          case 1: text += ismn.hyphenated
          default: text += ismn.description
          }
          scores.append(ismn)
        default: text += fillers.randomElement(using: &generator) ?? ""
        }
        text += ["; ", " ", "\n"].randomElement(using: &generator) ?? " "
      }
      #expect(ISSNExtractor().matches(in: text).map(\.number) == serials)
      #expect(ISMNExtractor().matches(in: text).map(\.number) == scores)
    }
  }

  @Test func anyBytesAreATextWithoutTraps() {
    var generator = SeededGenerator(seed: 62)
    let pieces: [[UInt8]] = [
      Array("ISSN".utf8), Array("ISMN".utf8), Array("0317-8471".utf8), Array("M".utf8),
      Array("9790".utf8), [0xEF], [0xEF, 0xBC], [0xFF], [0xE2, 0x80, 0x93], Array("-L".utf8), [0],
    ]
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<12, using: &generator) {
        bytes += pieces.randomElement(using: &generator) ?? []
        if Bool.random(using: &generator) { bytes.append(.random(in: 0...255, using: &generator)) }
      }
      bytes.withUnsafeBufferPointer { buffer in
        for match in ISSNExtractor(acceptsUnlabelled: true).matches(inUTF8: buffer) {
          #expect(ISSN.isValid(utf8: buffer[match.utf8Range]))
        }
        for match in ISMNExtractor().matches(inUTF8: buffer) {
          #expect(ISMN.isValid(utf8: buffer[match.utf8Range]))
        }
      }
    }
    // Long runs take linear time.
    for run in ["I", "ISSN", "1", "1-", "M", "M-", "9790", "0317-8471"] {
      let text = String(repeating: run, count: 100_000)
      #expect(ISSNExtractor(acceptsUnlabelled: true).matches(in: text).isEmpty)
      #expect(ISMNExtractor().matches(in: text).isEmpty)
    }
  }
}
