import Foundation
import Geometry
import ImageFiles
import Raster

/// How many photos are worked on at once, on how many threads each, and in how much memory.
struct PhotoCapacity: Sendable {
  /// How many photos are worked on at once.
  let jobs: Int
  /// How many threads compute for each of them.
  let threads: Int

  private let budget: MemoryBudget

  /// What the program and its models take before the first photo, about.
  private static let resident = 100 << 20
  /// What the work on a photo takes besides its pixels, about: activations, crops, candidates.
  private static let perPhoto = 40 << 20

  /// What a command line allows.
  ///
  /// - Parameter photos: how many photos there are; nil if that is not known.
  init(_ arguments: ParsedArguments, photos: Int? = nil) {
    let all = arguments[StandardOptions.threads] ?? ProcessInfo.processInfo.activeProcessorCount
    jobs = max(1, min(arguments[BatchOptions.jobs] ?? min(all, 64), photos ?? .max))
    threads = max(1, all / jobs)
    budget = MemoryBudget(bytes: ((arguments[BatchOptions.memory] ?? 400) << 20) - Self.resident)
  }

  /// The same arguments with each photo's share of the threads.
  func shared(_ arguments: ParsedArguments) -> ParsedArguments {
    arguments.setting(StandardOptions.threads, to: threads)
  }

  /// Works on the photo at `path` as soon as there is memory for it.
  func withPhoto<Result>(
    at path: String, _ work: (Raster) async throws -> Result
  ) async throws -> Result {
    let url = try InputFile.existing(path)
    return try await withImage(
      bytes: jobs == 1 ? 0 : Self.bytes(of: ImageFile.information(contentsOf: url)),
      load: { try ImageFile.load(contentsOf: url) }, work)
  }

  /// Works on the photo whose file's bytes these are as soon as there is memory for it.
  func withPhoto<Result>(
    _ data: Data, _ work: (Raster) async throws -> Result
  ) async throws -> Result {
    try await withImage(
      bytes: jobs == 1 ? 0 : Self.bytes(of: ImageFile.information(of: data)) + 3 * data.count,
      load: { try ImageFile.load(data: data) }, work)
  }

  private func withImage<Result>(
    bytes: Int, load: () throws -> Raster, _ work: (Raster) async throws -> Result
  ) async throws -> Result {
    await budget.take(bytes)
    do {
      try Task.checkCancellation()
      let result = try await work(try load())
      await budget.give(bytes)
      return result
    } catch {
      await budget.give(bytes)
      throw error
    }
  }

  /// What the work on such a photo takes: its pixels, once more while they are turned upright.
  private static func bytes(of photo: ImageFile.Information) -> Int {
    let (pixels, isHuge) = photo.width.multipliedReportingOverflow(by: photo.height)
    // What is that large is refused when it is read.
    return isHuge || pixels > 1 << 40 ? perPhoto : 6 * pixels + perPhoto
  }
}
