import Foundation

/// Asks before something is deleted permanently.
package enum Confirmation {
  package static let yes = Flag("yes", help: "Do not ask; scripts need this.")

  /// Whether an irreversible action is confirmed: by `--yes`, or by a person's answer.
  ///
  /// - Parameter deed: the action, as `delete 3 entries`.
  /// - Throws: ``UsageError`` if there is no person to ask: a script needs `--yes`.
  package static func isGiven(
    to deed: String, _ arguments: ParsedArguments, _ console: Console
  ) throws -> Bool {
    if arguments[yes] { return true }
    guard console.canAsk else {
      throw UsageError("this would \(deed), and there is no terminal to ask; confirm with --yes")
    }
    try console.errors.write("tally: \(PrintableText.of(deed))? [y/N] ")
    return ["y", "yes"].contains(try answer(console).lowercased())
  }

  /// The first line of the input, without spaces around it; more than a few characters are not an
  /// answer.
  private static func answer(_ console: Console) throws(InputFailure) -> String {
    var bytes: [UInt8] = []
    while bytes.count < 80 {
      var byte: UInt8 = 0
      let count = try withUnsafeMutableBytes(of: &byte) { buffer throws(InputFailure) -> Int in
        try console.input.read(into: buffer)
      }
      guard count > 0, byte != UInt8(ascii: "\n") else { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
  }
}
