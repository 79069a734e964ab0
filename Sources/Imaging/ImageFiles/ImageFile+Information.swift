import Foundation
import Geometry
import Raster

extension ImageFile {
  /// What a file says about its image without being decoded.
  public struct Information: Hashable, Sendable {
    /// The format of the content.
    public let format: ImageFormat
    /// The width of the upright image in pixels.
    public let width: Int
    /// The height of the upright image in pixels.
    public let height: Int
    /// How the stored pixels are turned to stand upright; `.upright` for HEIC.
    public let orientation: Orientation
    /// The bytes of the file.
    public let byteCount: Int
    /// The samples that a pixel is stored as: 1 grey or a palette's, 3 colour, 4 CMYK or colour and
    /// alpha.
    public let components: Int
    /// The bits that a sample is stored with, 1...16.
    public let bitDepth: Int
    /// Whether the image comes in several passes: a progressive JPEG, an interlaced PNG.
    public let isProgressive: Bool

    let memory: DecodingMemory

    /// The sides of what ``ImageFile/load(contentsOf:options:)`` answers at a reduction.
    public func size(atReduction reduction: Int) -> (width: Int, height: Int) {
      ((width - 1) / reduction + 1, (height - 1) / reduction + 1)
    }

    /// The reductions at which the image can be decoded, ascending: 1 always, of a JPEG 2, 4 and 8
    /// too.
    public var reductions: [Int] { ImageFile.reductions(of: format) }

    /// The most memory, in bytes, that loading the file as RGB takes at a time: its own bytes, the
    /// pixels, and what the decoder needs beside them.
    ///
    /// By what the decoders were measured to take; within a fifth for images of a megapixel or
    /// more. A progressive JPEG needs the coefficients of the whole image at any reduction.
    ///
    /// - Parameter reduction: one of ``reductions``.
    public func peakBytes(atReduction reduction: Int = 1) -> Int {
      let size = size(atReduction: reduction)
      let pixels = Double(size.width) * Double(size.height)
      // To turn an image a second one is made of it.
      let turning = orientation == .upright ? 0.0 : 6
      let decoding = Double(memory.fixed) + memory.perPixel * pixels
      let after = max(memory.afterwardsPerPixel, turning) * pixels
      return byteCount + Int(min(max(decoding, after), 1e18))
    }

    /// The largest of ``reductions`` that leaves neither side below `side` pixels; 1 if none does.
    public func reduction(leavingSides side: Int) -> Int {
      reductions.last { min(size(atReduction: $0).width, size(atReduction: $0).height) >= side }
        ?? 1
    }

    /// The largest of ``reductions`` that leaves `pixels` or more; 1 if none does.
    public func reduction(leavingPixels pixels: Int) -> Int {
      reductions.last {
        let size = size(atReduction: $0)
        return Double(size.width) * Double(size.height) >= Double(pixels)
      } ?? 1
    }

    /// The least of ``reductions`` at which loading takes at most `bytes`; nil if none does.
    public func reduction(fittingIn bytes: Int) -> Int? {
      reductions.first { peakBytes(atReduction: $0) <= bytes }
    }
  }

  /// Size, format and orientation of the image in a file, and what decoding it takes.
  ///
  /// Reads the file's header and no more, however large the file is.
  ///
  /// - Throws: ``ImageFileError``. An image whose header is fine may still fail to load.
  public static func information(
    contentsOf url: URL, options: Options = Options()
  ) throws -> Information {
    try FileBytes.withSource(url, limit: options.maximumBytes) { try information($0) }
  }

  /// Size, format and orientation of the image in a file's bytes, and what decoding it takes.
  ///
  /// - Throws: ``ImageFileError``.
  public static func information(of data: Data) throws -> Information {
    try data.withUnsafeBytes { try information(ByteSource($0)) }
  }

  private static func information(_ source: ByteSource) throws -> Information {
    let (format, image) = try decoder(source)
    return information(of: image, in: format, byteCount: source.count)
  }

  static func information(
    of image: any ImageDecoder, in format: ImageFormat, byteCount: Int
  ) -> Information {
    let swaps = image.orientation.swapsSides
    return Information(
      format: format, width: swaps ? image.height : image.width,
      height: swaps ? image.width : image.height, orientation: image.orientation,
      byteCount: byteCount, components: image.storage.components,
      bitDepth: image.storage.bitDepth, isProgressive: image.storage.isProgressive,
      memory: image.memory)
  }

  static func reductions(of format: ImageFormat) -> [Int] {
    format == .jpeg ? [1, 2, 4, 8] : [1]
  }
}

/// How the samples of an image are stored.
struct ImageStorage {
  var components: Int
  var bitDepth: Int
  var isProgressive = false
}

/// What decoding takes beside the bytes of the file.
struct DecodingMemory: Hashable, Sendable {
  /// Bytes that do not hang on the reduction.
  var fixed: Int
  /// Bytes a pixel that is decoded, those of the raster included.
  var perPixel: Double
  /// Bytes a pixel at the most when the decoder is done.
  var afterwardsPerPixel = 3.0
}
