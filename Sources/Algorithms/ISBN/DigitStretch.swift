/// One character that is or may be a digit.
struct DigitSymbol {
  enum Kind { case digit, letter, x }

  /// 0 to 9, or 10 for X.
  var digit: UInt8
  var kind: Kind
  /// Where it stands in the text, in bytes.
  var start: Int
  var end: Int

  init(digit: UInt8, kind: Kind, at start: Int, _ scalar: Unicode.Scalar) {
    self.digit = digit
    self.kind = kind
    self.start = start
    end = start + UTF8.width(scalar)
  }
}

/// The separators between two digits.
struct DigitGap: Equatable {
  var spaces = 0
  var dashes = 0
  var newlines = 0
  var marks = 0

  mutating func add(_ character: CodeCharacter) {
    switch character {
    case .space: spaces += 1
    case .dash: dashes += 1
    default: newlines += 1
    }
  }

  var isEmpty: Bool { self == DigitGap() }

  /// More than may stand inside one number.
  var isTooWide: Bool { spaces > 3 || dashes > 2 || newlines > 1 }

  /// Whether the number goes on behind the gap beyond doubt: a hyphen or mark without a space.
  var joins: Bool { spaces == 0 && newlines == 0 && dashes + marks > 0 }

  /// Whether a number may cross the gap without a label: not a line break, but for one behind a
  /// hyphen.
  var isCrossable: Bool { newlines == 0 || dashes > 0 }
}

/// A stretch of text that holds digits, letters that may be digits, and separators, nothing else.
struct DigitStretch {
  /// Characters without a separator between them.
  struct Segment {
    /// As many symbols as are kept of one: with one more than thirteen it is no part of an ISBN,
    /// whatever follows.
    static let mostSymbols = 14

    /// The symbols `first..<end`.
    var first: Int
    var end: Int
    /// How many of them are letters.
    var letters: Int
    /// What stands before it.
    var gap: DigitGap

    var count: Int { end - first }
    var hasDigit: Bool { letters < count }
    var isOverlong: Bool { count == Self.mostSymbols }
  }

  private(set) var symbols: [DigitSymbol] = []
  private(set) var segments: [Segment] = []
  /// Whether any symbol is a digit as it stands.
  private(set) var hasDigit = false
  /// What stands directly before and behind.
  var before = Neighbour.blank
  var after = Neighbour.blank
  /// The word before it, packed.
  var word: UInt64 = 0
  /// Where its first symbol stands in the text.
  private(set) var start = 0
  /// The first segment that a match not yet reported may begin with.
  private(set) var firstPending = 0
  /// Where the last match reported so far ends.
  var lastMatchEnd: Int?

  var isOpen: Bool { !symbols.isEmpty }

  /// Where the first match not yet reported may begin, or nil where no segment is left for one.
  var pendingStart: Int? {
    firstPending < segments.count ? symbols[segments[firstPending].first].start : nil
  }

  mutating func append(_ symbol: DigitSymbol, after gap: DigitGap) {
    let letters = symbol.kind == .digit ? 0 : 1
    if letters == 0 { hasDigit = true }
    if symbols.isEmpty { start = symbol.start }
    if gap.isEmpty, let last = segments.last {
      guard !last.isOverlong else { return }
      segments[segments.count - 1].end += 1
      segments[segments.count - 1].letters += letters
    } else {
      segments.append(
        Segment(first: symbols.count, end: symbols.count + 1, letters: letters, gap: gap))
    }
    symbols.append(symbol)
  }

  mutating func removeAll() {
    symbols.removeAll(keepingCapacity: true)
    segments.removeAll(keepingCapacity: true)
    hasDigit = false
    before = .blank
    after = .blank
    word = 0
    firstPending = 0
    lastMatchEnd = nil
  }

  /// Forgets the first `count` segments; matches that begin before segment `pending` are reported.
  mutating func dropSegments(_ count: Int, pending: Int) {
    let dropped = count < segments.count ? segments[count].first : symbols.count
    symbols.removeFirst(dropped)
    segments.removeFirst(count)
    for index in segments.indices {
      segments[index].first -= dropped
      segments[index].end -= dropped
    }
    firstPending = pending - count
  }

  /// Drops letters at the end that belong to a word: "Bo" of "Boston".
  mutating func dropWords() {
    if after == .letter, let last = segments.last, !last.hasDigit {
      segments.removeLast()
      after = .blank
    }
  }
}
