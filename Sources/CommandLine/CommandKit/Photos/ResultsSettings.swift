import Foundation
import ModelStore

/// Everything that a result depends on besides its photo, stored beside a file of results:
/// `FILE.settings`.
///
/// It is a JSON object with one member per line. Because it is a separate file, any reader of JSON
/// Lines or CSV can read the results.
package struct ResultsSettings: Sendable {
  /// The members' names and values, in order.
  private let members: [(name: String, value: String)]

  /// The settings by name, and the version of the tool.
  package init(_ values: [(name: String, value: JSONText)]) {
    members = ([("tally", .string(ToolVersion.current))] + values).map { ($0.name, $0.value.text) }
  }

  /// Collects the settings of a command other than `count`: the given options, as they were typed.
  ///
  /// Options for output files and for the number of threads are left out, because results do not
  /// depend on them.
  ///
  /// - Parameter files: the models and other files that the results depend on, by their role; their
  ///   bytes distinguish them.
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

  /// The path of the settings for a file of results.
  static func path(for results: String) -> String { results + ".settings" }

  /// Writes the file beside a file of results that is empty.
  func write(for results: String) throws {
    try OutputFile.write(Data(text.utf8), to: Self.path(for: results))
  }

  /// Throws for existing results with other settings.
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
