import CommandKit
import CountHistory
import CountReport
import Counting
import Foundation
import Raster

/// The place of the results of `tally count --save`.
struct SavedCounts {
  private let history: HistoryFile
  private let configuration: CountingConfiguration
  private let console: Console
  private let loss = SaidOnce()

  /// The path of the history.
  var path: String { history.url.path }

  /// The requested place; nil if nothing is saved.
  ///
  /// - Throws: ``UsageError`` if there is no place, or if one is named and nothing is saved;
  ///   ``CommandError`` if the folder of the named file does not exist.
  init?(
    _ arguments: ParsedArguments, configuration: CountingConfiguration, console: Console
  ) throws {
    guard arguments[CountOptions.save] else {
      guard arguments[HistoryInputs.file] == nil else {
        throw UsageError("--history is about --save, and that is not given")
      }
      return nil
    }
    history = try HistoryInputs.history(arguments, console)
    // A folder with a typing error is not made; the usual place is.
    if let path = arguments[HistoryInputs.file] {
      let folder = history.url.deletingLastPathComponent().path
      guard OutputFolder.exists(folder) else {
        throw CommandError(.inputOutput, at: path, "there is no folder '\(folder)' to write to")
      }
    }
    self.configuration = configuration
    self.console = console
  }

  /// Saves the count of a photo, with a person's correction if there is one.
  ///
  /// The first time that an older count is deleted to make room, it prints a line.
  func add(
    _ result: CountingResult, of image: Raster, at path: String, corrected: Int? = nil
  ) async throws {
    let place = URL(fileURLWithPath: path).standardizedFileURL
    let removed = try await history.add(
      HistoryEntry(
        result, of: image, named: (path as NSString).lastPathComponent,
        folder: place.deletingLastPathComponent().path, corrected: corrected,
        configuration: configuration, time: console.now()))
    guard !removed.isEmpty, loss.isFirst() else { return }
    let limit = try await history.capacity().limit
    console.note(
      "\(history.url.path): it keeps \(Sentence.count(limit, "entry", "entries")) at most, so the "
        + "oldest that are not favourites are removed for new ones; 'tally history limit N' keeps "
        + "more"
    )
  }
}

extension HistoryEntry {
  /// The entry of a photo's count, with a person's correction if there is one.
  init(
    _ result: CountingResult, of image: Raster, named name: String, folder: String?,
    corrected: Int?, configuration: CountingConfiguration, time: Date
  ) throws {
    let interval = result.confidence.flatMap { confidence in
      confidence.least <= confidence.greatest ? confidence.least...confidence.greatest : nil
    }
    try self.init(
      time: time, count: result.count, interval: interval, correctedCount: corrected,
      imageName: name, imageFolder: folder, thresholds: configuration,
      thumbnail: CountThumbnail.jpeg(of: result, in: image))
  }
}

/// Whether a line was printed already.
private final class SaidOnce: @unchecked Sendable {
  // Safe to share: the lock guards the one variable.
  private let lock = NSLock()
  private var wasSaid = false

  /// Whether this is the first time.
  func isFirst() -> Bool {
    lock.withLock {
      defer { wasSaid = true }
      return !wasSaid
    }
  }
}
