/// One character that is or may be a digit.
struct DigitSymbol {
  enum Kind { case digit, letter, x }

  /// 0 to 9, or 10 for X.
  var digit: UInt8
  var kind: Kind
  /// Its offset in the text, in bytes.
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
  /// Spaces before a line break, if there is one.
  var spaces = 0
  var dashes = 0
  var newlines = 0
  /// Spaces behind a line break.
  var indent = 0
  /// Full stops, which are misread hyphens or make a decimal fraction.
  var points = 0
  /// Other marks that hyphens are misread as, and that numbers are also strung together with.
  var marks = 0
  /// Whether a line feed would end the same line once more.
  private var endsInReturn = false

  mutating func add(_ character: CodeCharacter, _ scalar: Unicode.Scalar) {
    defer { endsInReturn = scalar == "\r" }
    switch character {
    case .space where newlines > 0: indent += 1
    case .space: spaces += 1
    case .dash: dashes += 1
    default: if !(endsInReturn && scalar == "\n") { newlines += 1 }
    }
  }

  var isEmpty: Bool { self == DigitGap() }

  /// More than may stand inside one number.
  var isTooWide: Bool { spaces > 3 || dashes > 2 || newlines > 1 || indent > 16 }

  /// Whether the number goes on behind the gap beyond doubt: a hyphen or point without a space.
  var joins: Bool { spaces == 0 && newlines == 0 && dashes + points > 0 }

  /// Whether it is a line break, and not one behind a hyphen.
  var breaksLine: Bool { newlines > 0 && dashes == 0 }
}

/// A stretch of text that holds digits, letters that may be digits, and separators, nothing else.
struct DigitStretch {
  /// Characters without a separator between them.
  struct Segment {
    /// The greatest number of symbols that are kept of one stretch.
    ///
    /// A stretch with more symbols than two ISBNs is not a part of any.
    static let mostSymbols = 27

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
  /// The words before it.
  var word = NumberWord()
  /// The offset of its first symbol in the text.
  private(set) var start = 0
  /// The first segment that a match not yet reported may begin with.
  private(set) var firstPending = 0
  /// The end of the last match reported so far.
  var lastMatchEnd: Int?

  var isOpen: Bool { !symbols.isEmpty }

  /// The offset at which the first match not yet reported may begin.
  ///
  /// Nil if no segment is left for one.
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
    word = NumberWord()
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

  /// Drops letters at the end that belong to a word, as "Bo" of "Boston" does.
  ///
  /// Those behind a hyphen may be a number's last.
  mutating func dropWords() {
    if after == .letter, let last = segments.last, !last.hasDigit, !last.gap.joins {
      segments.removeLast()
      after = .blank
    }
  }
}
