/// Looks for ISBNs in one stretch of digits and separators.
struct StretchSearch {
  let stretch: DigitStretch
  let isLabelled: Bool
  let bareISBN10: Bool

  /// A run of segments that reads as a valid ISBN.
  private struct Candidate {
    var isbn: AnyISBN
    /// The segments that it lies in.
    var segments: Range<Int>
    var symbols: Range<Int>
    var repairs: Int
    var isThirteen: Bool
  }

  /// The most segments that a number lies in, and that two which overlap can be apart.
  static let mostSegments = 26

  /// The matches that begin with a segment from the first pending one up to `end`.
  func matches(before end: Int) -> [ISBNMatch] {
    let start = stretch.firstPending
    var candidates: [Candidate] = []
    // Those on either side decide with them.
    let nearby =
      max(0, start - Self.mostSegments)..<min(stretch.segments.count, end + Self.mostSegments)
    for first in nearby {
      if let found = candidate(from: first, count: 13) { candidates.append(found) }
      if let found = candidate(from: first, count: 10) { candidates.append(found) }
      if stretch.symbols.count >= 26 { candidates += runTogether(from: first) }
    }
    let decided = chosen(from: candidates).filter { candidate in
      candidate.segments.lowerBound >= start && candidate.segments.lowerBound < end
    }
    return decided.map { candidate in
      let symbols = stretch.symbols[candidate.symbols]
      return ISBNMatch(
        isbn: candidate.isbn,
        utf8Range: symbols[symbols.startIndex].start..<symbols[symbols.endIndex - 1].end,
        repairs: candidate.repairs, isLabelled: isLabelled)
    }
  }

  /// Of candidates that overlap, the longer, which its prefix proves too, then the one with fewest
  /// repairs, then the first; none if repaired ones are equally good.
  private func chosen(from candidates: [Candidate]) -> [Candidate] {
    func isBetter(_ left: Candidate, _ right: Candidate) -> Bool {
      if left.isThirteen != right.isThirteen { return left.isThirteen }
      if left.repairs != right.repairs { return left.repairs < right.repairs }
      return left.segments.lowerBound < right.segments.lowerBound
    }
    var kept: [Candidate] = []
    // Candidates come in order, so only neighbours overlap.
    for (index, candidate) in candidates.enumerated() {
      var isKept = true
      for step in [-1, 1] {
        var other = index + step
        while candidates.indices.contains(other), isKept {
          let rival = candidates[other]
          let distance = abs(rival.segments.lowerBound - candidate.segments.lowerBound)
          guard distance <= Self.mostSegments else { break }
          other += step
          guard rival.segments.overlaps(candidate.segments) else { continue }
          let isTie =
            rival.repairs == candidate.repairs && rival.isThirteen == candidate.isThirteen
            && candidate.repairs > 0 && rival.isbn != candidate.isbn
          if isTie || isBetter(rival, candidate) { isKept = false }
        }
      }
      if isKept { kept.append(candidate) }
    }
    return kept
  }

  /// The ISBN of `count` characters that starts with segment `first` and ends with a segment, if
  /// there is one.
  private func candidate(from first: Int, count: Int) -> Candidate? {
    let segments = stretch.segments
    var end = first
    var length = 0
    var breaksLine = false
    while end < segments.count, length < count {
      if end > first, segments[end].gap.breaksLine { breaksLine = true }
      length += segments[end].count
      end += 1
    }
    guard length >= count, hasFreeEnds(first..<end, isThirteen: count == 13) else { return nil }
    let symbols = segments[first].first..<segments[first].first + count
    guard let (isbn, repairs) = Self.reading(of: stretch.symbols[symbols]) else { return nil }
    if length > count {
      guard count == 13 || isLabelled, endsInWord(segment: end - 1, at: symbols.upperBound)
      else { return nil }
    }
    // Half of the characters and more have to be digits as they stand.
    guard repairs * 2 < count, lettersFit(in: first..<end, of: isbn) else { return nil }
    switch isbn {
    case .isbn13(let number):
      guard isLabelled || (end - first <= 7 && (repairs == 0 || number.group != nil)) else {
        return nil
      }
      // Lines of a table are not number unless they break off where a hyphen would stand.
      guard isLabelled || !breaksLine || (repairs == 0 && isPrinted(isbn, in: first..<end)) else {
        return nil
      }
    case .isbn10(let number):
      let isBelieved =
        isLabelled
        ? isIntroduced(isbn, in: first..<end)
        : bareISBN10 && !breaksLine && standsAlone(number, in: first..<end, repairs: repairs)
      guard isBelieved else { return nil }
    }
    return Candidate(
      isbn: isbn, segments: first..<end, symbols: symbols, repairs: repairs,
      isThirteen: count == 13)
  }

  /// Whether the symbols of a segment from `start` on are letters that begin a word: "7Bound".
  private func endsInWord(segment index: Int, at start: Int) -> Bool {
    let segment = stretch.segments[index]
    guard !segment.isOverlong,
      stretch.symbols[start..<segment.end].allSatisfy({ $0.kind == .letter })
    else { return false }
    // One letter alone could be a digit of a longer number.
    return segment.end - start > 1
      || (index == stretch.segments.count - 1 && stretch.after == .letter)
  }

