/// One pass over a text: gathers stretches of digits and separators and looks for ISBNs in each.
struct TextScan {
  private(set) var matches: [ISBNMatch] = []

  private let repairs: Bool
  private let bareISBN10: Bool
  private var reader: ScalarReader
  private var stretch = DigitStretch()
  /// The separators since the last digit of the stretch.
  private var gap = DigitGap()
  /// What stands directly before the next character.
  private var previous = Neighbour.blank
  /// Up to where numbers count as labelled.
  private var labelLimit = -1
  /// The last word, packed, for telling telephone numbers.
  private var word: UInt64 = 0

  /// How far behind the word ISBN, in bytes, a number still counts as labelled.
  private static let labelReach = 48
  /// How far behind a labelled number the next one does, as in a list.
  private static let listReach = 16

  init(_ bytes: UnsafeBufferPointer<UInt8>, repairs: Bool, bareISBN10: Bool) {
    reader = ScalarReader(bytes)
    self.repairs = repairs
    self.bareISBN10 = bareISBN10
  }

  mutating func run() {
    while !reader.isAtEnd {
      if !stretch.isOpen, skipWord() { continue }
      let start = reader.offset
      if let end = MisreadLabel.end(in: reader.bytes, at: start) {
        finish(before: .blank)
        labelLimit = end + Self.labelReach
        word = 0
        previous = .blank
        reader = ScalarReader(reader.bytes, at: end)
        continue
      }
      guard let scalar = reader.next() else {
        reader.skipByte()
        finish(before: .mark)
        previous = .mark
        continue
      }
      take(CodeCharacter(scalar), scalar: scalar, at: start)
    }
    finish(before: .blank)
  }

  /// Passes over one ASCII letter outside numbers that begins neither a number nor a label, the same
  /// as ``take(_:scalar:at:)`` would: most of a text.
  private mutating func skipWord() -> Bool {
    let byte = reader.bytes[reader.offset]
    switch byte | 0x20 {
    // Letters that are no digit's misreading; a label may begin with i or l.
    case 0x61, 0x63...0x68, 0x6A, 0x6B, 0x6D, 0x6E, 0x70...0x72, 0x74...0x77, 0x79, 0x7A: break
    // Inside a word the others (b, o, s, x) are letters too.
    case 0x62, 0x6F, 0x73, 0x78: guard previous == .letter else { return false }
    default: return false
    }
    addToWord(byte)
    reader.skipByte()
    return true
  }

  private mutating func addToWord(_ byte: UInt8) {
    let letter = UInt64(byte & 0xDF)
    word = previous == .letter ? word << 8 | letter : letter
    previous = .letter
  }

  private mutating func take(_ character: CodeCharacter, scalar: Unicode.Scalar, at start: Int) {
    switch character {
    case .digit(let digit):
      append(DigitSymbol(digit: digit, kind: .digit, start: start, end: reader.offset))
    case .x where !isInsideWord:
      append(DigitSymbol(digit: 10, kind: .x, start: start, end: reader.offset))
    case .dash, .space, .newline:
      separate(character)
    case .letter, .x:
      if repairs, !isInsideWord, let digit = Self.misread(scalar) {
        append(DigitSymbol(digit: digit, kind: .letter, start: start, end: reader.offset))
      } else {
        finish(before: .letter)
        addToWord(reader.bytes[start])
      }
    case .other(let mark):
      takeMark(mark, at: start)
    }
  }

  /// Whether the next letter goes on a word: no number starts there.
  private var isInsideWord: Bool { !stretch.isOpen && previous == .letter }

  /// A full stop, low line, tilde or equals sign may be a misread hyphen, and a bar a misread 1, where
  /// digits stand on both sides.
  private mutating func takeMark(_ mark: UInt8, at start: Int) {
    if stretch.isOpen, nextMayBeDigit {
      switch mark {
      case 0x7C where repairs:
        append(DigitSymbol(digit: 1, kind: .letter, start: start, end: reader.offset))
        return
      case 0x2E, 0x5F, 0x7E, 0x3D:
        if gap.isEmpty {
          gap.marks = 1
          return
        }
      default: break
      }
    }
    finish(before: .init(mark: mark))
    previous = .init(mark: mark)
  }

  private var nextMayBeDigit: Bool {
    var ahead = reader
    guard let scalar = ahead.next() else { return false }
    if case .digit = CodeCharacter(scalar) { return true }
    return repairs && Self.misread(scalar) != nil
  }

  private mutating func append(_ symbol: DigitSymbol) {
    if !stretch.isOpen { stretch.before = previous }
    // A letter that could be a digit is part of a word as well, as in "tel".
    if symbol.kind == .digit {
      if !stretch.hasDigit { stretch.word = word }
      previous = .blank
    } else {
      addToWord(reader.bytes[symbol.start])
    }
    stretch.append(symbol, after: gap)
    gap = DigitGap()
  }

  private mutating func separate(_ character: CodeCharacter) {
    previous = character == .dash ? .mark : .blank
    if character == .newline { word = 0 }
    guard stretch.isOpen else { return }
    gap.add(character)
    if gap.isTooWide { finish(before: .blank) }
  }

  /// Looks for ISBNs in the stretch that ends here.
  private mutating func finish(before after: Neighbour) {
    // Between numbers, which is most of a text, there is nothing to do.
    guard stretch.isOpen else { return }
    defer {
      stretch.removeAll()
      gap = DigitGap()
    }
    stretch.after = gap.isEmpty ? after : .blank
    stretch.dropWords()
    guard let last = stretch.segments.last, last.end >= 10 else { return }
    let isLabelled = stretch.start <= labelLimit && !NumberWord.denies(stretch.word)
    let found = StretchSearch(
      stretch: stretch, isLabelled: isLabelled, bareISBN10: bareISBN10
    ).matches()
    matches += found
    if isLabelled, let last = found.last {
      labelLimit = last.utf8Range.upperBound + Self.listReach
    }
  }

  /// The digit that a letter is the misreading of.
  private static func misread(_ letter: Unicode.Scalar) -> UInt8? {
    switch letter {
    case "O", "o": return 0
    case "I", "l", "i": return 1
    case "B": return 8
    case "S", "s": return 5
    default: return nil
    }
  }
}

/// What stands beside a stretch of digits.
enum Neighbour {
  /// A space, a line break, an end of the text, or a bracket, quotation mark, comma or the like.
  case blank
  /// A letter.
  case letter
  /// Anything else: a plus sign, a currency sign, a hyphen.
  case mark

  /// What an ASCII character other than letters, digits and hyphens is; 0 stands for all others.
  init(mark: UInt8) {
    switch mark {
    // ! " ' ( ) , . / : ; < > ? [ ] { | }
    case 0x21, 0x22, 0x27...0x29, 0x2C, 0x2E, 0x2F, 0x3A...0x3C, 0x3E, 0x3F, 0x5B, 0x5D,
      0x7B...0x7D, 0:
      self = .blank
    default: self = .mark
    }
  }
}
