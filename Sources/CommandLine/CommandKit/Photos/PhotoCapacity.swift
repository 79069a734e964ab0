import Foundation
import ImageFiles
import Raster

/// A photo's pixels, and what its file says of them.
package struct DecodedPhoto: Sendable {
  /// The upright picture, its sides divided by ``reduction`` and rounded up.
  package let image: Raster
  /// The sides of the whole photo, upright.
  package let width: Int
  package let height: Int
  /// 1, or 2, 4 or 8 if all pixels were not asked for.
  package let reduction: Int
}

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

  /// Works on the photo at `path` as soon as there is memory for it; until then only its header is
  /// read.
  ///
  /// - Parameters:
  ///   - leastPixels: how many pixels `work` needs: a JPEG of more is decoded at a reduction that
  ///     leaves as many. Nil for all.
  ///   - work: what is done with the photo.
  /// - Throws: ``CommandError`` if the photo alone takes more than the memory that was asked for,
  ///   `ImageFileError`, and what `work` throws.
  package func withPhoto<Result>(
    at path: String, leastPixels: Int? = nil,
    _ work: (DecodedPhoto) async throws -> Result
  ) async throws -> Result {
    let url = try InputFile.existing(path)
    return try await withImage(
      of: ImageFile.information(contentsOf: url), leastPixels: leastPixels,
      load: { try ImageFile.load(contentsOf: url, options: $0) }, work)
  }

  /// Works on the photo whose file's bytes these are as soon as there is memory for it.
  ///
  /// - Throws: as ``withPhoto(at:leastPixels:_:)``.
  package func withPhoto<Result>(
    _ data: Data, leastPixels: Int? = nil,
    _ work: (DecodedPhoto) async throws -> Result
  ) async throws -> Result {
    // The bytes are here already, and those of the line that they came in.
    try await withImage(
      of: ImageFile.information(of: data), leastPixels: leastPixels, bytesHeld: 2 * data.count,
      load: { try ImageFile.load(data: data, options: $0) }, work)
  }

  private func withImage<Result>(
    of photo: ImageFile.Information, leastPixels: Int?, bytesHeld: Int = 0,
    load: (ImageFile.Options) throws -> Raster,
    _ work: (DecodedPhoto) async throws -> Result
  ) async throws -> Result {
    let reduction = leastPixels.map { photo.reduction(leavingPixels: $0) } ?? 1
    let bytes = try bytes(of: photo, atReduction: reduction) + bytesHeld
    await budget.take(bytes)
    do {
      try Task.checkCancellation()
      let result = try await work(
        DecodedPhoto(
          image: load(ImageFile.Options(reduction: reduction)), width: photo.width,
          height: photo.height, reduction: reduction))
      await budget.give(bytes)
      return result
    } catch {
      await budget.give(bytes)
      throw error
    }
  }

  /// What such a photo takes: to decode it, or then to work on it.
  ///
  /// - Throws: ``CommandError`` if that is a fifth more than was asked for, even if the photo is
  ///   alone. It does not hang on the number of jobs.
  private func bytes(of photo: ImageFile.Information, atReduction reduction: Int) throws -> Int {
    let size = photo.size(atReduction: reduction)
    let (pixels, isHuge) = size.width.multipliedReportingOverflow(by: size.height)
    // What is that large is refused when it is read.
    guard !isHuge, pixels <= ImageFile.Options().maximumPixels else { return Self.perPhoto }
    let bytes = max(photo.peakBytes(atReduction: reduction), Self.perPixel * pixels + Self.perPhoto)
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
