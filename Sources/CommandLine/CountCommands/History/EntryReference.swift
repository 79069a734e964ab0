import CommandKit
import CountHistory
import Foundation

/// A person's text for an entry: its id, or the start of it.
struct EntryReference {
  /// The least number of characters for an entry; fewer are probably a typing error.
  static let shortest = 4
  /// The number of characters in a list, if they distinguish its entries.
  private static let usual = 8

  /// The text as it was typed.
  let text: String
  /// Its hexadecimal digits in lower case, without dashes.
  private let digits: String

  /// Parses an id.
  ///
  /// - Throws: ``UsageError`` for a text that is not the start of an id.
  init(_ text: String) throws(UsageError) {
    self.text = text
    digits = text.lowercased().filter { $0 != "-" }
    guard (Self.shortest...32).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ Self.isHexadecimal($0) })
    else {
      throw UsageError(
        "ID is '\(text)'; it must be a UUID that 'tally history list' prints, or its start: at least "
          + "\(Self.shortest) of its digits (0 to 9, a to f)")
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  /// The entry of a history with this id.
  ///
  /// - Throws: ``CommandError``: there is none, with ``ExitCode/noInput``, or more than one, with
  ///   ``ExitCode/usage`` and the possible ids.
  func entry(
    among entries: [HistoryEntry], of history: HistoryFile
  ) throws(CommandError) -> HistoryEntry {
    let found = entries.filter { Self.digits(of: $0.id).hasPrefix(digits) }
    guard let first = found.first else {
      throw CommandError(.noInput, at: history.url.path, "there is no entry \(text)")
    }
    guard found.count == 1 else {
      let shown =
        found.prefix(5).map { HistoryInputs.text(of: $0.id) } + (found.count > 5 ? ["others"] : [])
      throw CommandError(
        .usage, at: history.url.path,
        "\(found.count) entries begin with \(text): \(Sentence.all(shown))")
    }
    return first
  }

  private static func digits(of id: UUID) -> String {
    HistoryInputs.text(of: id).filter { $0 != "-" }
  }

  /// The number of characters that distinguish all of these ids: 8, or more.
  static func length(among ids: [UUID]) -> Int {
    let texts = ids.map(HistoryInputs.text).sorted()
    // In sorted order, the ids that share most characters are neighbours.
    let shared = zip(texts, texts.dropFirst()).map {
      zip($0.utf8, $1.utf8).prefix { $0 == $1 }.count
    }
    return max(usual, (shared.max() ?? 0) + 1)
  }
}
