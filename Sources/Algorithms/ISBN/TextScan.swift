/// One pass over a text that comes whole or in pieces.
///
/// It collects stretches of digits and separators, and searches each for ISBNs. Its memory is
/// bounded for any length of the text or of a number in it.
struct TextScan {
  /// What was found; the caller may take it out.
  var matches: [ISBNMatch] = []

  private let repairs: Bool
  private let bareISBN10: Bool
  /// The offset of the next character in the text.
  private(set) var position = 0
  private var stretch = DigitStretch()
  /// The separators since the last digit of the stretch.
  private var gap = DigitGap()
  /// What stands directly before the next character.
  private var previous = Neighbour.blank
  /// The offset up to which numbers count as labelled.
  private var labelLimit = -1
  /// The last words, for telling telephone numbers.
  private var word = NumberWord()

  /// How far behind the word ISBN, in bytes, a number still counts as labelled.
  private static let labelReach = 48
  /// How far behind a labelled number the next one does, as in a list.
  private static let listReach = 16

  /// An upper bound of the bytes read ahead: a label in full-width letters with its 13.
  private static let lookahead = 64
  /// A stretch of more segments is searched before it ends, except the last of them.
  private static let mostSegments = 256
  /// More segments than decide on a match behind the one that it begins with.
  private static let contextSegments = 2 * StretchSearch.mostSegments + 2

  init(_ extractor: ISBNExtractor) {
    repairs = extractor.repairsMisreadings
    bareISBN10 = extractor.acceptsUnlabelledISBN10
  }

  /// The offset before which no match that is not found yet begins.
  var settledPosition: Int { stretch.pendingStart ?? position }

