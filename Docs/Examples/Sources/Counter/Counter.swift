import ActivityState
import CountHistory
import CountReport
import Counting
import Foundation
import Geometry
import ImageFiles
import Raster
import ReferenceModels
import VisionProtocols

/// Counts the objects in a photo as an app does, and prints what its screen shows.
///
///     Counter PHOTO HISTORY-FILE
@main
struct Counter {
  private let photo: Raster
  private let url: URL
  private let history: HistoryFile
  /// What the screen watches: a count that can be paused, cancelled and tried again.
  private let activity = Activity<CountingProgress, TracedCount>(
    // Wrong thresholds are wrong the next time, too.
    canRetry: { !($0 is CountingConfigurationError) })
  private let counter: ObjectCounter<Pausable<YOLOXDetector>, Pausable<ImageEmbeddingModel>>

  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      print("usage: Counter PHOTO HISTORY-FILE")
      exit(64)
    }
    do {
      let program = try Counter(
        photo: URL(fileURLWithPath: arguments[1]), history: URL(fileURLWithPath: arguments[2]))
      try await program.run()
    } catch {
      FileHandle.standardError.write(Data("Counter: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Loads the photo and the bundled models, and puts the gate of the activity before each call of
  /// a model.
  private init(photo url: URL, history: URL) throws {
    self.url = url
    self.history = HistoryFile(history)
    photo = try ImageFile.load(contentsOf: url)
    let bundled = try ObjectCounter.bundled()
    counter = ObjectCounter(
      detector: Pausable(bundled.detector, gate: activity.gate),
      embedder: Pausable(bundled.embedder, gate: activity.gate),
      configuration: bundled.configuration, calibration: bundled.calibration)
  }

  private func run() async throws {
    // 1. A count with its progress, which is paused as if the app went to the background.
    print("count:")
    let traced = try await counted()
    let result = traced.result
    print("count: \(words(for: result))")

    // 2. A slider: only objects whose sides are nearly equal. Each step counts again from what the
    // models answered, without looking at the photo.
    var configuration = counter.configuration
    configuration.adaptive?.otherSizes = nil
    for factor in [1.4, 1.3, 1.2, 1.1] {
      configuration.adaptive?.sizeFactor = factor
      let again = try await counter.recount(traced, configuration: configuration)
      print("slider: sizes within a factor of \(factor): \(words(for: again.result))")
    }

    // 3. A person takes one object away and draws two new ones.
    guard let wrong = result.detections.last(where: \.isMain)?.detection.box else {
      print(result.hint.map { "\($0)" } ?? "nothing to correct")
      return
    }
    let drawn = Box(
      x: wrong.minX + wrong.width / 2, y: wrong.minY, width: wrong.width, height: wrong.height)
    let correction = CountCorrection(of: result, removed: [wrong], added: [wrong, drawn])
    let corrected = try CorrectedCount(result, correctedBy: correction)
    print(
      "correction: \(corrected.count) objects, \(corrected.removedCount) removed, "
        + "\(corrected.number(from: .person)) by a person")

    // 4. The history keeps the count, the correction, and how it was counted.
    try await save(result, corrected: corrected.count)
    for entry in try await history.entries() {
      let thresholds = try entry.thresholds(as: CountingConfiguration.self)
      print(
        "history: \(entry.imageName ?? "?"): \(entry.finalCount), counted \(entry.count), "
          + "thumbnail of \(entry.thumbnail?.count ?? 0) bytes, "
          + "thresholds \(thresholds == counter.configuration ? "as now" : "other than now")")
    }
  }

  /// Counts, and shows what the activity says until it is over.
  ///
  /// It pauses once on the way.
  private func counted() async throws -> TracedCount {
    activity.start { [counter, photo] progress in
      try await counter.tracedCount(in: photo, recountableFrom: 0.1, progress: progress)
    }
    var isToPause = true
    var shown: CountingStage?
    for await snapshot in activity.snapshots {
      switch snapshot.phase {
      case .running:
        guard let progress = snapshot.progress else { break }
        if progress.stage != shown {
          shown = progress.stage
          print("  \(percent(progress)) \(progress.stage.englishText)")
        }
        if isToPause {
          isToPause = false
          activity.pause()
        }
      case .paused:
        // The call of a model that is under way ends, and then nothing moves.
        let before = snapshot.progress
        try await Task.sleep(nanoseconds: 500_000_000)
        if activity.snapshot.progress == before {
          print("  \(snapshot.phase.englishText), still at \(before.map(percent) ?? "the start")")
          activity.resume()
        }
      case .finished(let traced):
        return traced
      case .failed(let error, canRetry: _):
        throw error
      case .idle, .cancelled:
        throw CancellationError()
      }
    }
    throw CancellationError()
  }

  private func save(_ result: CountingResult, corrected: Int) async throws {
    let entry = try HistoryEntry(
      time: Date(), count: result.count,
      interval: result.confidence.map { $0.least...$0.greatest },
      imageName: url.lastPathComponent, imageFolder: url.deletingLastPathComponent().path,
      thresholds: counter.configuration, thumbnail: CountThumbnail.jpeg(of: result, in: photo))
    try await history.add(entry)
    try await history.setCorrectedCount(corrected, entry.id)
  }

  private func words(for result: CountingResult) -> String {
    let interval = result.confidence.map { " (\($0.least) to \($0.greatest))" } ?? ""
    return "\(result.count) objects\(interval)"
  }

  private func percent(_ progress: CountingProgress) -> String {
    "\(Int((progress.fraction * 100).rounded())) %"
  }
}
