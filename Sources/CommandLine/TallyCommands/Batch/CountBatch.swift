import Foundation

/// `tally count` of many photos: several at once, their lines in order.
struct CountBatch {
  private let list: PhotoList
  private let console: Console
  private let counter: PhotoCounter
  private let drawings: CountDrawings
  private let saved: SavedCounts?
  private let results: ResultsFile?
  private let style: RowPrinter.Style
  private let isQuiet: Bool

  /// Loads the models, and opens the file of results where one is asked for.
  init(_ arguments: ParsedArguments, photos list: PhotoList, console: Console) throws {
    guard !arguments.has(CountOptions.correction) else {
      throw UsageError("--correction is of one photo; count that alone, by its name")
    }
    self.list = list
    self.console = console
    drawings = try CountDrawings(arguments, images: list.paths)
    counter = try PhotoCounter(arguments, isTraced: drawings.needTrace, console: console)
    saved = try SavedCounts(
      arguments, configuration: counter.configuration, console: console)
    style =
      switch arguments[BatchOptions.format] {
      case .table: .table
      case .csv: .csv
      case nil: arguments[StandardOptions.json] ? .json : .text
      }
    isQuiet = arguments[StandardOptions.quiet]
    try drawings.makeFolders()
    if let path = arguments[BatchOptions.results] {
      let settings = try ResultsSettings(
        arguments, configuration: counter.configuration, guide: counter.guide, console: console)
      results = try ResultsFile(
        path, settings: settings, dropsFailed: arguments[BatchOptions.retryFailed])
    } else {
      results = nil
    }
  }

  /// Counts all photos that are not in the file of results.
  ///
  /// - Returns: the code of the first photo that failed, in this run or one before; or success.
  func run() async throws -> ExitCode {
    guard let results else { return try await count().code }
    let printer: RowPrinter
    do {
      // What is in work when a signal comes is dropped; the file ends with a whole line.
      if let interruptions = console.interruptions {
        printer = try await interruptions.cancelling { try await count() }
      } else {
        printer = try await count()
      }
    } catch is CancellationError where console.interruptions?.received != nil {
      try results.close()
      throw CommandError(
        .software, at: results.path,
        "interrupted; the photos counted so far are in it, and the same command goes on")
    } catch {
      try? results.close()
      throw error
    }
    try results.close()
    let failed = printer.failures > 0 ? ", \(printer.failures) failed" : ""
    try console.print(
      "\(PrintableText.of(results.path)): "
        + Sentence.count(list.paths.count, "photo", "photos") + failed)
    return printer.code
  }

  private func count() async throws -> RowPrinter {
    let pending = list.paths.indices.filter { results?.has(list.paths[$0]) != true }
    let codes = list.paths.map { results?.code(of: $0) ?? 0 }
    let progress = BatchProgress(
      ProgressLine(on: console, isQuiet: isQuiet), total: list.paths.count,
      done: list.paths.count - pending.count, failed: codes.count { $0 != 0 }, now: console.now)
    var printer = RowPrinter(
      style, console: console, places: pending, results: results, progress: progress)
    for (place, code) in codes.enumerated() where code != 0 {
      printer.note(ExitCode(rawValue: Int32(clamping: code)) ?? .badData, at: place)
    }
    try printer.begin()
    let queue = PendingPhotos(pending)
    let work = self
    do {
      printer = try await PhotoCrew(workers: min(counter.jobs, max(pending.count, 1))).work(
        into: printer, next: { queue.next() }, row: { place, _ in try await work.row(at: place) })
    } catch {
      progress.erase()
      throw error
    }
    try printer.finish()
    return printer
  }

  private func row(at place: Int) async throws -> PhotoRow {
    let path = list.paths[place]
    if list.unreadable.contains(place) {
      let error = CommandError(
        .noInput, at: path, "the name has bytes that are not UTF-8; give the file another")
      return PhotoRow(path: path, outcome: .failed(error))
    }
    return try await counter.row(ofPhoto: path) { count, image in
      try drawings.draw(count, of: image, configuration: counter.configuration, at: place)
      try await saved?.add(count.result, of: image, at: path)
    }
  }
}

/// The photos that nobody counts yet.
private final class PendingPhotos: @unchecked Sendable {
  // Unchecked: `taken` is only touched under `lock`.
  private let lock = NSLock()
  private let places: [Int]
  private var taken = 0

  init(_ places: [Int]) {
    self.places = places
  }

  func next() -> (index: Int, item: Int)? {
    lock.withLock {
      guard taken < places.count else { return nil }
      defer { taken += 1 }
      return (taken, places[taken])
    }
  }
}
