import FuzzSupport
import ISBN

extension Target {
  /// ISBNs in text: the same are found wherever a stream is cut, and what is found can be read again.
  static let isbn = Target(
    "isbn",
    seeds: {
      [
        "ISBN 978-3-16-148410-0", "ISBN-10: 0-306-40615-2 and ISBN-13 9780306406157",
        "isbn O-3O6-4O6I5-2", "978 0 306 40615 7 54995", "ISBN\n9791090636071\nEAN 4006381333931",
        "080442957X. ISBN 080442957x; \u{2013} 978\u{2010}3\u{2011}16\u{2012}148410\u{2013}0",
      ].map { [0x51, 3, 1, 4] + Array($0.utf8) }
    }
  ) { bytes in
    var choices = Choices(bytes)
    let switches = choices.byte()
    let extractor = ISBNExtractor(
      repairsMisreadings: switches & 1 == 0, acceptsUnlabelledISBN10: switches & 2 == 0)
    let longest = switches & 4 == 0 ? 64 : 2
    var seed = UInt64(choices.below(1 << 16)) << 8 | UInt64(choices.byte())
    let text = choices.rest()

    let whole = text.withUnsafeBufferPointer { extractor.matches(inUTF8: $0) }
    var end = 0
    for match in whole {
      expect(match.utf8Range.lowerBound >= end, "two matches lie in each other: \(whole)")
      end = match.utf8Range.upperBound
      let again = try AnyISBN(match.isbn.description)
      expect(again == match.isbn, "\(match.isbn) is read as \(again)")
      _ = match.isbn.isbn13.isbn10
    }
    expect(end <= text.count, "a match ends behind the text")

    var stream = ISBNTextStream(extractor)
    var found: [ISBNMatch] = []
    var place = 0
    while place < text.count {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let next = min(text.count, place + Int(seed >> 33) % (longest + 1))
      let settled = stream.settledOffset
      let matches = stream.read(text[place..<next])
      expect(
        matches.allSatisfy { $0.utf8Range.lowerBound >= settled },
        "a match begins in what was settled at \(settled): \(matches)")
      found += matches
      place = next
    }
    found += stream.finish()
    expect(found == whole, "in pieces \(found), in one \(whole)")

    // Any text may be given where a single number is asked for.
    if let isbn = try? AnyISBN(utf8: text) { _ = isbn.description }
    if let isbn = try? ISBN13(utf8: text) {
      expect(ISBN13.isValid(utf8: text), "\(isbn) is read, and not valid")
    }
    if let isbn = try? ISBN10(utf8: text) {
      expect(ISBN10.isValid(utf8: text), "\(isbn) is read, and not valid")
    }
    if let payload = try? EANPayload(utf8: text) {
      _ = payload.content
      _ = payload.addOn?.meaning
    }
    let string = String(decoding: text, as: UTF8.self)
    _ = try? ISBN13(completing: string)
    _ = try? ISBN10(completing: string)
    _ = try? AnyISBN.normalized(string)
  }
}
