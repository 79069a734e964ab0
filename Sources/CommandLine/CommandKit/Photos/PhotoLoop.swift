import Foundation
import Geometry
import ImageFiles
import Raster

/// A photo in memory, for a command.
package struct LoadedPhoto: Sendable {
  /// The path as given or found; `-` for standard input.
  package let path: String
  /// Its index among all photos of the command.
  package let place: Int
  /// Its pixels, see ``reduction``.
  package let image: Raster
  /// The picture to draw on and to cut from: ``image``, or the whole one if it is needed too.
  package let drawn: Raster
  /// The sides of the whole photo.
  package let width: Int
  package let height: Int
  /// The divisor of its sides when it was decoded; 1 if the work needs all pixels.
  package let reduction: Int
  /// Shows the present work on the progress line, if this is the only photo.
  package let show: @Sendable (String) -> Void

  /// Makes a photo; by default `show` does nothing.
  package init(
    path: String, place: Int, photo: DecodedPhoto,
    show: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.path = path
    self.place = place
    image = photo.image
    drawn = photo.drawn
    width = photo.width
    height = photo.height
    reduction = photo.reduction
    self.show = show
  }
}

extension LoadedPhoto {
  /// A shape found in ``image``, in pixels of the whole photo.
  package func whole(_ quad: Quadrilateral) -> Quadrilateral {
    guard reduction > 1 else { return quad }
    return quad.mapCorners { $0.scaled(x: Double(reduction), y: Double(reduction)) }
  }
}

/// A report, and the reason why a requested file could not be written.
package struct PhotoAnswer<Report: PhotoReport>: Sendable {
  var report: Report
  private(set) var trouble: (any Error)?

  /// The answer if no file is requested.
  package init(_ report: Report) {
    self.report = report
  }

  /// Writes the files of a report; if that fails, the report is still printed.
  ///
  /// - Throws: `OutputFailure` and `CancellationError`, which end all work.
  package init(_ report: Report, writing: (inout Report) async throws -> Void) async throws {
    self.report = report
    do {
      try await writing(&self.report)
    } catch let error as OutputFailure {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      trouble = error
    }
  }
}

