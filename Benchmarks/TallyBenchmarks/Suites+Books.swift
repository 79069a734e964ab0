import ISBN

extension Benchmark {
  /// ISBN: ten thousand codes a run, and a text.
  static let books: [Benchmark] = [
    Benchmark(name: "isbn/validate", items: 10_000) { _ in
      let codes = SeededInput.isbns(count: 10_000, flaw: 3, seed: 10)
      return { Double(codes.reduce(0) { ISBN13.isValid($1) ? $0 + 1 : $0 }) }
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
  ]
}
