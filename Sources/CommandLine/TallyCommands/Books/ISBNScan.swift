import CommandKit
import ISBN

/// Prints every ISBN of a text as it is read; what is kept of the text does not grow with it.
struct ISBNScan {
  /// The file, or `-` for standard input.
  let path: String
  let console: Console
  let printsJSON: Bool

  /// - Throws: ``CommandError`` if the text cannot be opened or read, or is in UTF-16.
  func run() throws {
    var stream = ISBNTextStream()
    var text = ScannedText()
    var found = 0
    try TextPieces(path: path, console: console).forEach { bytes in
      text.append(bytes)
      let matches = stream.read(bytes)
      found += matches.count
      try show(matches, in: &text)
      text.drop(before: stream.settledOffset)
    }
    let matches = stream.finish()
    found += matches.count
    try show(matches, in: &text)
    if found == 0, !printsJSON { try console.print("\(PrintableText.of(path)): no ISBN found") }
  }

  private func show(_ matches: [ISBNMatch], in text: inout ScannedText) throws(OutputFailure) {
    var lines: [String] = []
    for match in matches {
      let place = text.place(of: match.utf8Range)
      lines.append(
        printsJSON ? json(match, at: place).text : line(match, at: place))
    }
    if !lines.isEmpty { try console.print(lines.joined(separator: "\n")) }
  }

  private func line(_ match: ISBNMatch, at place: ScannedText.Place) -> String {
    var parts = [match.isbn.hyphenated ?? match.isbn.description]
    if let group = match.isbn.isbn13.group { parts.append(group.name) }
    if match.repairs > 0 {
      parts.append(
        "\(Sentence.count(match.repairs, "letter", "letters")) read as digits: "
          + PrintableText.of(place.text))
    }
    let cursor = place.cursor
    return "\(PrintableText.of(path)):\(cursor.line):\(cursor.column): "
      + parts.joined(separator: ", ")
  }

  private func json(_ match: ISBNMatch, at place: ScannedText.Place) -> JSONText {
    .object(
      [
        ("file", .string(path)), ("line", .integer(place.cursor.line)),
        ("column", .integer(place.cursor.column)), ("offset", .integer(match.utf8Range.lowerBound)),
        ("code", .string(place.text)),
      ] + JSONText.members(of: match.isbn) + [
        ("repairs", .integer(match.repairs)), ("labelled", .bool(match.isLabelled)),
      ])
  }
}

/// The bytes of a text that may still be shown, and where they stand.
struct ScannedText {
  /// The place of a match, and its text there.
  struct Place: Equatable {
    let cursor: TextCursor
    let text: String
  }

  private var bytes: [UInt8] = []
  /// The offset of the first of ``bytes`` in the text.
  private var start = 0
  /// The place at the offset ``position``.
  private var cursor = TextCursor()
  private var position = 0

  mutating func append(_ more: some Collection<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// The place of a match that begins no earlier than the last one, and is not dropped.
  mutating func place(of range: Range<Int>) -> Place {
    advance(to: range.lowerBound)
    let text = bytes[range.lowerBound - start..<range.upperBound - start]
    return Place(cursor: cursor, text: String(decoding: text, as: UTF8.self))
  }

  /// Forgets the bytes before an offset, no earlier than that of the last match.
  mutating func drop(before offset: Int) {
    advance(to: offset)
    bytes.removeFirst(offset - start)
    start = offset
  }

  private mutating func advance(to offset: Int) {
    cursor.advance(over: bytes[position - start..<offset - start])
    position = offset
  }
}
