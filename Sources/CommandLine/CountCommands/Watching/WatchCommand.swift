import CommandKit
import Counting
import Foundation
import Raster

/// `tally watch`: counts photos that are put into a folder.
enum WatchCommand: Command {
  static let specification = CommandSpecification(
    words: ["watch"],
    summary: "Count each photo that is put into a folder",
    discussion: [
      "Counts the photos of a folder (\(PhotoList.dottedExtensions)), and then each new one, until "
        + "it is interrupted. Prints one line per photo at once. A photo is counted when it is "
        + "complete, that is, when its writer closes or renames it, and again when it is written "
        + "again. Names that begin with a dot or end in .part or .tmp are ignored, and so are "
        + "empty files and subfolders.",
      "An interruption (Ctrl-C, SIGTERM) ends it with code 0 after the current photo; a second one "
        + "ends it at once. A photo that cannot be read gets an error line. A photo that is "
        + "removed before it is read gets none.",
      "Files are made for each photo as 'tally count' makes them for several: each option names a "
        + "folder, or contains {name}, {folder} or {path}. If a photo is written again, its new "
        + "files replace the old ones. A photo that is in --results at the start is left out.",
    ],
    operands: Operands(metavar: "DIR", help: "The folder.", isList: false),
    groups: [
      OptionGroup("Folder", [newOnly, poll]),
      OptionGroup(
        "Output",
        [
          StandardOptions.json, BatchOptions.format, BatchOptions.results,
          BatchOptions.retryFailed, CountOptions.overlay, CountOptions.thumbnail,
          CountOptions.report, CountOptions.labels, CountOptions.labelFormat,
          CountOptions.crops, CountOptions.save, HistoryInputs.file, StandardOptions.quiet,
          StandardOptions.threads,
        ]), CountOptions.groupOfTemplate,
      OptionGroup("Drawings", CountPlots.options),
    ] + CountOptions.groupsOfCounting,
    firstOptions: [
      newOnly, poll, CountOptions.overlay, CountOptions.report, StandardOptions.json,
      BatchOptions.format, BatchOptions.results, CountOptions.save, CountOptions.template,
      StandardOptions.help,
    ],
    examples: [
      Example("Count whatever a camera uploads.", "tally watch uploads"),
      Example("For another program, and for the history.", "tally watch uploads --json --save"),
      Example(
        "Append each count to a table, and draw it.",
        "tally watch uploads --results counts.csv --overlay drawn/"),
      Example("Count what another photo taught.", "tally watch uploads --template sweets"),
      Example("Watch a network folder.", "tally watch /mnt/share --poll 5 --new-only"),
    ])

  static let newOnly = Flag("new-only", help: "Leave out the photos that are there already.")
  static let poll = Option(
    "poll", .number("SECONDS", in: 0.01...3600),
    help:
      "Scan the folder every SECONDS, and count photos whose size and time did not change since the "
      + "last scan. Needed for network folders (NFS, SMB), which send no change notices.",
    fallback: "none on Linux, which reports changes; elsewhere 1")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let folder = arguments.operands[0]
    _ = try InputFile.existingFolder(folder)
    try BatchOptions.check(arguments)
    if arguments[BatchOptions.format] == .table {
      throw UsageError("--format table is printed after the last photo, and here none is the last")
    }
    let outputs = try WatchedOutputs(arguments, folder: folder)
    // Boxes and regions are for one photo; a template is for many.
    let counter = try PhotoCounter(
      arguments, photos: 1, isTraced: outputs.needTrace, console: console)
    let saved = try SavedCounts(
      arguments, configuration: counter.configuration, console: console)
    let results = try resultsFile(arguments, counter, console)
    let known = Set(
      results == nil ? [] : FolderLook(at: folder).map { Array($0.stamps.keys) } ?? [])
    let files = try FolderFiles(
      in: folder, by: arguments[poll].map { .polling(every: $0) } ?? .usual,
      newOnly: arguments[newOnly])
    try SettingsInputs.tell(arguments, console)

