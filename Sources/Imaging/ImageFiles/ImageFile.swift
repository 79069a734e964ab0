import Foundation
import Geometry
import Raster

/// Reads JPEG, PNG, HEIC, WebP and TIFF files into rasters.
///
/// The format is recognized by the content, never by the name. Damaged and truncated files are
/// errors, because a half grey image would be counted like a complete one.
public enum ImageFile {
  /// What to make of a file.
  public struct Options: Hashable, Sendable {
    /// Which channels the raster has.
    public enum Channels: Hashable, Sendable {
      /// Three: grey is repeated, alpha dropped, CMYK converted.
      case rgb
      /// As the file stores them: grey 1, grey and alpha 2, colour 3, colour and alpha 4.
      ///
      /// CMYK becomes RGB all the same.
      case asStored
    }

    /// Which channels the raster has.
    public var channels: Channels
    /// Whether the image is turned upright as its EXIF orientation says.
    ///
    /// HEIC turns images by properties of its own, which are always applied.
    public var appliesOrientation: Bool
    /// The most pixels that are decoded; checked against the header before memory is taken.
    public var maximumPixels: Int
    /// The most bytes that are read from a file.
    public var maximumBytes: Int
    /// The most memory in bytes that loading takes, by ``Information/peakBytes(atReduction:)``;
    /// checked against the header before memory is taken.
    ///
    /// An image that takes more is ``ImageFileError/tooMuchMemory(width:height:needed:limit:reduction:)``,
    /// whose text says what to do.
    public var maximumMemory: Int
    /// What the sides are divided by, rounded up: 1, or of a JPEG 2, 4 or 8.
    ///
    /// A JPEG is then decoded to fewer pixels from the start, in a fraction of the time and memory,
    /// as libjpeg scales: each pixel is the mean of its square up to rounding. What can be asked of
    /// a file, ``Information/reductions`` says.
    public var reduction: Int

    /// Makes options; the defaults are RGB, upright, 250 megapixels, 512 MiB, any memory and all
    /// pixels.
    public init(
      channels: Channels = .rgb, appliesOrientation: Bool = true,
      maximumPixels: Int = 250_000_000, maximumBytes: Int = 512 << 20,
      maximumMemory: Int = .max, reduction: Int = 1
    ) {
      self.maximumMemory = maximumMemory
      self.reduction = reduction
      self.channels = channels
      self.appliesOrientation = appliesOrientation
      self.maximumPixels = maximumPixels
      self.maximumBytes = maximumBytes
    }
  }

  /// Reads the image in a file.
  ///
  /// JPEG decodes to the same bytes as libjpeg-turbo's defaults (accurate DCT, smooth upsampling)
  /// do in OpenCV and Pillow; PNG to OpenCV's `IMREAD_COLOR`; CMYK to Pillow's `convert("RGB")`. A
  /// TIFF with several images gives the first; an animated WebP is an error.
  ///
  /// - Throws: ``ImageFileError``.
  public static func load(contentsOf url: URL, options: Options = Options()) throws -> Raster {
    let bytes = try FileBytes.read(url, limit: options.maximumBytes)
    return try bytes.withUnsafeBytes { try load(bytes: $0, options: options) }
  }

  /// Reads the image in a file's bytes.
  ///
  /// - Throws: ``ImageFileError``.
  public static func load(data: Data, options: Options = Options()) throws -> Raster {
    try data.withUnsafeBytes { try load(bytes: $0, options: options) }
  }

  private static func load(bytes: UnsafeRawBufferPointer, options: Options) throws -> Raster {
    let source = ByteSource(bytes)
    let (format, image) = try decoder(source)
    let reduction = options.reduction
    guard reductions(of: format).contains(reduction) else {
      throw ImageFileError.invalidSetting(
        "the reduction is \(reduction); a \(format.name) is decoded at "
          + reductions(of: format).map(String.init).joined(separator: ", "))
    }
    let width = (image.width - 1) / reduction + 1
    let height = (image.height - 1) / reduction + 1
    let limit = min(options.maximumPixels, Raster.maximumSamples / 4)
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= limit else {
      throw ImageFileError.tooManyPixels(width: width, height: height, limit: limit)
    }
    if options.maximumMemory < .max {
      let information = information(of: image, in: format, byteCount: source.count)
      let needed = information.peakBytes(atReduction: reduction)
      guard needed <= options.maximumMemory else {
        throw ImageFileError.tooMuchMemory(
          width: information.width, height: information.height, needed: needed,
          limit: options.maximumMemory,
          reduction: information.reduction(fittingIn: options.maximumMemory))
      }
    }
    let stored = try image.decode(channels: options.channels, reduction: reduction)
    return options.appliesOrientation ? stored.oriented(image.orientation) : stored
  }

  static func decoder(_ source: ByteSource) throws -> (ImageFormat, any ImageDecoder) {
    guard source.count > 0 else { throw ImageFileError.empty }
    switch FileSignature(of: source.bytes(0..<FileSignature.length)) {
    case .supported(let format): return (format, try decoder(of: format, source))
    case .unsupported(let name): throw ImageFileError.unsupportedFormat(name)
    case .other(let found): throw ImageFileError.notAnImage(found: found)
    }
  }

  private static func decoder(
    of format: ImageFormat, _ source: ByteSource
  ) throws -> any ImageDecoder {
    switch format {
    case .jpeg: try JPEGDecoder(source)
    case .png: try PNGDecoder(source)
    case .heic: try HEICDecoder(source)
    case .webp: try WebPDecoder(source)
    case .tiff: try TIFFDecoder(source)
    }
  }
}

/// The decoder of one format: it reads the header first, then the pixels.
///
/// A decoder reads from the source it was made with, which must outlive it. It decodes only if all
/// bytes are in memory.
protocol ImageDecoder {
  /// The stored width, at least 1.
  var width: Int { get }
  /// The stored height, at least 1.
  var height: Int { get }
  /// How the pixels that ``decode(channels:reduction:)`` answers are to be turned.
  var orientation: Orientation { get }
  /// How the samples are stored.
  var storage: ImageStorage { get }
  /// What decoding to RGB takes.
  var memory: DecodingMemory { get }
  /// The image, its sides divided by `reduction` and rounded up.
  func decode(channels: ImageFile.Options.Channels, reduction: Int) throws -> Raster
}
