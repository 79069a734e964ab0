import Foundation
import ImageFiles
import Raster

/// A photo's pixels, and the properties of its file.
package struct DecodedPhoto: Sendable {
  /// The upright picture, its sides divided by ``reduction`` and rounded up.
  package let image: Raster
  /// The sides of the whole photo, upright.
  package let width: Int
  package let height: Int
  /// The divisor of the sides: 1, or 2, 4 or 8 if not all pixels are needed.
  package let reduction: Int
  /// The picture to draw on and to cut from: ``image``, or the whole one if it is needed too.
  package let drawn: Raster
}

/// The pixels that a command needs of each photo.
package enum NeededPixels: Sendable {
  case all
  /// At least this number: a larger JPEG is decoded at a reduction that leaves as many.
  case least(Int)
  /// As ``least(_:)`` to look for things, and all of them to draw on and to cut out.
  ///
  /// What is found is the same as without the drawing.
  case leastAndAll(Int)

  /// The least number of pixels to look for things in; nil for all.
  var least: Int? {
    switch self {
    case .all: nil
    case .least(let pixels), .leastAndAll(let pixels): pixels
    }
  }

  var keepsAll: Bool {
    if case .leastAndAll = self { true } else { false }
  }
}

/// The work that a command does on each photo, as far as its memory depends on it.
///
/// Measured with the published models for text, on photos of half a megapixel to 8.
package enum PhotoWork: Sendable {
  /// Networks that look at a picture of fixed size, or none.
  case looking
  /// Finding and reading text: the network sees the photo in its own size, up to a limit.
  case reading
  /// Reading text along spines that were found.
  case readingShelves

  /// The bytes besides those of any photo.
  func bytes(forPixels pixels: Int) -> Int {
    switch self {
    case .looking: return 0
    case .reading:
      let first = min(pixels, 2_000_000)
      return (110 << 20) + 70 * first + 30 * (pixels - first)
    case .readingShelves: return (220 << 20) + 40 * pixels
    }
  }
}

/// The number of photos at once, their threads and their memory.
package struct PhotoCapacity: Sendable {
  /// The number of photos at once.
  package let jobs: Int
  /// The number of threads for each of them.
  let threads: Int

  private let budget: MemoryBudget
  private let work: PhotoWork
  /// The requested megabytes; nil if there is no request.
  private let megabytes: Int?

  /// The approximate memory of the program and its models before the first photo.
  private static let resident = 64 << 20
  /// The approximate memory for a photo besides its pixels: activations, crops, candidates.
  private static let perPhoto = 40 << 20
  /// The bytes per pixel, including a drawing of the photo.
  private static let perPixel = 7

  /// The capacity that a command line allows.
  ///
  /// - Parameters:
  ///   - photos: the number of photos; nil if it is not known.
  ///   - work: the work on each.
  package init(_ arguments: ParsedArguments, photos: Int? = nil, for work: PhotoWork = .looking) {
    self.work = work
    let all = arguments[StandardOptions.threads] ?? ProcessInfo.processInfo.activeProcessorCount
    jobs = max(1, min(arguments[BatchOptions.jobs] ?? min(all, 64), photos ?? .max))
    threads = max(1, all / jobs)
    megabytes = arguments[BatchOptions.memory]
    budget = MemoryBudget(bytes: ((megabytes ?? BatchOptions.usualMemory) << 20) - Self.resident)
  }

  /// The same arguments with each photo's share of the threads.
  package func shared(_ arguments: ParsedArguments) -> ParsedArguments {
    arguments.setting(StandardOptions.threads, to: threads)
  }

  /// Works on the photo at `path` as soon as there is memory for it; until then only its header is
  /// read.
  ///
  /// - Parameters:
  ///   - pixels: the pixels that `work` needs.
  ///   - work: the work on the photo.
  /// - Throws: ``CommandError`` if the photo alone takes more than the requested memory,
  ///   `ImageFileError`, and the errors of `work`.
  package func withPhoto<Result>(
    at path: String, pixels: NeededPixels = .all,
    _ work: (DecodedPhoto) async throws -> Result
  ) async throws -> Result {
    let url = try InputFile.existing(path)
    return try await withImage(
      of: ImageFile.information(contentsOf: url), pixels: pixels,
      load: { try ImageFile.load(contentsOf: url, options: $0) }, work)
  }

  /// Works on the photo in these bytes of a file as soon as there is memory for it.
  ///
  /// - Throws: as ``withPhoto(at:pixels:_:)``.
  package func withPhoto<Result>(
    _ data: Data, pixels: NeededPixels = .all,
    _ work: (DecodedPhoto) async throws -> Result
  ) async throws -> Result {
    // These bytes are in memory already, and so are those of their line.
    try await withImage(
      of: ImageFile.information(of: data), pixels: pixels, bytesHeld: 2 * data.count,
      load: { try ImageFile.load(data: data, options: $0) }, work)
  }

  private func withImage<Result>(
    of photo: ImageFile.Information, pixels: NeededPixels, bytesHeld: Int = 0,
    load: (ImageFile.Options) throws -> Raster,
    _ work: (DecodedPhoto) async throws -> Result
  ) async throws -> Result {
    let reduction = pixels.least.map { photo.reduction(leavingPixels: $0) } ?? 1
    let isKept = pixels.keepsAll && reduction > 1
    var bytes = try self.bytes(of: photo, atReduction: isKept ? 1 : reduction) + bytesHeld
    if isKept {
      // The smaller picture is in memory while the whole one is decoded.
      let size = photo.size(atReduction: reduction)
      bytes += 3 * size.width * size.height
    }
    await budget.take(bytes)
    do {
      try Task.checkCancellation()
      let image = try load(ImageFile.Options(reduction: reduction))
      let whole = isKept ? try load(ImageFile.Options()) : image
      let result = try await work(
        DecodedPhoto(
          image: image, width: photo.width, height: photo.height, reduction: reduction,
          drawn: whole))
      await budget.give(bytes)
      return result
    } catch {
      await budget.give(bytes)
      throw error
    }
  }

  /// The memory for such a photo: the greater of decoding it and working on it.
  ///
  /// - Throws: ``CommandError`` if that is a fifth more than the requested memory, even for a
  ///   single photo. It does not depend on the number of jobs.
  private func bytes(of photo: ImageFile.Information, atReduction reduction: Int) throws -> Int {
    let size = photo.size(atReduction: reduction)
    let (pixels, isHuge) = size.width.multipliedReportingOverflow(by: size.height)
    // A photo of that size is refused when it is read.
    guard !isHuge, pixels <= ImageFile.Options().maximumPixels else { return Self.perPhoto }
    var bytes = max(photo.peakBytes(atReduction: reduction), Self.perPixel * pixels + Self.perPhoto)
    if let megabytes {
      bytes += work.bytes(forPixels: pixels)
      let needed = (Self.resident + bytes) * 5 / 6 / (1 << 20) + 1
      guard needed <= megabytes else {
        throw CommandError(
          .badData,
          "a photo of \(photo.width) x \(photo.height) pixels takes more than \(megabytes) MB; "
            + "give --memory \(needed) or more, or a photo of lower resolution")
      }
    }
    return bytes
  }
}