    let printer = printer(arguments, results, console)
    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    defer { progress.erase() }
    let watch = {
      try await Self.watch(
        files, in: folder, known: known, printer: printer, progress: progress
      ) { path in
        try await Self.answer(at: path, by: counter, outputs, saved, progress)
      }
    }
    do {
      if let interruptions = console.interruptions {
        try await interruptions.telling({ files.finish() }, watch)
      } else {
        try await watch()
      }
    } catch {
      try? results?.close()
      throw error
    }
    try results?.close()
    return .success
  }

  /// The file of --results; nil if there is none.
  private static func resultsFile(
    _ arguments: ParsedArguments, _ counter: PhotoCounter, _ console: Console
  ) throws -> ResultsFile? {
    try arguments[BatchOptions.results].map { path in
      try ResultsFile(
        path, layout: RecordLayout(CountSummary.self),
        settings: ResultsSettings(
          arguments, configuration: counter.configuration, guide: counter.guide, correction: nil,
          console: console),
        dropsFailed: arguments[BatchOptions.retryFailed])
    }
  }

  private static func printer(
    _ arguments: ParsedArguments, _ results: ResultsFile?, _ console: Console
  ) -> RowPrinter {
    let style: RowPrinter.Style =
      arguments[BatchOptions.format] == .csv
      ? .csv : arguments[StandardOptions.json] || arguments.has(BatchOptions.format) ? .json : .text
    let quiet = ProgressLine(on: console, isQuiet: true)
    return RowPrinter(
      style, of: CountSummary.self, console: console, results: results,
      progress: BatchProgress(quiet, total: 0, now: console.now))
  }

  /// Counts in a photo, and makes its files.
  private static func answer(
    at path: String, by counter: PhotoCounter, _ outputs: WatchedOutputs, _ saved: SavedCounts?,
    _ progress: ProgressLine
  ) async throws -> PhotoAnswer<CountSummary> {
    try await counter.capacity.withPhoto(at: path) { photo in
      let count = try await counter.count(in: photo.image, at: path) { words in
        progress.show("\(words), \(path)")
      }
      return try await PhotoAnswer(CountSummary(path: path, result: count.result)) { _ in
        try await outputs.draw(count, of: photo, configuration: counter.configuration, at: path)
        try await saved?.add(count.result, of: photo.image, at: path)
      }
    }
  }

  /// Counts photos as they come, until the end.
  ///
  /// - Parameter known: the names that existed when the watch began; those of them that are in the
  ///   file of results are left out once.
  private static func watch(
    _ files: FolderFiles, in folder: String, known: Set<FolderName>, printer: RowPrinter,
    progress: ProgressLine, count: (String) async throws -> PhotoAnswer<CountSummary>
  ) async throws {
    var printer = printer
    var known = known
    try printer.begin()
    progress.show("waiting for photos, \(folder)")
    for try await name in files {
      let path = folder.hasSuffix("/") ? folder + name.text : "\(folder)/\(name.text)"
      if known.remove(name) != nil, printer.hasResult(of: path) { continue }
      let row = try await PhotoRow.of(path) {
        guard name.isExact else {
          throw CommandError(
            .noInput, at: path, "the name is not UTF-8, and no file is found by it")
        }
        return try await count(path)
      }
      progress.erase()
      // It was removed between its turn and its reading.
      let isGone = row.report == nil && name.isExact && access(path, F_OK) != 0
      if !isGone { try printer.put(row) }
      progress.show("waiting for photos, \(folder)")
    }
  }
}

/// The files that `tally watch` makes from photos that are not known yet.
private struct WatchedOutputs {
  private let arguments: ParsedArguments
  /// Whether the files need the trace of every detection.
  let needTrace: Bool

  /// Checks the options before the first photo.
  ///
  /// - Throws: ``UsageError`` if an option names one file for all photos, or files that would be
  ///   counted too.
  init(_ arguments: ParsedArguments, folder: String) throws {
    self.arguments = arguments
    let options = [
      CountOptions.overlay, CountOptions.thumbnail, CountOptions.report, CountOptions.labels,
      CountPlots.map, CountPlots.histograms, CountPlots.dendrogram,
    ]
    for option in options {
      guard let pattern = arguments[option], !OutputPattern.isForMany(pattern) else { continue }
      throw UsageError(
        "--\(option.name) is one file, '\(pattern)', for all photos to come; write {name} in it, or "
          + "name a folder")
    }
    let example = folder.hasSuffix("/") ? "\(folder)photo.bmp" : "\(folder)/photo.bmp"
    let drawings = try CountDrawings(arguments, images: [example])
    needTrace = drawings.needTrace
    let watched = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let crops = arguments[CountOptions.crops].map { "\($0)/photo-01.png" }
    let copies =
      arguments[CountOptions.labelFormat] == .yolo
      ? arguments[CountOptions.labels].map { "\($0)/images/photo.jpg" } : nil
    for path in drawings.plannedPaths(at: 0) + [crops, copies].compactMap({ $0 })
    where PhotoList.extensions.contains((path as NSString).pathExtension.lowercased()) {
      let above = URL(fileURLWithPath: path).deletingLastPathComponent()
      guard above.resolvingSymlinksInPath().path != watched else {
        throw UsageError("'\(path)' would lie in the folder that is watched, and be counted too")
      }
    }
  }

  /// Writes the files of a photo.
  func draw(
    _ count: TracedCount, of photo: DecodedPhoto, configuration: CountingConfiguration,
    at path: String
  ) async throws {
    let drawings = try CountDrawings(arguments, images: [path])
    try drawings.makeFolders()
    _ = try await drawings.draw(
      count, of: LoadedPhoto(path: path, place: 0, photo: photo), configuration: configuration)
    // Without classes of kinds, the file about all photos in a YOLO folder is the same after each
    // photo.
    _ = try await drawings.finish(configuration)
  }
}
