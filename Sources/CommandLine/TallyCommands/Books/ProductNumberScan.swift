import CommandKit
import Foundation
import ISBN

/// Prints every ISSN or ISMN of a text, or every number of any kind, which is read whole.
struct ProductNumberScan {
  /// The file, or `-` for standard input.
  let path: String
  let kind: ProductNumberKind
  let console: Console
  let printsJSON: Bool

  /// One number and where it is.
  private struct Match {
    let offsets: Range<Int>
    let text: String
    let members: [(String, JSONText)]
    let isLabelled: Bool
  }

  /// - Throws: ``CommandError`` if the text cannot be read, is in UTF-16, or is longer than
  ///   ``InputFile/largestNote``.
  func run() throws {
    var bytes: [UInt8] = []
    try TextPieces(path: path, console: console).forEach { piece in
      guard bytes.count + piece.count <= InputFile.largestNote else {
        throw CommandError(
          .badData, at: path,
          "it has more than \(InputFile.largestNote >> 20) MiB; only ISBNs are found in more")
      }
      bytes += piece
    }
    let found = bytes.withUnsafeBufferPointer { matches(in: $0) }
    var text = ScannedText()
    text.append(bytes)
    for match in found { try show(match, at: text.place(of: match.offsets)) }
    if found.isEmpty, !printsJSON {
      let name =
        switch kind {
        case .any: "number"
        case .isbn, .issn, .ismn, .gtin14: kind.rawValue.uppercased()
        }
      try console.print("\(PrintableText.of(path)): no \(name) found")
    }
  }

  /// The matches in the order of the text; one inside another is dropped.
  private func matches(in bytes: UnsafeBufferPointer<UInt8>) -> [Match] {
    var found: [Match] = []
    if kind == .any {
      found += ISBNExtractor().matches(inUTF8: bytes).map { match in
        Match(
          offsets: match.utf8Range,
          text: "ISBN \(match.isbn.hyphenated ?? match.isbn.description)",
          members: JSONText.members(of: match.isbn), isLabelled: match.isLabelled)
      }
    }
    if kind == .issn || kind == .any {
      found += ISSNExtractor().matches(inUTF8: bytes).map { Self.match($0) { .issn($0) } }
    }
    if kind == .ismn || kind == .any {
      found += ISMNExtractor().matches(inUTF8: bytes).map { Self.match($0) { .ismn($0) } }
    }
    found.sort { $0.offsets.lowerBound < $1.offsets.lowerBound }
    var end = 0
    return found.filter { match in
      guard match.offsets.lowerBound >= end else { return false }
      end = match.offsets.upperBound
      return true
    }
  }

  private static func match<Number>(
    _ match: ProductNumberMatch<Number>, _ wrap: (Number) -> ProductNumber
  ) -> Match {
    let number = wrap(match.number)
    return Match(
      offsets: match.utf8Range, text: "\(number.title) \(number.printed)",
      members: number.members, isLabelled: match.isLabelled)
  }

  private func show(_ match: Match, at place: ScannedText.Place) throws(OutputFailure) {
    let cursor = place.cursor
    guard printsJSON else {
      return try console.print(
        "\(PrintableText.of(path)):\(cursor.line):\(cursor.column): \(match.text)")
    }
    let members: [(String, JSONText)] = [
      ("file", .string(path)), ("line", .integer(cursor.line)),
      ("column", .integer(cursor.column)), ("offset", .integer(match.offsets.lowerBound)),
      ("code", .string(place.text)),
    ]
    try console.print(
      JSONText.object(members + match.members + [("labelled", .bool(match.isLabelled))]).text)
  }
}
