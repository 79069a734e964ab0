import Counting
import Foundation
import ImageFiles
import Raster
import ReferenceModels

/// `tally watch`: counts what is dropped into a folder.
enum WatchCommand: Command {
  static let specification = CommandSpecification(
    words: ["watch"],
    summary: "Count each photo that is put into a folder",
    discussion: [
      "Counts the photos of a folder (.jpg, .jpeg, .png, .heic, .heif), and then each that is put "
        + "into it, until it is interrupted: one line of output a photo, at once. A photo is taken "
        + "when it is whole, that is, when its writer closes it or gives it its name, and again when "
        + "it is written again. Names that begin with a dot, or end in .part or .tmp, are left "
        + "alone, as are empty files and subfolders.",
      "An interruption (Ctrl-C, SIGTERM) ends it with code 0 after the photo in work; a second one "
        + "ends it at once. A photo that cannot be read gets an error line, and one that is gone "
        + "before its turn none.",
    ],
    operands: Operands(metavar: "DIR", help: "The folder.", isList: false),
    groups: [OptionGroup("Folder", [newOnly, poll]), CountOptions.groupOfTemplate]
      + CountOptions.groupsOfCounting + [
        OptionGroup(
          "Output",
          [
            StandardOptions.json, CountOptions.save, HistoryInputs.file, StandardOptions.quiet,
            StandardOptions.threads,
          ])
      ],
    examples: [
      Example("Count whatever a camera uploads.", "tally watch uploads"),
      Example("For another program, and for the history.", "tally watch uploads --json --save"),
      Example("Count what another photo taught.", "tally watch uploads --template sweets"),
      Example("A folder of another machine.", "tally watch /mnt/share --poll 5 --new-only"),
    ])

  static let newOnly = Flag("new-only", help: "Leave out the photos that are there already.")
  static let poll = Option(
    "poll", .number("SECONDS", in: 0.01...3600),
    help:
      "Look at the folder every so many seconds, and take photos whose size and time stood still "
      + "since the look before. For folders of other machines, of whose changes the system tells "
      + "nothing.",
    fallback: "on Linux the system tells of changes; elsewhere 1")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let folder = arguments.operands[0]
    _ = try InputFile.existingFolder(folder)
    // Boxes and regions belong to one photo; a template is for many.
    let guide = try PhotoGuide(arguments, console: console).guide
    let settings = try SettingsInputs.inForce(arguments, console)
    let counter = try LoadedModels.counter(arguments, settings: settings, console: console)
    let saved = try SavedCounts(
      arguments, configuration: counter.configuration, console: console)
    let files = try FolderFiles(
      in: folder, by: arguments[poll].map { .polling(every: $0) } ?? .usual,
      newOnly: arguments[newOnly])

    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    defer { progress.erase() }
    let watch = {
      try await Self.watch(
        files, in: folder, by: counter, guide, saved, isJSON: arguments[StandardOptions.json],
        console: console, progress: progress)
    }
    guard let interruptions = console.interruptions else { return try await watch() }
    return try await interruptions.telling({ files.finish() }, watch)
  }

  /// Counts what comes, until there is no more.
  private static func watch(
    _ files: FolderFiles, in folder: String, by counter: PhotoObjectCounter, _ guide: CountingGuide,
    _ saved: SavedCounts?, isJSON: Bool, console: Console, progress: ProgressLine
  ) async throws -> ExitCode {
    progress.show("waiting for photos, \(folder)")
    for try await name in files {
      let path = folder.hasSuffix("/") ? folder + name.text : "\(folder)/\(name.text)"
      do {
        guard name.isExact else {
          throw CommandError(
            .noInput, at: path, "the name is not UTF-8, and no file is found by it")
        }
        let image = try ImageFile.load(contentsOf: InputFile.existing(path))
        let result = try await counter.count(in: image, guide: guide) { report in
          guard report.stage != .done else { return }
          let percent = Int((report.fraction * 100).rounded())
          progress.show("\(report.stage.rawValue) \(percent) %, \(path)")
        }
        progress.erase()
        let report = CountSummary(path: path, result: result)
        try console.print(isJSON ? report.json().text : report.line)
        try await saved?.add(result, of: image, at: path)
      } catch let error as OutputFailure {
        throw error
      } catch let error as CancellationError {
        throw error
      } catch {
        progress.erase()
        // Between its turn and its reading somebody took it away.
        let isGone = name.isExact && access(path, F_OK) != 0
        if !isGone { console.report(Failure.of(error, at: path).message) }
      }
      progress.show("waiting for photos, \(folder)")
    }
    return .success
  }
}
