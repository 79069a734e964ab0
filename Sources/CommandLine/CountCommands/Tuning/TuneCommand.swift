import CommandKit
import CountSettings
import Counting
import Foundation

/// `tally tune`: finds thresholds for your own photos.
enum TuneCommand: Command {
  static let specification = CommandSpecification(
    words: ["tune"],
    summary: "Find thresholds that suit your own photos",
    discussion: [
      "Counts the photos that DIR/truth.json names (see 'tally evaluate counts --help') with many "
        + "values of the adaptive set's thresholds, and prints the best ones. If "
        + "truth.json has boxes, half of what is tuned is how well the counted boxes are the true "
        + "ones.",
      "Every photo is left out once (leave-one-out): its accuracy after tuning is that with "
        + "thresholds chosen without it, as for the next photo that you take. If the gain does not "
        + "hold on photos left out, it is due to chance, and nothing is written.",
      "The file is for --config. Its fields are those of 'tally settings'.",
    ],
    operands: Operands(
      metavar: "DIR", help: "A folder with truth.json and the photos it names.", isList: false),
    groups: [OptionGroup("Tuning", [output, replace, force])] + countingGroups + [
      OptionGroup(
        "Output", [StandardOptions.json, StandardOptions.quiet, StandardOptions.threads])
    ],
    examples: [
      Example("See the gain.", "tally tune photos"),
      Example("Write the thresholds.", "tally tune photos --output mine.json"),
      Example("Count with them.", "tally count tray.jpg --config mine.json"),
    ])

  static let output = Option(
    "output", .outputPath("FILE.json"),
    help: "Write the thresholds to a file, if the gain is confirmed.")
  static let replace = Flag("replace", help: "Replace an existing file.")
  static let force = Flag(
    "force",
    help: "Write the thresholds even if the gain is not confirmed or there are too few photos.")

  /// The options of `tally count` for the method of counting, except those for sets of bands.
  private static var countingGroups: [OptionGroup] {
    CountOptions.groupsOfAdaptiveCounting.map { group in
      OptionGroup(
        group.title,
        group.options.map { option in
          option.name == SettingsInputs.chosen.name ? SettingsInputs.chosen : option
        })
    }
  }

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = try outputPath(arguments)
    let truth = try TruthFolder([arguments.operands[0]], points: nil, minimumIoU: 0.5)
    let settings = try SettingsInputs.chosen(arguments, console)
    let basis = try CountingConfiguration(arguments, settings: settings)
    guard basis.adaptive != nil else {
      throw UsageError("tuning is for the adaptive set, and another is asked for")
    }
    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    defer { progress.erase() }
    let tuning = try Tuning(
      truth.photos, by: LoadedModels.counter(arguments, settings: settings, console: console))
    let (cases, configuration) = try await tuning.run { progress.show($0) }

    let plain = try CountingConfiguration(arguments.only(CountOptions.ofModels))
    let verdict = TuningVerdict(cases)
    let (written, conclusion) = try write(
      settingsText(of: configuration, plain: plain, basis: basis), of: verdict, to: path,
      isForced: arguments[force])
    let report = TuningReport(
      cases: cases,
      thresholds: Self.fields(around: basis).map { field in
        (
          field, SettingsValues(configuration: basis),
          SettingsValues(configuration: configuration)
        )
      }, verdict: verdict, written: written, conclusion: conclusion)
    progress.erase()
    try console.print(
      arguments[StandardOptions.json] ? report.json.text : report.lines.joined(separator: "\n"))
    return .success
  }

  /// The path for the thresholds; it is refused before the work if it is not allowed.
  private static func outputPath(_ arguments: ParsedArguments) throws -> String? {
    guard let path = arguments[output] else {
      if let flag = [replace, force].first(where: { arguments[$0] }) {
        throw UsageError("--\(flag.name) is about --output, and that is not given")
      }
      return nil
    }
    guard path.lowercased().hasSuffix(".json") else {
      throw UsageError("--output '\(path)' must end in .json")
    }
    var status = stat()
    if !arguments[replace], lstat(path, &status) == 0 {
      throw CommandError(
        .inputOutput, at: path, "the file exists; --replace replaces it")
    }
    return path
  }

  /// The settings that are tuned.
  private static func fields(around basis: CountingConfiguration) -> [SettingsField] {
    let names = Set(TunedThreshold.all(around: basis).map(\.name))
    return SettingsField.all.filter { names.contains($0.name) }
  }

  /// The text of a file with all tuned thresholds, and those that differ from a count without
  /// options.
  private static func settingsText(
    of configuration: CountingConfiguration, plain: CountingConfiguration,
    basis: CountingConfiguration
  ) throws -> String {
    let names = Set(fields(around: basis).map(\.name))
    let values = SettingsValues(configuration: configuration)
    let usual = SettingsValues(configuration: plain)
    var settings = CountingSettings()
    for field in SettingsField.all where field.scope != .set && field.isUsed(in: configuration) {
      if names.contains(field.name) || field.text(values) != field.text(usual) {
        try settings.set(field, to: field.text(values))
      }
    }
    return settings.text
  }

  /// Writes the file, or states why it does not.
  private static func write(
    _ text: String, of verdict: TuningVerdict, to path: String?, isForced: Bool
  ) throws -> (written: String?, conclusion: String) {
    guard verdict.isGained else { return (nil, "Nothing is written.") }
    guard verdict.isWorthKeeping || isForced else {
      return (nil, path == nil ? "Keep what you have." : "Nothing is written; --force does.")
    }
    guard let path else { return (nil, "--output FILE.json keeps these thresholds.") }
    try OutputFile.write(Data(text.utf8), to: path)
    return (path, "\(path) is written; count with --config \(path).")
  }
}
