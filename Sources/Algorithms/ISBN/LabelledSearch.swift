/// A search for numbers of a fixed length in a text, and for the word that says what they are.
struct LabelledSearch {
  /// The word in front, upper-case ASCII.
  let label: StaticString
  /// What may stand behind the word and belongs to it, as in "ISMN-13".
  let forms: [StaticString]
  /// The number of digits.
  let digits: Int
  /// Whether the last digit may be an X.
  let endsInX: Bool

  /// How far behind the word, or behind a labelled number, the next still counts as labelled.
  private static let reach = 48

  /// The right number of digits with single separators between them, and nothing on either side
  /// that could belong to them.
  struct Candidate {
    let bytes: Slice<UnsafeBufferPointer<UInt8>>
    /// Whether the word, or another labelled number, stands before it.
    let isLabelled: Bool
    /// Whether the word itself does, and no number between them.
    let isIntroduced: Bool
    /// Whether an M stands before the digits.
    let startsWithM: Bool
    /// After how many digits there is a separator.
    var gaps: [Int] = []
    /// Whether there are separators and all are hyphens.
    var hasHyphens = false
  }

  /// The numbers that `read` makes of candidates, in the order of the text.
  func matches<Number>(
    in bytes: UnsafeBufferPointer<UInt8>, read: (Candidate) -> Number?
  ) -> [ProductNumberMatch<Number>] {
    var found: [ProductNumberMatch<Number>] = []
    var reader = ScalarReader(bytes)
    var wordLimit = -1
    var listLimit = -1
    /// Whether a number may begin here: nothing before it could belong to it.
    var isFree = true
    while !reader.isAtEnd {
      let start = reader.offset
      if let end = labelEnd(in: bytes, at: start) {
        wordLimit = end + Self.reach
        listLimit = wordLimit
        reader = ScalarReader(bytes, at: end)
        isFree = true
        continue
      }
      if isFree,
        let candidate = candidate(
          in: bytes, at: start, isLabelled: start <= listLimit, isIntroduced: start <= wordLimit),
        let number = read(candidate)
      {
        let range = candidate.bytes.startIndex..<candidate.bytes.endIndex
        found.append(
          ProductNumberMatch(number: number, utf8Range: range, isLabelled: candidate.isLabelled))
        if candidate.isLabelled { listLimit = range.upperBound + Self.reach }
        wordLimit = -1
        reader = ScalarReader(bytes, at: range.upperBound)
        isFree = false
        continue
      }
      guard let scalar = reader.next() else {
        reader.skipByte()
        isFree = true
        continue
      }
      switch CodeCharacter(scalar) {
      case .digit, .x, .letter: isFree = false
      // Behind "1-" and "1." a number goes on; behind "ISSN-" and "(" one begins.
      case .dash, .other(0x2E): isFree = !isDigit(before: start, in: bytes)
      // Behind "10/" and "1," too, but two numbers may be strung together with them.
      case .other(0x2C), .other(0x2F):
        isFree = found.last?.utf8Range.upperBound == start || !isDigit(before: start, in: bytes)
      case .space, .newline, .other: isFree = true
      }
    }
    return found
  }

  /// Whether the byte before `offset` is an ASCII digit or X.
  private func isDigit(before offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    offset > 0 && (bytes[offset - 1] &- 0x30 < 10 || bytes[offset - 1] == 0x58)
  }

  /// The end of the label that begins here; nil if none does.
  private func labelEnd(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    // An I in either case, or a full-width letter.
    guard bytes[start] | 0x20 == 0x69 || bytes[start] == 0xEF else { return nil }
    var reader = ScalarReader(bytes, at: start)
    for index in 0..<label.utf8CodeUnitCount {
      // The index is below the length of the literal.
      let expected = CodeCharacter(ascii: label.utf8Start[index])
      guard let scalar = reader.next(), CodeCharacter(scalar) == expected else { return nil }
    }
    let end = reader.offset
    // "ISSN-L", and "ISMN-13" before a separator.
    var ahead = reader
    if let scalar = ahead.next() {
      switch CodeCharacter(scalar) {
      case .dash, .space:
        if let form = formEnd(behind: ahead) { return form }
      // "ISSNs"; another letter makes another word of it.
      case .letter(0x53): return ahead.offset
      case .letter, .x: return nil
      default: break
      }
    }
    return end
  }

  /// The end of a form that no digit, letter or hyphen follows.
  private func formEnd(behind start: ScalarReader) -> Int? {
    for form in forms {
      var reader = start
      let isThere = (0..<form.utf8CodeUnitCount).allSatisfy { index in
        let expected = CodeCharacter(ascii: form.utf8Start[index])
        return reader.next().map { CodeCharacter($0) == expected } ?? false
      }
      guard isThere else { continue }
      var ahead = reader
      switch ahead.next().map({ CodeCharacter($0) }) {
      case .digit, .letter, .x, .dash: continue
      default: return reader.offset
      }
    }
    return nil
  }

  /// The digits that begin here, if nothing goes on behind them.
  private func candidate(
    in bytes: UnsafeBufferPointer<UInt8>, at start: Int, isLabelled: Bool, isIntroduced: Bool
  ) -> Candidate? {
    var reader = ScalarReader(bytes, at: start)
    var count = 0
    var startsWithM = false
    var gaps: [Int] = []
    var hyphens = 0
    var end = start
    var isGap = false
    while count < digits {
      guard let scalar = reader.next() else { return nil }
      switch CodeCharacter(scalar) {
      case .digit:
        count += 1
        isGap = false
      case .x where endsInX && count == digits - 1:
        count += 1
        isGap = false
      case .letter(0x4D) where count == 0 && !startsWithM:
        startsWithM = true
      case .dash where !isGap && (count > 0 || startsWithM):
        hyphens += 1
        gaps.append(count)
        isGap = true
      case .space where !isGap && (count > 0 || startsWithM):
        gaps.append(count)
        isGap = true
      default: return nil
      }
      end = reader.offset
    }
    guard !goesOn(reader) else { return nil }
    return Candidate(
      bytes: bytes[start..<end], isLabelled: isLabelled, isIntroduced: isIntroduced,
      startsWithM: startsWithM, gaps: gaps, hasHyphens: hyphens > 0 && hyphens == gaps.count)
  }

  /// Whether a number goes on: a digit or letter follows, or one behind a hyphen or point.
  private func goesOn(_ reader: ScalarReader) -> Bool {
    var ahead = reader
    guard let next = ahead.next() else { return false }
    switch CodeCharacter(next) {
    case .digit, .letter, .x: return true
    case .dash, .other(0x2E):
      guard let after = ahead.next(), case .digit = CodeCharacter(after) else { return false }
      return true
    default: return false
    }
  }
}