  /// Reads on: `bytes` are those of the text from ``position``.
  ///
  /// Unless the bytes are the last of the text, their end is not read yet, because it depends on
  /// what follows. The next call begins with it.
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) {
    let base = position
    let limit = isLast ? bytes.count : bytes.count - Self.lookahead
    var reader = ScalarReader(bytes)
    while reader.offset < limit {
      if !stretch.isOpen, skipWord(&reader) { continue }
      let start = reader.offset
      if let end = MisreadLabel.end(in: bytes, at: start) {
        finish(before: .blank)
        labelLimit = base + end + Self.labelReach
        word = NumberWord()
        previous = .blank
        reader = ScalarReader(bytes, at: end)
        continue
      }
      guard let scalar = reader.next() else {
        reader.skipByte()
        finish(before: .mark)
        previous = .mark
        continue
      }
      position = base + start
      take(scalar, before: reader)
    }
    position = base + reader.offset
    if isLast { finish(before: .blank) }
  }

  /// Skips one ASCII letter outside numbers that begins neither a number nor a label.
  ///
  /// The result is that of ``take(_:before:)``, in less time for most of a text.
  private mutating func skipWord(_ reader: inout ScalarReader) -> Bool {
    let byte = reader.bytes[reader.offset]
    switch byte | 0x20 {
    // Letters that are not a digit's misreading; a label may begin with i or l.
    case 0x61, 0x63...0x68, 0x6A, 0x6B, 0x6D, 0x6E, 0x70...0x72, 0x74...0x77, 0x79, 0x7A: break
    // Inside a word the others (b, o, s, x) are letters too.
    case 0x62, 0x6F, 0x73, 0x78: guard previous == .letter else { return false }
    default: return false
    }
    addToWord(byte & 0xDF)
    reader.skipByte()
    return true
  }

  /// Takes an upper-case ASCII letter, or 0 for one of another alphabet.
  private mutating func addToWord(_ letter: UInt8) {
    word.append(letter, startsWord: previous != .letter)
    previous = .letter
  }

  /// Takes the character at ``position``, behind which `reader` reads on.
  private mutating func take(_ scalar: Unicode.Scalar, before reader: ScalarReader) {
    let character = CodeCharacter(scalar)
    switch character {
    case .digit(let digit):
      append(DigitSymbol(digit: digit, kind: .digit, at: position, scalar))
    case .dash, .space, .newline:
      separate(character, scalar)
    case .x:
      if isInsideWord {
        addToWord(0x58)
      } else {
        append(DigitSymbol(digit: 10, kind: .x, at: position, scalar), letter: 0x58)
      }
    case .letter where repairs && stretch.isOpen && (scalar == "\u{425}" || scalar == "\u{445}"):
      // Russian books print the Cyrillic letter for X.
      append(DigitSymbol(digit: 10, kind: .x, at: position, scalar), letter: 0)
    case .letter(let letter):
      if repairs, !isInsideWord, let digit = Self.misread(scalar) {
        append(DigitSymbol(digit: digit, kind: .letter, at: position, scalar), letter: letter)
      } else {
        finish(before: .letter)
        addToWord(letter)
      }
    case .other(let mark):
      takeMark(mark, scalar, before: reader)
    }
  }

  /// Whether the next letter goes on a word: no number starts there.
  private var isInsideWord: Bool { !stretch.isOpen && previous == .letter }

  /// With digits on both sides, a full stop, a low line, a quotation mark and the like may be a
  /// misread hyphen, and a bar a misread 1.
  private mutating func takeMark(
    _ mark: UInt8, _ scalar: Unicode.Scalar, before reader: ScalarReader
  ) {
    if stretch.isOpen, nextMayBeDigit(reader) {
      if scalar == "|", repairs {
        append(DigitSymbol(digit: 1, kind: .letter, at: position, scalar), letter: 0)
        return
      }
      if gap.isEmpty {
        switch scalar {
        case ".":
          gap.points = 1
          return
        case "_", "~", "=", "\"", "'", "`", "´", "‘", "’", "“", "”", "•":
          gap.marks = 1
          return
        default: break
        }
      }
    }
    let neighbour = Neighbour(mark: mark, scalar)
    finish(before: neighbour)
    previous = neighbour
  }

  private func nextMayBeDigit(_ reader: ScalarReader) -> Bool {
    var ahead = reader
    guard let scalar = ahead.next() else { return false }
    if case .digit = CodeCharacter(scalar) { return true }
    return repairs && Self.misread(scalar) != nil
  }

  /// Takes a digit, or a letter that could be one and is part of a word as well, as in "tel".
  private mutating func append(_ symbol: DigitSymbol, letter: UInt8? = nil) {
    if !stretch.isOpen { stretch.before = previous }
    if let letter {
      addToWord(letter)
    } else {
      if !stretch.hasDigit { stretch.word = word }
      previous = .blank
    }
    stretch.append(symbol, after: gap)
    gap = DigitGap()
    settle()
  }

  private mutating func separate(_ character: CodeCharacter, _ scalar: Unicode.Scalar) {
    previous = character == .dash ? .mark : .blank
    if character == .newline { word = NumberWord() }
    guard stretch.isOpen else { return }
    gap.add(character, scalar)
    if gap.isTooWide {
      finish(before: .blank)
      // What follows stands in another column.
      word = NumberWord()
    }
  }

  /// Looks for ISBNs in the stretch that ends here.
  private mutating func finish(before after: Neighbour) {
    // Between numbers, which is most of a text, there is nothing to do.
    guard stretch.isOpen else { return }
    stretch.after = gap.isEmpty ? after : .blank
    stretch.dropWords()
    report(before: stretch.segments.count)
    if isLabelled, let end = stretch.lastMatchEnd { labelLimit = end + Self.listReach }
    stretch.removeAll()
    gap = DigitGap()
  }

  /// Searches for ISBNs in an unfinished stretch that no later text can change, and drops that
  /// part.
  private mutating func settle() {
    let count = stretch.segments.count
    if stretch.segments[count - 1].isOverlong {
      guard stretch.firstPending < count else { return }
      // No number goes on into it or beyond.
      report(before: count)
      stretch.dropSegments(count - 1, pending: count)
    } else if count > Self.mostSegments {
      let end = count - Self.contextSegments
      report(before: end)
      stretch.dropSegments(end - Self.contextSegments, pending: end)
    }
  }

  /// Whether the word ISBN stands before the stretch.
  private var isLabelled: Bool {
    stretch.start <= labelLimit && !stretch.word.denies
  }

  /// Finds the matches that begin with a pending segment before `end`.
  private mutating func report(before end: Int) {
    guard let last = stretch.segments.last, last.end >= 10 else { return }
    let found = StretchSearch(stretch: stretch, isLabelled: isLabelled, bareISBN10: bareISBN10)
      .matches(before: end)
    matches += found
    if let last = found.last { stretch.lastMatchEnd = last.utf8Range.upperBound }
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
  /// A plus or currency sign.
  case sign
  /// Anything else: a hyphen, a number sign.
  case mark

  /// What a character other than letters, digits and hyphens is; `mark` is 0 for those beyond
  /// ASCII.
  init(mark: UInt8, _ scalar: Unicode.Scalar) {
    switch mark {
    // ! " ' ( ) , . / : ; < > ? [ ] { | }
    case 0x21, 0x22, 0x27...0x29, 0x2C, 0x2E, 0x2F, 0x3A...0x3C, 0x3E, 0x3F, 0x5B, 0x5D,
      0x7B...0x7D:
      self = .blank
    // + $
    case 0x2B, 0x24: self = .sign
    case 0: self = scalar.properties.generalCategory == .currencySymbol ? .sign : .blank
    default: self = .mark
    }
  }
}
