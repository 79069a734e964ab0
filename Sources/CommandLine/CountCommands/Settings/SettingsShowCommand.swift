import CommandKit
import CountSettings
import Counting
import Foundation

/// `tally settings show`: the settings, and the values of the other fields.
enum SettingsShowCommand: Command {
  static let specification = CommandSpecification(
    words: ["settings", "show"],
    summary: "Print every threshold of a count, where it comes from and what it may be",
    discussion: [
      "Prints the thresholds of a count with the bundled models and without options. A field has "
        + "the value of your settings or, if they do not set it, that of the set of thresholds. A "
        + "field that the set does not use is 'not in force'."
    ],
    operands: .none,
    groups: [OptionGroup("Settings", [SettingsInputs.changed, StandardOptions.json])],
    examples: [
      Example("Which thresholds are used?", "tally settings show"),
      Example("For another program.", "tally settings show --json"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let file = try SettingsInputs.file(arguments, console)
    let settings: CountingSettings?
    do {
      settings = try file.read()
    } catch {
      guard error.isDamage else { throw error }
      throw CommandError(
        .badData,
        error.report.message
          + " (correct it by hand; 'tally settings reset FIELD' removes a field, and "
          + "'tally settings reset' removes all fields)")
    }
    let report = SettingsReport(file: file, settings: settings)
    try console.print(
      arguments[StandardOptions.json] ? report.json.text : report.lines.joined(separator: "\n"))
    return .success
  }
}

/// Settings as text for people and as JSON for machines.
private struct SettingsReport {
  let file: SettingsFile
  let isThere: Bool
  let settings: CountingSettings
  private let rows: [Row]

  private struct Row {
    let field: SettingsField
    let values: SettingsValues
    let isSet: Bool
    let isInForce: Bool
  }

  init(file: SettingsFile, settings: CountingSettings?) {
    self.file = file
    isThere = settings != nil
    let settings = settings ?? CountingSettings()
    self.settings = settings
    let configuration = SettingsInputs.configuration(with: settings)
    // Fields that the method does not use are shown with the values for another method.
    let waiting = settings.over(configuration.adaptive == nil ? .adaptive : .standard)
    rows = SettingsField.all.map { field in
      let isInForce = field.isUsed(in: configuration)
      return Row(
        field: field,
        values: SettingsValues(
          preset: Self.preset(settings), configuration: isInForce ? configuration : waiting),
        isSet: settings.names.contains(field.name), isInForce: isInForce)
    }
  }

  /// The set in use.
  private static func preset(_ settings: CountingSettings) -> CountingPreset {
    settings.values.preset ?? (settings.isAdaptiveOff ? .standard : .adaptive)
  }

  var json: JSONText {
    .object([
      ("file", .string(file.path)), ("exists", .bool(isThere)),
      ("set", .string(Self.preset(settings).rawValue)),
      (
        "fields",
        .array(
          rows.map { row in
            .object([
              ("name", .string(row.field.name)), ("value", row.field.json(row.values)),
              ("from", .string(row.isSet ? "settings" : "set")),
              ("inForce", .bool(row.isInForce)), ("expected", .string(row.field.expectation)),
            ])
          })
      ),
    ])
  }

  var lines: [String] {
    let set = Self.preset(settings).rawValue
    let count = settings.fields.count + (settings.isAdaptiveOff ? 1 : 0)
    let state = isThere ? "\(Sentence.count(count, "field", "fields")) set" : "no settings"
    var table = TextTable([
      ("field", .left), ("value", .left), ("from", .left), ("must be", .left),
    ])
    for row in rows {
      let source = row.isSet ? "settings" : row.field.scope == .set ? "built in" : "set \(set)"
      table.add([
        row.field.name, row.field.text(row.values),
        row.isInForce ? source : row.isSet ? "settings, not in force" : "not in force",
        row.field.expectation,
      ])
    }
    return ["\(PrintableText.of(file.path)): \(state)"] + table.lines.map { "  \($0)" }
  }
}
