import ISBN

extension Benchmark {
  /// ISBN, ISSN, ISMN and GTIN: ten thousand codes a run, and a text.
  static let books: [Benchmark] = [
    Benchmark(name: "isbn/validate", items: 10_000) { _ in
      let codes = SeededInput.isbns(count: 10_000, flaw: 3, seed: 10)
      return { Double(codes.reduce(0) { ISBN13.isValid($1) ? $0 + 1 : $0 }) }
    },
    Benchmark(name: "isbn/validate-10", items: 10_000) { _ in
      let codes = try SeededInput.isbns(count: 10_000, seed: 10).map {
        try ISBN10(ISBN13($0)).description
      }
      return { Double(codes.reduce(0) { ISBN10.isValid($1) ? $0 + 1 : $0 }) }
    },
    Benchmark(name: "isbn/convert-to-13", items: 10_000) { _ in
      let codes = try SeededInput.isbns(count: 10_000, seed: 11).map {
        try ISBN10(ISBN13($0)).description
      }
      return {
        try codes.reduce(0.0) { $0 + Double(try ISBN13(ISBN10($1)).description.utf8.count) }
      }
    },
    Benchmark(name: "isbn/complete", items: 10_000) { _ in
      let bodies = SeededInput.isbns(count: 10_000, seed: 11).map { String($0.dropLast()) }
      return { try bodies.reduce(0.0) { $0 + Double(try ISBN13(completing: $1).checkDigit) } }
    },
    Benchmark(name: "isbn/normalize", items: 10_000) { _ in
      let codes = SeededInput.isbns(count: 10_000, seed: 12).map {
        "\($0.prefix(3))-\($0.dropFirst(3).prefix(5))-\($0.dropFirst(8))"
      }
      return { try codes.reduce(0.0) { $0 + Double(try AnyISBN.normalized($1).utf8.count) } }
    },
    Benchmark(name: "isbn/convert-to-10", items: 10_000) { _ in
      let codes = SeededInput.isbns(count: 10_000, seed: 11)
      return {
        try codes.reduce(0.0) { $0 + Double(try ISBN10(ISBN13($1)).description.utf8.count) }
      }
    },
    // The peers' range tables are older: some hyphens stand elsewhere, as many as they are.
    Benchmark(name: "isbn/hyphenate", tolerance: 0.05, items: 10_000) { _ in
      let codes = SeededInput.isbns(count: 10_000, seed: 12)
      return {
        try codes.reduce(0.0) { $0 + Double(try ISBN13($1).hyphenated?.utf8.count ?? 0) }
      }
    },
    Benchmark(name: "isbn/extract", items: 200) { _ in
      let text = SeededInput.text(isbns: 200, seed: 13)
      let extractor = ISBNExtractor()
      return { Double(extractor.matches(in: text).count) }
    },
    Benchmark(name: "issn/validate", items: 10_000) { _ in
      let codes = try serialNumbers()
      return { Double(codes.reduce(0) { ISSN.isValid($1) ? $0 + 1 : $0 }) }
    },
    Benchmark(name: "issn/convert-to-ean13", items: 10_000) { _ in
      let codes = try serialNumbers()
      return {
        try codes.reduce(0.0) { $0 + Double(try ISSN($1).ean13().number % 1_000_000) }
      }
    },
    Benchmark(name: "issn/extract", items: 10_000) { _ in
      let text = "ISSN " + (try serialNumbers()).joined(separator: ", ")
      let extractor = ISSNExtractor()
      return { Double(extractor.matches(in: text).count) }
    },
    Benchmark(name: "ismn/hyphenate", items: 10_000) { _ in
      let codes = try bodies(count: 10_000, digits: 8).map {
        try ISMN(completing: "M" + $0).ismn10
      }
      return { try codes.reduce(0.0) { $0 + Double(try ISMN($1).hyphenated.utf8.count) } }
    },
    Benchmark(name: "gtin/validate", items: 10_000) { _ in
      let codes = try bodies(count: 10_000, digits: 13).map {
        try GTIN14(completing: $0).description
      }
      return { Double(codes.reduce(0) { GTIN14.isValid($1) ? $0 + 1 : $0 }) }
    },
  ]

  /// Valid ISSNs as they are printed.
  private static func serialNumbers() throws -> [String] {
    try bodies(count: 10_000, digits: 7).map { try ISSN(completing: $0).hyphenated }
  }

  /// Numbers of digits without a check digit.
  private static func bodies(count: Int, digits: Int) -> [String] {
    var input = SeededInput(seed: 19)
    return (0..<count).map { _ in (0..<digits).map { _ in String(input.below(10)) }.joined() }
  }
}
