import CommandKit
import Foundation

/// The bytes of a text in pieces, as they are read.
struct TextPieces {
  /// The file, or `-` for standard input.
  let path: String
  let console: Console

  /// The number of bytes that are read at a time.
  private static let pieceSize = 1 << 18

  /// Calls `body` with each piece.
  ///
  /// - Throws: ``CommandError`` if the text cannot be opened or read, or is in UTF-16; the errors
  ///   of `body`.
  func forEach(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    guard path != "-" else { return try read(console.input, body) }
    let url = try InputFile.existingStream(path)
    let descriptor = open(url.path, O_RDONLY)
    guard descriptor >= 0 else {
      throw CommandError(
        .noInput, at: path, "cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    try read(FileDescriptorSource(descriptor: descriptor), body)
  }

  private func read(
    _ source: any InputSource, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    var isFirst = true
    while true {
      try Task.checkCancellation()
      // The pointer is used within this one call only.
      let count = try piece.withUnsafeMutableBytes { buffer throws(InputFailure) in
        try source.read(into: buffer)
      }
      guard count > 0 else { return }
      if isFirst { try refuseUTF16(piece[..<count]) }
      isFirst = false
      try body(piece[..<count])
    }
  }

  /// In UTF-16 every digit has two bytes, so nothing would be found, without an explanation.
  private func refuseUTF16(_ bytes: ArraySlice<UInt8>) throws(CommandError) {
    guard bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) else { return }
    throw CommandError(
      .badData, at: path, "this is text in UTF-16; it must be in UTF-8, as iconv makes it")
  }
}
