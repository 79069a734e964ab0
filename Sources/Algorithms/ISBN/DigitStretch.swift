/// One character that is or may be a digit.
struct DigitSymbol {
  enum Kind { case digit, letter, x }

  /// 0 to 9, or 10 for X.
  var digit: UInt8
  var kind: Kind
  /// Where it stands in the bytes.
  var start: Int
  var end: Int
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
    /// The symbols `first..<end`.
    var first: Int
    var end: Int
    /// How many of them are letters.
    var letters: Int
    /// What stands before it.
    var gap: DigitGap

    var count: Int { end - first }
    var hasDigit: Bool { letters < count }
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

  var isOpen: Bool { !symbols.isEmpty }

  /// Where the first digit stands in the bytes.
  var start: Int { segments.first.map { symbols[$0.first].start } ?? 0 }

  mutating func append(_ symbol: DigitSymbol, after gap: DigitGap) {
    let letters = symbol.kind == .digit ? 0 : 1
    if letters == 0 { hasDigit = true }
    if gap.isEmpty, !segments.isEmpty {
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
  }

  /// Drops letters at the end that belong to a word: "Bo" of "Boston".
  mutating func dropWords() {
    if after == .letter, let last = segments.last, !last.hasDigit {
      segments.removeLast()
      after = .blank
    }
  }
}