  /// Two ISBN-13 without anything between them, that start with segment `first` and end with a
  /// segment.
  ///
  /// Their prefixes and check digits prove both of them; letters are not repaired.
  private func runTogether(from first: Int) -> [Candidate] {
    let segments = stretch.segments
    var end = first
    var length = 0
    while end < segments.count, length < 26 {
      // If there is something between them, they are found one by one.
      if length == 13 || (end > first && segments[end].gap.breaksLine) { return [] }
      length += segments[end].count
      end += 1
    }
    guard length == 26, hasFreeEnds(first..<end, isThirteen: true) else { return [] }
    let start = segments[first].first
    let halves = [start..<start + 13, start + 13..<start + 26]
    let candidates = halves.compactMap { symbols -> Candidate? in
      guard let (isbn, repairs) = Self.reading(of: stretch.symbols[symbols]), repairs == 0 else {
        return nil
      }
      return Candidate(
        isbn: isbn, segments: first..<end, symbols: symbols, repairs: 0, isThirteen: true)
    }
    return candidates.count == 2 ? candidates : []
  }

  /// The symbols as an ISBN and the number of letters among them, where the check digit is right.
  private static func reading(
    of symbols: ArraySlice<DigitSymbol>
  ) -> (isbn: AnyISBN, repairs: Int)? {
    var body: UInt64 = 0
    var repairs = 0
    for symbol in symbols.dropLast() {
      guard symbol.kind != .x else { return nil }
      if symbol.kind == .letter { repairs += 1 }
      body = body * 10 + UInt64(symbol.digit)
    }
    guard let last = symbols.last else { return nil }
    if last.kind == .letter { repairs += 1 }
    if symbols.count == 13 {
      guard last.kind != .x, let isbn = try? ISBN13(number: body * 10 + UInt64(last.digit)) else {
        return nil
      }
      return (.isbn13(isbn), repairs)
    }
    let isbn = ISBN10(uncheckedBody: UInt32(body))
    guard CheckDigit.isbn10(of: isbn.body) == UInt32(last.digit) else { return nil }
    return (.isbn10(isbn), repairs)
  }

  /// Whether no number goes on before or behind the segments.
  private func hasFreeEnds(_ range: Range<Int>, isThirteen: Bool) -> Bool {
    let segments = stretch.segments
    if range.lowerBound > 0 {
      let previous = segments[range.lowerBound - 1]
      if segments[range.lowerBound].gap.joins, previous.hasDigit { return false }
      // What follows 978 is the rest of a damaged ISBN-13, not an ISBN-10.
      if !isThirteen, isBookPrefix(previous) { return false }
    } else if stretch.before == .letter {
      return false
    }
    if range.upperBound < segments.count {
      let next = segments[range.upperBound]
      return !(next.gap.joins && next.hasDigit) || (range.count == 1 && isZeroFraction(next))
    }
    return stretch.after != .letter || isThirteen || isLabelled
  }

  /// Whether the segment is ".0", with which programs write whole numbers that they took for
  /// measured ones.
  private func isZeroFraction(_ segment: DigitStretch.Segment) -> Bool {
    segment.gap.points == 1 && segment.count == 1 && stretch.symbols[segment.first].digit == 0
  }

  private func isX(_ segment: DigitStretch.Segment) -> Bool {
    segment.count == 1 && stretch.symbols[segment.first].kind == .x
  }

  private func isBookPrefix(_ segment: DigitStretch.Segment) -> Bool {
    guard segment.count == 3 else { return false }
    let digits = stretch.symbols[segment.first..<segment.end].map(\.digit)
    return digits == [9, 7, 8] || digits == [9, 7, 9]
  }

  /// Whether segments without a digit are parts of the number, not words beside or in it.
  ///
  /// They are if a hyphen joins them to it, if they are a single letter inside the number, or if
  /// they are at an end and a label or every separator confirms the number.
  private func lettersFit(in range: Range<Int>, of isbn: AnyISBN) -> Bool {
    let segments = stretch.segments
    return range.allSatisfy { index in
      let segment = segments[index]
      if segment.hasDigit || isX(segment) { return true }
      let isJoined =
        (index > range.lowerBound && segment.gap.joins)
        || (index + 1 < range.upperBound && segments[index + 1].gap.joins)
      let isInside = index > range.lowerBound && index + 1 < range.upperBound
      return isJoined
        || (segment.count == 1 && (isInside || isLabelled || isPrinted(isbn, in: range)))
    }
  }

  /// Whether the number is in an assigned range and its separators are at the printed places.
  private func isPrinted(_ isbn: AnyISBN, in range: Range<Int>) -> Bool {
    let registration = RegistrationRange(holding: isbn.isbn13.number)
    guard registration.registrantLength > 0 else { return false }
    var start = 0
    if case .isbn13 = isbn { start = 3 }
    let boundaries = registration.boundaries(from: start)
    var count = 0
    return range.dropLast().allSatisfy { index in
      count += stretch.segments[index].count
      return boundaries & (1 << UInt32(count)) != 0
    }
  }

  /// Whether an ISBN-10 after the word ISBN is what that word introduces, and not a part of some
  /// other number near it.
  private func isIntroduced(_ isbn: AnyISBN, in range: Range<Int>) -> Bool {
    guard stretch.before != .sign else { return false }
    return range.lowerBound == 0 || isPrinted(isbn, in: range)
  }

  /// Whether an ISBN-10 without a label is to be believed.
  private func standsAlone(_ isbn: ISBN10, in range: Range<Int>, repairs: Int) -> Bool {
    guard isPrinted(.isbn10(isbn), in: range), repairs <= (range.count > 1 ? 4 : 2) else {
      return false
    }
    guard stretch.before != .sign else { return false }
    if range.lowerBound == 0 {
      guard stretch.before == .blank, !stretch.word.namesOther else { return false }
    }
    return range.upperBound < stretch.segments.count || stretch.after == .blank
  }
}
