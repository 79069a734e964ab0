import Foundation
import ImageFiles
import Raster

/// How many photos are worked on at once, on how many threads each, and in how much memory.
package struct PhotoCapacity: Sendable {
  /// How many photos are worked on at once.
  package let jobs: Int
  /// How many threads compute for each of them.
  let threads: Int

  private let budget: MemoryBudget
  /// The megabytes that were asked for; nil if nobody did.
  private let megabytes: Int?

  /// What the program and its models take before the first photo, about.
  private static let resident = 64 << 20
  /// What the work on a photo takes besides its pixels, about: activations, crops, candidates.
  private static let perPhoto = 40 << 20
  /// What it takes for a pixel, a drawing of the photo included.
  private static let perPixel = 7

  /// What a command line allows.
  ///
  /// - Parameter photos: how many photos there are; nil if that is not known.
  package init(_ arguments: ParsedArguments, photos: Int? = nil) {
    let all = arguments[StandardOptions.threads] ?? ProcessInfo.processInfo.activeProcessorCount
    jobs = max(1, min(arguments[BatchOptions.jobs] ?? min(all, 64), photos ?? .max))
    threads = max(1, all / jobs)
    megabytes = arguments[BatchOptions.memory]
    budget = MemoryBudget(bytes: ((megabytes ?? 400) << 20) - Self.resident)
  }

  /// The same arguments with each photo's share of the threads.
  package func shared(_ arguments: ParsedArguments) -> ParsedArguments {
    arguments.setting(StandardOptions.threads, to: threads)
  }

  /// Works on the photo at `path` as soon as there is memory for it; until then only its header is read.
  ///
  /// - Throws: ``CommandError`` if the photo alone takes more than the memory that was asked for, `ImageFileError`,
  ///   and what `work` throws.
  package func withPhoto<Result>(
    at path: String, _ work: (Raster) async throws -> Result
  ) async throws -> Result {
    let url = try InputFile.existing(path)
    return try await withImage(
      bytes: bytes(of: ImageFile.information(contentsOf: url)),
      load: { try ImageFile.load(contentsOf: url) }, work)
  }

  /// Works on the photo whose file's bytes these are as soon as there is memory for it.
  ///
  /// - Throws: as ``withPhoto(at:_:)``.
  package func withPhoto<Result>(
    _ data: Data, _ work: (Raster) async throws -> Result
  ) async throws -> Result {
    // The bytes are here already, and those of the line that they came in.
    try await withImage(
      bytes: bytes(of: ImageFile.information(of: data)) + 2 * data.count,
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

  /// What such a photo takes: to decode it, or then to work on it.
  ///
  /// - Throws: ``CommandError`` if that is a fifth more than was asked for, even if the photo is alone. It does not
  ///   hang on the number of jobs.
  private func bytes(of photo: ImageFile.Information) throws -> Int {
    let (pixels, isHuge) = photo.width.multipliedReportingOverflow(by: photo.height)
    // What is that large is refused when it is read.
    guard !isHuge, pixels <= ImageFile.Options().maximumPixels else { return Self.perPhoto }
    let bytes = max(photo.peakBytes(), Self.perPixel * pixels + Self.perPhoto)
    if let megabytes {
      let needed = (Self.resident + bytes) * 5 / 6 / (1 << 20) + 1
      guard needed <= megabytes else {
        throw CommandError(
          .badData,
          "a photo of \(photo.width) x \(photo.height) pixels takes more than \(megabytes) MB; "
            + "give --memory \(needed) or more")
      }
    }
    return bytes
  }
}
