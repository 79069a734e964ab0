import Foundation

/// The example of a guide in `Docs`, which a test runs: its lines in the guide and in the test, without
/// indentation and empty ones.
public enum GuideExample {
  /// The first block of Swift in a guide.
  public static func shown(in guide: String) throws -> [String] {
    try lines(
      of: Folders.package.appendingPathComponent("Docs/\(guide)"), from: "```swift", to: "```")
  }

  /// What stands between the comments `begin` and `end` in a test's file.
  public static func tested(in file: String) throws -> [String] {
    try lines(of: URL(fileURLWithPath: file), from: "// begin", to: "// end")
  }

  private static func lines(of file: URL, from begin: String, to end: String) throws -> [String] {
    let all = try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    guard let first = all.firstIndex(of: begin),
      let last = all[(first + 1)...].firstIndex(of: end)
    else { throw MissingExample(file: file.path, begin: begin, end: end) }
    return all[(first + 1)..<last].filter { !$0.isEmpty }
  }
}

/// A file lacks the marks of an example.
public struct MissingExample: Error, CustomStringConvertible {
  let file: String
  let begin: String
  let end: String

  /// Which file, and which marks.
  public var description: String { "\(file) has no lines '\(begin)' and '\(end)'" }
}
