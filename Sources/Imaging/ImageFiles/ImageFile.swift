import Foundation
import Raster

/// Reads JPEG, PNG and HEIC files into rasters.
///
/// The format is told by the content, never by the name. Damaged and truncated files are errors: an
/// image that is half grey would be counted as if it were whole.
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

    /// Makes options; the defaults are RGB, upright, 250 megapixels and 512 MiB.
    public init(
      channels: Channels = .rgb, appliesOrientation: Bool = true,
      maximumPixels: Int = 250_000_000, maximumBytes: Int = 512 << 20
    ) {
      self.channels = channels
      self.appliesOrientation = appliesOrientation
      self.maximumPixels = maximumPixels
      self.maximumBytes = maximumBytes
    }
  }

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
  }

  /// Reads the image in a file.
  ///
  /// JPEG decodes to the same bytes as libjpeg-turbo's defaults (accurate DCT, smooth upsampling) do in
  /// OpenCV and Pillow; PNG to OpenCV's `IMREAD_COLOR`; CMYK to Pillow's `convert("RGB")`.
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

  /// Size, format and orientation of the image in a file.
  ///
  /// - Throws: ``ImageFileError``. An image whose header is fine may still fail to load.
  public static func information(
    contentsOf url: URL, options: Options = Options()
  ) throws -> Information {
    let bytes = try FileBytes.read(url, limit: options.maximumBytes)
    return try bytes.withUnsafeBytes { try information(bytes: $0) }
  }

  /// Size, format and orientation of the image in a file's bytes.
  ///
  /// - Throws: ``ImageFileError``.
  public static func information(of data: Data) throws -> Information {
    try data.withUnsafeBytes { try information(bytes: $0) }
  }

  static func load(bytes: UnsafeRawBufferPointer, options: Options) throws -> Raster {
    let image: any ImageDecoder
    switch try format(of: bytes) {
    case .jpeg: image = try JPEGDecoder(bytes)
    case .png: image = try PNGDecoder(bytes)
    case .heic: image = try HEICDecoder(bytes)
    }
    let limit = min(options.maximumPixels, Raster.maximumSamples / 4)
    let (pixels, overflow) = image.width.multipliedReportingOverflow(by: image.height)
    guard !overflow, pixels <= limit else {
      throw ImageFileError.tooManyPixels(width: image.width, height: image.height, limit: limit)
    }
    let stored = try image.decode(channels: options.channels)
    return options.appliesOrientation ? stored.oriented(image.orientation) : stored
  }

  static func information(bytes: UnsafeRawBufferPointer) throws -> Information {
    let format = try format(of: bytes)
    let image: any ImageDecoder
    switch format {
    case .jpeg: image = try JPEGDecoder(bytes)
    case .png: image = try PNGDecoder(bytes)
    case .heic: image = try HEICDecoder(bytes)
    }
    let swaps = image.orientation.swapsSides
    return Information(
      format: format, width: swaps ? image.height : image.width,
      height: swaps ? image.width : image.height, orientation: image.orientation)
  }

  private static func format(of bytes: UnsafeRawBufferPointer) throws -> ImageFormat {
    guard !bytes.isEmpty else { throw ImageFileError.empty }
    switch FileSignature(of: bytes) {
    case .supported(let format): return format
    case .unsupported(let name): throw ImageFileError.unsupportedFormat(name)
    case .other(let found): throw ImageFileError.notAnImage(found: found)
    }
  }
}

/// One format's reader: made from a file's bytes by reading the header, then asked for the pixels.
///
/// A decoder points into the bytes it was made from and does not outlive them.
protocol ImageDecoder {
  /// The stored width, at least 1.
  var width: Int { get }
  /// The stored height, at least 1.
  var height: Int { get }
  /// How the pixels that ``decode(channels:)`` answers are to be turned.
  var orientation: Orientation { get }
  func decode(channels: ImageFile.Options.Channels) throws -> Raster
}
