import CountHistory
import CountReport
import Counting
import Foundation
import Raster

/// Where `tally count --save` keeps its results.
struct SavedCounts {
  private let history: HistoryFile
  private let configuration: CountingConfiguration
  private let now: @Sendable () -> Date

  /// The place that is asked for; nil where nothing is to be saved.
  ///
  /// - Throws: ``UsageError`` where there is no place, or one is named and nothing is to be saved.
  init?(
    _ arguments: ParsedArguments, configuration: CountingConfiguration, console: Console
  ) throws(UsageError) {
    guard arguments[CountOptions.save] else {
      guard arguments[HistoryInputs.file] == nil else {
        throw UsageError("--history is about --save, and that is not given")
      }
      return nil
    }
    history = try HistoryInputs.history(arguments, console)
    self.configuration = configuration
    now = console.now
  }

  /// Keeps the count of a photo.
  func add(_ result: CountingResult, of image: Raster, at path: String) async throws {
    try await history.add(
      HistoryEntry(
        time: now(), count: result.count, imageName: (path as NSString).lastPathComponent,
        thresholds: configuration,
        thumbnail: try CountThumbnail.jpeg(of: result, in: image)))
  }
}
