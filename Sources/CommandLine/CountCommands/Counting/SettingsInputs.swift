import CommandKit
import CountSettings
import Counting
import Foundation

/// The settings of commands.
enum SettingsInputs {
  static let file = Option(
    "settings", .path("FILE|none"),
    help: "The file of your settings. They override the thresholds of the set; --config overrides "
      + "them. 'none' leaves them out.",
    fallback: "\(usual), if there is one")
  /// For commands whose results should be the same for every user.
  static let chosen = Option(
    "settings", .path("FILE"),
    help: "A file of settings. They override the thresholds of the set; --config overrides them. "
      + "Without this option no settings are used, not even the file that 'tally count' reads.")
  /// For the commands of `tally settings`.
  static let changed = Option(
    "settings", .path("FILE"), help: "The file of the settings.", fallback: usual)

  private static let usual = "tally/settings.json in $XDG_CONFIG_HOME or ~/.config"

  /// The settings for a count.
  ///
  /// - Throws: ``CommandError`` for damaged settings: without them, it would be another count than
  ///   the requested one.
  static func inForce(_ arguments: ParsedArguments, _ console: Console) throws -> CountingSettings {
    if let path = arguments[file] {
      if path == "none" { return CountingSettings() }
      _ = try InputFile.existing(path)
      return try SettingsFile(path).read() ?? CountingSettings()
    }
    let file = SettingsFile.usual(environment: console.environment)
    do {
      return try file?.read() ?? CountingSettings()
    } catch {
      let path = file?.path ?? ""
      var message = error.report.message
      // The error already names the path.
      if let place = message.range(of: "\(path): ") { message.removeSubrange(place) }
      throw CommandError(
        error.exitCode, at: path,
        message + " (see 'tally settings --help'; --settings none counts without)")
    }
  }

  /// Prints on the errors stream which settings change this count, if any do.
  ///
  /// Otherwise a person who forgot them would expect the result of the defaults.
  static func tell(_ arguments: ParsedArguments, _ console: Console) throws {
    let settings = try inForce(arguments, console)
    guard !settings.isEmpty,
      try CountingConfiguration(arguments, settings: settings) != CountingConfiguration(arguments)
    else { return }
    let file =
      arguments[file] ?? SettingsFile.usual(environment: console.environment)?.path ?? ""
    console.note(
      "settings in force: \(settings.summary) (from \(file); --settings none counts without)")
  }

  /// The settings that a command line names; none if it names none.
  static func chosen(_ arguments: ParsedArguments, _ console: Console) throws -> CountingSettings {
    arguments[chosen] == nil ? CountingSettings() : try inForce(arguments, console)
  }

  /// The file for a command of `tally settings`.
  static func file(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> SettingsFile {
    if let path = arguments[changed] {
      guard path != "none" else {
        throw UsageError("--settings is 'none'; it must be the path of a file")
      }
      guard !path.utf8.contains(0) else { throw UsageError("--settings holds a zero byte") }
      return SettingsFile(path)
    }
    guard let file = SettingsFile.usual(environment: console.environment) else {
      throw UsageError(
        "there is no place for settings: give --settings, or set XDG_CONFIG_HOME or HOME")
    }
    return file
  }

  /// The configuration of a count with the bundled models and without options.
  static func configuration(with settings: CountingSettings) -> CountingConfiguration {
    settings.configuration(
      presets: { $0 == .adaptive ? .adaptive.suitedToBundledModels() : $0.configuration },
      bands: .standard.suitedToBundledModels())
  }

  /// Advice about new fields that a count without options does not use; nil for none.
  static func advice(_ fields: [SettingsField], _ settings: CountingSettings) -> String? {
    let configuration = configuration(with: settings)
    let unused = fields.filter { !$0.isUsed(in: configuration) }
    guard let first = unused.first else { return nil }
    let names = Sentence.all(unused.map(\.name))
    let sets = first.scope == .adaptive ? "the adaptive set" : "the sets of bands, such as standard"
    return "\(names): looked at by \(sets), which is not the one in force"
  }
}
