/// Why samples do not make a ``Raster``, or an operation on one cannot be done.
public enum RasterError: Error, Equatable, CustomStringConvertible {
  /// A side is below 1, or the channels are not 1...4.
  case invalidLayout(width: Int, height: Int, channels: Int)
  /// The number of samples is not `width * height * channels`.
  case sampleCount(Int, width: Int, height: Int, channels: Int)
  /// The image would have more than ``Raster/maximumSamples``.
  case tooLarge(width: Int, height: Int, channels: Int)
  /// An operation on colours met an image of another number of channels.
  case channels(Int, expected: Int)
  /// A normalization names a number of values that is neither 0, 1 nor the number of channels.
  case normalization(field: String, count: Int, channels: Int)
  /// A divisor of a normalization is zero or not finite.
  case divisor(field: String, value: Float)
  /// The rows of a plane are shorter than their pixels.
  case bytesPerRow(Int, minimum: Int, plane: String)
  /// A plane has fewer bytes than its rows need.
  case byteCount(Int, minimum: Int, plane: String)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .invalidLayout(let width, let height, let channels):
      "an image of \(width) x \(height) with \(channels) channels; sides must be at least 1 and "
        + "channels 1 to 4"
    case .sampleCount(let count, let width, let height, let channels):
      "\(count) samples for an image of \(width) x \(height) with \(channels) channels; their "
        + "number must be the product of the three"
    case .tooLarge(let width, let height, let channels):
      "an image of \(width) x \(height) with \(channels) channels is too large; at most "
        + "\(Raster.maximumSamples) samples are made"
    case .channels(let channels, let expected):
      "an image with \(channels) channels; this needs \(expected) (convert it first)"
    case .normalization(let field, let count, let channels):
      "\(count) values of \(field) for \(channels) channels; give none, one, or one per channel"
    case .divisor(let field, let value):
      "\(field) is \(value); it must be finite and not 0"
    case .bytesPerRow(let count, let minimum, let plane):
      "\(count) bytes per row of \(plane); its pixels alone take \(minimum)"
    case .byteCount(let count, let minimum, let plane):
      "\(count) bytes of \(plane); its rows take \(minimum)"
    }
  }
}
