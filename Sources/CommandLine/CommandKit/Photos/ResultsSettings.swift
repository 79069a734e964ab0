import Foundation
import ModelStore

/// All that an answer depends on beside its photo, kept beside a file of results: `FILE.settings`.
///
/// It is a JSON object, a member a line. A file of its own leaves the results as any reader of JSON
/// Lines or CSV expects them.
package struct ResultsSettings: Sendable {
  /// The members' names and values, in order.
  private let members: [(name: String, value: String)]

  /// Settings by name, beside the version of the tool.
  package init(_ values: [(name: String, value: JSONText)]) {
    members = ([("tally", .string(ToolVersion.current))] + values).map { ($0.name, $0.value.text) }
  }

  /// Collects the settings of a command other than `count`: the options it was given, as they were
  /// typed.
  ///
  /// Options that say what is written where, and on how many threads, change no answer.
  ///
  /// - Parameter files: the models and other files that the answers depend on, by what they are;
  ///   they are told apart by their bytes.
  /// - Parameter digests: the same for files that were read already.
  /// - Throws: ``CommandError`` if a file cannot be read.
  package init(
    of specification: CommandSpecification, _ arguments: ParsedArguments,
    files: [(name: String, file: URL)] = [], digests: [(name: String, digest: String)] = []
  ) throws {
    var values: [(String, JSONText)] = [
      ("command", .string(specification.words.joined(separator: " ")))
    ]
    let others =
      BatchOptions.all.map(\.name)
      + [
        StandardOptions.json.name, StandardOptions.quiet.name, StandardOptions.threads.name,
      ]
    for option in specification.options
    where arguments.has(option) && !option.isWritten && !others.contains(option.name) {
      values.append((option.name, .array(arguments.texts(of: option).map { .string($0) })))
    }
    values += digests.map { ($0.name, .string($0.digest)) }
    for (name, file) in files {
      do {
        values.append((name, .string(try SHA256Digest(contentsOf: file).description)))
      } catch {
        throw Failure.of(error, at: file.path)
      }
    }
    self.init(values)
  }

  /// Where the settings of a file of results are kept.
  static func path(for results: String) -> String { results + ".settings" }

  /// Writes the file beside one that has no results yet.
  func write(for results: String) throws {
    try OutputFile.write(Data(text.utf8), to: Self.path(for: results))
  }

  /// Refuses results that are there and were counted otherwise.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/badData``.
  func check(for results: String) throws(CommandError) {
    let path = Self.path(for: results)
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError(
        .badData, at: results,
        "it has content, and \(path), which says with what settings it was made, is not there; "
          + "name a new file")
    }
    let found = String(decoding: data, as: UTF8.self)
    guard found != text else { return }
    let lines = Set(found.split(separator: "\n").map { $0.hasSuffix(",") ? $0.dropLast() : $0 })
    let others = members.filter { !lines.contains(Substring(line($0))) }.map(\.name)
    throw CommandError(
      .badData, at: results,
      "its photos were looked at with other settings"
        + (others.isEmpty ? "" : " (\(Sentence.all(others)))")
        + "; give those again, or name a new file")
  }

  private var text: String { "{\n" + members.map(line).joined(separator: ",\n") + "\n}\n" }

  private func line(_ member: (name: String, value: String)) -> String {
    "\(JSONText.string(member.name).text):\(member.value)"
  }
}
