/// The numbers that a text may hold, which decide what else than digits may stand in it.
enum CodeKind {
  case isbn, issn, ismn, gtin

  /// After how many digits an X may stand for a check digit of ten; nil for never.
  var digitsBeforeX: Int? {
    switch self {
    case .isbn: 9
    case .issn: 7
    case .ismn, .gtin: nil
    }
  }
}

/// The words that stand before a code: `ISBN`, `ISBN-13:`, `urn:isbn:`, `eISSN`, `ISSN-L`.
enum CodeLabel {
  /// How much of the text at `start` is a label, with the separators around it; zero if there is
  /// none.
  static func length(
    in bytes: UnsafeBufferPointer<UInt8>, at start: Int, of kind: CodeKind
  ) -> (bytes: Int, scalars: Int) {
    var reader = Cursor(bytes, start)
    reader.skipSeparators()
    _ = reader.skip("URN:")
    guard skipName(of: kind, &reader) else { return (0, 0) }
    // The form is a label only if a separator follows it, because an ISBN may start with 10.
    var form = reader
    form.skipSeparators()
    if skipForm(of: kind, &form) {
      if form.skipSeparators() + form.skipMarks() > 0 { reader = form }
    }
    reader.skipSeparators()
    _ = reader.skipMarks()
    return (reader.reader.offset - start, reader.scalars)
  }

  private static func skipName(of kind: CodeKind, _ reader: inout Cursor) -> Bool {
    switch kind {
    case .isbn: return reader.skip("ISBN")
    case .ismn: return reader.skip("ISMN")
    case .gtin: return reader.skip("GTIN")
    case .issn:
      // Electronic and printed: "e-ISSN", "pISSN".
      var ahead = reader
      if ahead.skip("E") || ahead.skip("P") {
        ahead.skipSeparators()
      }
      guard ahead.skip("ISSN") else { return false }
      reader = ahead
      return true
    }
  }

  /// Passes over the digits of "ISBN-13", or the L of a linking ISSN.
  private static func skipForm(of kind: CodeKind, _ reader: inout Cursor) -> Bool {
    switch kind {
    case .isbn, .ismn: reader.skip("10") || reader.skip("13")
    case .issn: reader.skip("L")
    case .gtin: reader.skip("14")
    }
  }

  /// A reader that advances only over what it searches for.
  private struct Cursor {
    var reader: ScalarReader
    var scalars = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) {
      reader = ScalarReader(bytes, at: offset)
    }

    /// Passes over `word`, upper-case ASCII; takes nothing if it is not there whole.
    mutating func skip(_ word: StaticString) -> Bool {
      var ahead = reader
      var passed = 0
      while passed < word.utf8CodeUnitCount {
        // Reading inside the literal: `passed` is below its length.
        let expected = CodeCharacter(ascii: word.utf8Start[passed])
        guard let scalar = ahead.next(), CodeCharacter(scalar) == expected else { return false }
        passed += 1
      }
      reader = ahead
      scalars += passed
      return true
    }

    /// Passes over spaces, dashes and line breaks, and says how many.
    @discardableResult
    mutating func skipSeparators() -> Int {
      skip { $0 == .space || $0 == .dash || $0 == .newline }
    }

    /// Passes over what people put between the label and the code, and the separators after it.
    mutating func skipMarks() -> Int {
      let marks = skip {
        $0 == .other(0x3A) || $0 == .other(0x2E) || $0 == .other(0x3D) || $0 == .other(0x23)
      }
      if marks > 0 { skipSeparators() }
      return marks
    }

    private mutating func skip(while isSkipped: (CodeCharacter) -> Bool) -> Int {
      var passed = 0
      var ahead = reader
      while let scalar = ahead.next(), isSkipped(CodeCharacter(scalar)) {
        reader = ahead
        passed += 1
      }
      scalars += passed
      return passed
    }
  }
}
