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
    groups: [OptionGroup("Folder", [newOnly, poll])] + countingGroups + [
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

  /// The options of `tally count` that say how to count; an exemplar belongs to one photo only.
  private static var countingGroups: [OptionGroup] {
    CountCommand.specification.groups.filter {
      $0.title.hasPrefix("Models") || $0.title.hasPrefix("Thresholds")
    }.map { group in
      OptionGroup(group.title, group.options.filter { $0.name != CountOptions.like.name })
    }
  }

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let folder = arguments.operands[0]
    _ = try InputFile.existingFolder(folder)
    let settings = try SettingsInputs.inForce(arguments, console)
    let counter = try LoadedModels.counter(arguments, settings: settings, console: console)
    let saved = try SavedCounts(
      arguments, configuration: counter.configuration, console: console)
    let files = try FolderFiles(
      in: folder, by: arguments[poll].map { .polling(every: $0) } ?? .usual,
      newOnly: arguments[newOnly])

    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    // From here on, and not only when the task gets to it.
    let interruptions = console.interruptions()
    let interruption = Task {
      for await _ in interruptions {
        files.finish()
        return
      }
    }
    defer {
      interruption.cancel()
      progress.erase()
    }
    progress.show("waiting for photos, \(folder)")
    for try await name in files {
      let path = folder.hasSuffix("/") ? folder + name.text : "\(folder)/\(name.text)"
      do {
        guard name.isExact else {
          throw CommandError(
            .noInput, at: path, "the name is not UTF-8, and no file is found by it")
        }
        let image = try ImageFile.load(contentsOf: InputFile.existing(path))
        let result = try await counter.count(in: image) { report in
          guard report.stage != .done else { return }
          let percent = Int((report.fraction * 100).rounded())
          progress.show("\(report.stage.rawValue) \(percent) %, \(path)")
        }
        progress.erase()
        let report = CountSummary(path: path, result: result)
        try console.print(arguments[StandardOptions.json] ? report.json.text : report.line)
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
