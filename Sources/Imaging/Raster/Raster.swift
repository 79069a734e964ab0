/// An image in memory: 8-bit samples, interleaved, row after row from the top left.
///
/// Channels are 1 grey, 2 grey and alpha, 3 red, green and blue, 4 red, green, blue and alpha.
public struct Raster: Hashable, Sendable {
  /// Width in pixels, at least 1.
  public let width: Int
  /// Height in pixels, at least 1.
  public let height: Int
  /// Samples per pixel, 1...4.
  public let channels: Int
  /// The samples: `width * height * channels` of them, pixel after pixel, row after row.
  public private(set) var samples: [UInt8]

  /// Makes an image of the given samples.
  ///
  /// - Throws: ``RasterError`` where a side is below 1, the channels are not 1...4, or the number of
  ///   samples is not their product.
  public init(width: Int, height: Int, channels: Int, samples: [UInt8]) throws {
    guard width > 0, height > 0, (1...4).contains(channels) else {
      throw RasterError.invalidLayout(width: width, height: height, channels: channels)
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    let (expected, overflow2) = pixels.multipliedReportingOverflow(by: channels)
    guard !overflow, !overflow2, samples.count == expected else {
      throw RasterError.sampleCount(samples.count, width: width, height: height, channels: channels)
    }
    self.width = width
    self.height = height
    self.channels = channels
    self.samples = samples
  }
}

/// Why samples do not make a ``Raster``, or an operation on one cannot be done.
public enum RasterError: Error, Equatable, CustomStringConvertible {
  /// A side is below 1, or the channels are not 1...4.
  case invalidLayout(width: Int, height: Int, channels: Int)
  /// The number of samples is not `width * height * channels`.
  case sampleCount(Int, width: Int, height: Int, channels: Int)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .invalidLayout(let width, let height, let channels):
      "an image of \(width) x \(height) with \(channels) channels; sides must be at least 1 and "
        + "channels 1 to 4"
    case .sampleCount(let count, let width, let height, let channels):
      "\(count) samples for an image of \(width) x \(height) with \(channels) channels; their "
        + "number must be the product of the three"
    }
  }
}
