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
    var others = differences(from: data)
    if others.count > Self.most {
      others = others.prefix(Self.most) + ["\(others.count - Self.most) more"]
    }
    throw CommandError(
      .badData, at: results,
      "its photos were looked at with other settings"
        + (others.isEmpty ? "" : " (\(others.joined(separator: "; ")))")
        + "; give those again, or name a new file")
  }

  /// What differs in the settings of earlier results: `confidence 0.3, now 0.4`.
  ///
  /// A member of a member, such as a threshold, counts as one. Long values, such as digests, are only
  /// named.
  private func differences(from data: Data) -> [String] {
    func object(_ data: Data) -> [String: Any] {
      (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
    }
    let (before, now) = (object(data), object(Data(text.utf8)))
    return members.flatMap { Self.differences([$0.name], before[$0.name], now[$0.name]) }
  }

  private static func differences(_ path: [String], _ before: Any?, _ now: Any?) -> [String] {
    if let before = before as? [String: Any], let now = now as? [String: Any] {
      return Set(before.keys).union(now.keys).sorted().flatMap {
        differences(path + [$0], before[$0], now[$0])
      }
    }
    // Everybody knows a threshold by its own name.
    let name = path.dropFirst(path.count > 1 ? 1 : 0).joined(separator: ".")
    let (old, new) = (text(of: before), text(of: now))
    guard old != new else { return [] }
    let isShort = old.count <= longestValue && new.count <= longestValue
    return [isShort ? "\(name) \(old), now \(new)" : name]
  }

  /// The greatest number of differences that an error names.
  private static let most = 5
  /// The longest value that an error shows.
  private static let longestValue = 24

  private static func text(of value: Any?) -> String {
    guard let value, !(value is NSNull) else { return "none" }
    let data = try? JSONSerialization.data(
      withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
  }

  private var text: String { "{\n" + members.map(line).joined(separator: ",\n") + "\n}\n" }

  private func line(_ member: (name: String, value: String)) -> String {
    "\(JSONText.string(member.name).text):\(member.value)"
  }
}
