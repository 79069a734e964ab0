import CommandKit

/// A place in a text, moved on over its bytes.
///
/// Lines end at line feeds. Columns count characters, as Unicode scalars; so does each byte that is
/// part of none, and a character that breaks off.
struct TextCursor: Equatable {
  /// From 1.
  private(set) var line = 1
  /// From 1.
  private(set) var column = 1
  /// The number of bytes that the last character still needs.
  private var open = 0

  /// Moves on over `bytes`.
  mutating func advance(over bytes: some Sequence<UInt8>) {
    for byte in bytes {
      switch byte {
      case 0x0A:
        line += 1
        column = 1
        open = 0
      case 0x80..<0xC0 where open > 0:
        open -= 1
      default:
        column += 1
        open = byte < 0xC2 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : byte < 0xF5 ? 3 : 0
      }
    }
  }
}
