import FuzzSupport
import ISBN

extension Target {
  /// ISSNs, ISMNs and GTIN-14s: what is found or read is read again from each of its forms.
  static let numbers = Target(
    "numbers",
    seeds: {
      [
        "ISSN 0378-5955", "ISSN-L: 1050-124X, eISSN 2049-3630", "ISMN 979-0-2600-0043-8",
        "ISMN M-2600-0043-8 ISMN-10: M260000438", "9790260000438", "9771144875007 03",
        "(01)19788681728713", "1978-8681728713", "issn 0317 8471",
      ].map { [0] + Array($0.utf8) }
    }
  ) { bytes in
    var choices = Choices(bytes)
    let extractor = ISSNExtractor(acceptsUnlabelled: choices.byte() & 1 == 0)
    let text = choices.rest()

    func check<Number>(
      _ matches: [ProductNumberMatch<Number>], _ read: (String) throws -> Number
    ) throws where Number: CustomStringConvertible {
      var end = 0
      for match in matches {
        expect(match.utf8Range.lowerBound >= end, "two matches lie in each other: \(matches)")
        end = match.utf8Range.upperBound
        let again = try read(match.number.description)
        expect(again == match.number, "\(match.number) is read as \(again)")
      }
      expect(end <= text.count, "a match ends behind the text")
    }
    try text.withUnsafeBufferPointer { text in
      try check(extractor.matches(inUTF8: text)) { try ISSN($0) }
      try check(ISMNExtractor().matches(inUTF8: text)) { try ISMN($0) }
    }

    // Any text may be given where a single number is asked for.
    let string = String(decoding: text, as: UTF8.self)
    if let number = try? ISSN(utf8: text) {
      expect(try ISSN(number.hyphenated) == number, "\(number) is not its hyphenated form")
      expect(try ISSN(number.ean13()) == number, "\(number) is not in its EAN")
    }
    if let number = try? ISMN(utf8: text) {
      expect(try ISMN(number.hyphenated) == number, "\(number) is not its hyphenated form")
      expect(try ISMN(number.ismn10) == number, "\(number) is not its old form")
      expect(try ISMN(number.ean13) == number, "\(number) is not in its EAN")
    }
    if let number = try? GTIN14(utf8: text) {
      expect(try GTIN14(number.description) == number, "\(number) is read otherwise")
      if let item = number.item {
        expect(
          try GTIN14(item, indicator: number.indicator) == number, "\(number) is not its item's")
      }
    }
    _ = try? ISSN(completing: string)
    _ = try? ISMN(completing: string)
    _ = try? GTIN14(completing: string)
  }
}
