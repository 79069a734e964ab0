import Counting
import Foundation
import Geometry
import ImageFiles
import Raster
import ReferenceModels

/// Counts photos side by side, with one pair of models and within a budget of memory.
struct PhotoCounter: Sendable {
  /// How many photos are counted at once.
  let jobs: Int
  /// The thresholds.
  var configuration: CountingConfiguration { counter.configuration }
  /// What is counted in each photo.
  let guide: PhotoGuide

  private let counter: PhotoObjectCounter
  private let isTraced: Bool
  private let budget: MemoryBudget

  /// What the program and its models take before the first photo, about.
  private static let resident = 100 << 20
  /// What a count takes besides its photo, about: activations, crops, candidates.
  private static let perCount = 40 << 20

  /// Loads the models that a command line names, once for all jobs.
  ///
  /// - Parameter isTraced: whether those who use counts need the way of every detection.
  init(_ arguments: ParsedArguments, isTraced: Bool = false, console: Console) throws {
    let threads =
      arguments[StandardOptions.threads] ?? ProcessInfo.processInfo.activeProcessorCount
    jobs = arguments[BatchOptions.jobs] ?? min(threads, 64)
    guide = try PhotoGuide(arguments, console: console)
    counter = try LoadedModels.counter(
      arguments.setting(StandardOptions.threads, to: max(1, threads / jobs)),
      settings: SettingsInputs.inForce(arguments, console), console: console)
    self.isTraced = isTraced
    let megabytes = arguments[BatchOptions.memory] ?? 400
    budget = MemoryBudget(bytes: (megabytes << 20) - Self.resident)
  }

  /// Counts in the photo at `path`.
  ///
  /// - Parameter use: is given the photo and its count while both are in memory.
  /// - Throws: `CancellationError` and `OutputFailure`; anything else becomes a row.
  func row(
    ofPhoto path: String, use: @Sendable (TracedCount, Raster) async throws -> Void = { _, _ in }
  ) async throws -> PhotoRow {
    try await row(path) {
      let url = try InputFile.existing(path)
      return try await counted(
        path, bytes: jobs == 1 ? 0 : Self.bytes(of: ImageFile.information(contentsOf: url)),
        load: { try ImageFile.load(contentsOf: url) }, use: use)
    }
  }

  /// Counts in the photo whose file's bytes these are.
  func row(ofImage data: Data, called name: String) async throws -> PhotoRow {
    try await row(name) {
      try await counted(
        name,
        bytes: jobs == 1 ? 0 : Self.bytes(of: ImageFile.information(of: data)) + 3 * data.count,
        load: { try ImageFile.load(data: data) }, use: { _, _ in })
    }
  }

  private func row(
    _ path: String, _ count: () async throws -> CountingResult
  ) async throws -> PhotoRow {
    do {
      return PhotoRow(path: path, outcome: .counted(try await count()))
    } catch let error as OutputFailure {
      throw error
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return PhotoRow(path: path, outcome: .failed(Failure.of(error, at: path)))
    }
  }

  private func counted(
    _ path: String, bytes: Int, load: () throws -> Raster,
    use: (TracedCount, Raster) async throws -> Void
  ) async throws -> CountingResult {
    await budget.take(bytes)
    do {
      try Task.checkCancellation()
      let image = try load()
      let count = try await counter.count(
        in: image, guide: guide.checked(for: image, at: path), isTraced: isTraced)
      try await use(count, image)
      await budget.give(bytes)
      return count.result
    } catch {
      await budget.give(bytes)
      throw error
    }
  }

  /// What a count of such a photo takes: its pixels, once more while they are turned upright.
  private static func bytes(of photo: ImageFile.Information) -> Int {
    let (pixels, isHuge) = photo.width.multipliedReportingOverflow(by: photo.height)
    // What is that large is refused when it is read.
    return isHuge || pixels > 1 << 40 ? perCount : 6 * pixels + perCount
  }
}