/// The loop over photos of all commands: several at once, with their lines in order.
///
/// It treats one photo and many photos, from a shell or a folder, in the same way.
package struct PhotoLoop<Report: PhotoReport>: Sendable {
  private let photos: PhotoList
  private let capacity: PhotoCapacity
  private let activity: String
  private let console: Console
  private let results: ResultsFile?
  private let style: RowPrinter.Style
  private let atLeast: Int?
  private let pixels: NeededPixels
  private let progress: ProgressLine

  /// Opens the file of results if one is requested.
  ///
  /// - Parameters:
  ///   - photos: the photos.
  ///   - capacity: the number of photos at once.
  ///   - activity: the work on each photo, such as `counting`.
  ///   - pixels: the pixels that the work needs of each photo.
  ///   - settings: everything that the answers depend on, for the file of results.
  package init(
    _ arguments: ParsedArguments, photos: PhotoList, capacity: PhotoCapacity, activity: String,
    pixels: NeededPixels = .all, console: Console, settings: () throws -> ResultsSettings
  ) throws {
    self.photos = photos
    self.capacity = capacity
    self.activity = activity
    self.pixels = pixels
    self.console = console
    atLeast = arguments[StandardOptions.atLeast]
    progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    style =
      switch arguments[BatchOptions.format] {
      case .json: .json
      case .table: .table
      case .csv: .csv
      case nil:
        arguments[StandardOptions.json] ? .json : photos.paths.count == 1 ? .paragraph : .text
      }
    results = try arguments[BatchOptions.results].map { path in
      try ResultsFile(
        path, layout: RecordLayout(Report.self), settings: settings(),
        dropsFailed: arguments[BatchOptions.retryFailed])
    }
  }

  /// Processes all photos that are not in the file of results.
  ///
  /// If `look` throws, its photo fails, and the others follow. If the output itself fails or the
  /// task is cancelled, all work ends.
  ///
  /// - Returns: the code of the first photo that failed, in this run or an earlier one; or success.
  package func run(
    _ look: @escaping @Sendable (LoadedPhoto) async throws -> PhotoAnswer<Report>
  ) async throws -> ExitCode {
    guard let results else { return try await work(look).code }
    let printer: RowPrinter
    do {
      // Unfinished work is dropped when a signal comes; the file ends with a whole line.
      if let interruptions = console.interruptions {
        printer = try await interruptions.cancelling { try await work(look) }
      } else {
        printer = try await work(look)
      }
    } catch is CancellationError where console.interruptions?.received != nil {
      try results.close()
      throw CommandError(
        .software, at: results.path,
        "interrupted; the photos that were done are in it, and the same command continues")
    } catch {
      try? results.close()
      throw error
    }
    try results.close()
    let failed = printer.failures > 0 ? ", \(printer.failures) failed" : ""
    try console.print(
      "\(PrintableText.of(results.path)): "
        + Sentence.count(photos.paths.count, "photo", "photos") + failed)
    return printer.code
  }

  private func work(
    _ look: @escaping @Sendable (LoadedPhoto) async throws -> PhotoAnswer<Report>
  ) async throws -> RowPrinter {
    let paths = photos.paths
    let pending = paths.indices.filter { results?.has(paths[$0]) != true }
    let codes = paths.map { results?.code(of: $0) ?? 0 }
    // A single photo shows the present work, because 0 of 1 is not informative.
    let isAlone = paths.count == 1
    let batch = BatchProgress(
      isAlone ? ProgressLine(on: console, isQuiet: true) : progress, total: paths.count,
      done: paths.count - pending.count, failed: codes.count { $0 != 0 }, now: console.now)
    var printer = RowPrinter(
      style, of: Report.self, console: console, places: pending, atLeast: atLeast,
      results: results, progress: batch)
    for (place, code) in codes.enumerated() where code != 0 {
      printer.note(ExitCode(rawValue: Int32(clamping: code)) ?? .badData, at: place)
    }
    try printer.begin()
    let queue = PendingPhotos(pending)
    do {
      printer = try await PhotoCrew.work(
        min(capacity.jobs, max(pending.count, 1)), into: printer, next: { queue.next() },
        row: { place, _ in try await row(at: place, isAlone: isAlone, look) })
    } catch {
      progress.erase()
      throw error
    }
    try printer.finish()
    return printer
  }

  private func row(
    at place: Int, isAlone: Bool,
    _ look: (LoadedPhoto) async throws -> PhotoAnswer<Report>
  ) async throws -> PhotoRow {
    let path = photos.paths[place]
    if photos.unreadable.contains(place) {
      return .failed(path, .foreignName(path))
    }
    let show: @Sendable (String) -> Void = { [progress] words in
      // The path comes last, because it may be cut off.
      if isAlone { progress.show("\(words), \(path)") }
    }
    defer { if isAlone { progress.erase() } }
    show("reading")
    return try await PhotoRow.of(path) {
      let work: (DecodedPhoto) async throws -> PhotoAnswer<Report> = { photo in
        show(activity)
        return try await look(LoadedPhoto(path: path, place: place, photo: photo, show: show))
      }
      if let data = photos.standardInput, path == PhotoList.standardInputName {
        return try await capacity.withPhoto(data, pixels: pixels, work)
      }
      return try await capacity.withPhoto(at: path, pixels: pixels, work)
    }
  }
}

extension PhotoRow {
  /// A row from the result of `answer`, or from its error.
  ///
  /// - Throws: `OutputFailure` and `CancellationError`, which end all work.
  package static func of<Report: PhotoReport>(
    _ path: String, _ answer: () async throws -> PhotoAnswer<Report>
  ) async throws -> PhotoRow {
    do {
      let answer = try await answer()
      return PhotoRow(
        path: path, outcome: .done(answer.report),
        trouble: answer.trouble.map { Failure.of($0, at: path) })
    } catch let error as OutputFailure {
      throw error
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return .failed(path, Failure.of(error, at: path))
    }
  }
}

/// The photos that are not begun yet.
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
