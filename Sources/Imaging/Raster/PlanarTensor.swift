/// The order in which a network expects red, green and blue.
public enum ChannelOrder: String, Hashable, Sendable, Codable, CaseIterable {
  /// Red first.
  case rgb
  /// Blue first, as OpenCV stores colours.
  case bgr
}

/// The normalization of the samples of a tensor: `(sample / divisor - mean) / deviation`.
///
/// Each step is rounded to float32 in that order, so that values equal NumPy's and PyTorch's bit
/// for bit. Steps that change nothing (a divisor of 1, no mean, no deviation) are left out.
public struct PixelNormalization: Hashable, Sendable, Codable {
  /// What samples are divided by first; 255 maps them to 0...1.
  public var divisor: Float
  /// The mean, which is subtracted: no value, one, or one per channel in the tensor's order.
  public var mean: [Float]
  /// The last divisor: no value, one, or one per channel in the tensor's order.
  public var deviation: [Float]

  /// Makes a normalization; the default leaves samples as they are, 0...255.
  public init(divisor: Float = 1, mean: [Float] = [], deviation: [Float] = []) {
    self.divisor = divisor
    self.mean = mean
    self.deviation = deviation
  }

  /// Samples as they are, 0...255.
  public static let none = PixelNormalization()

  /// The 256 values that samples of one channel can have.
  func table(channel: Int, of channels: Int) throws(RasterError) -> [Float] {
    let mean = try value(of: mean, "the mean", channel: channel, of: channels)
    let deviation = try value(of: deviation, "the deviation", channel: channel, of: channels)
    for (field, value) in [("the divisor", divisor), ("the deviation", deviation ?? 1)] {
      guard value.isFinite, value != 0 else { throw .divisor(field: field, value: value) }
    }
    return (0..<256).map { sample in
      var value = Float(sample) / divisor
      if let mean { value -= mean }
      if let deviation { value /= deviation }
      return value
    }
  }

  private func value(
    of values: [Float], _ field: String, channel: Int, of channels: Int
  ) throws(RasterError) -> Float? {
    switch values.count {
    case 0: return nil
    case 1: return values[0]
    case channels: return values[channel]
    default:
      throw .normalization(field: field, count: values.count, channels: channels)
    }
  }
}

extension Raster {
  /// The samples as float32 planes, channel after channel (CHW), ready to be a network's input.
  ///
  /// - Parameters:
  ///   - order: the order of red, green and blue; alpha stays last and grey is unaffected.
  ///   - normalization: the normalization of each sample.
  /// - Returns: `channels * height * width` values.
  /// - Throws: ``RasterError`` if the normalization does not fit the channels or divides by zero.
  public func planar(
    order: ChannelOrder = .rgb, normalization: PixelNormalization = .none
  ) throws(RasterError) -> [Float] {
    var tensor: [Float] = []
    tensor.reserveCapacity(samples.count)
    try appendPlanar(to: &tensor, order: order, normalization: normalization)
    return tensor
  }

  /// Appends what ``planar(order:normalization:)`` answers, so that a batch (NCHW) grows in one
  /// array.
  public func appendPlanar(
    to tensor: inout [Float], order: ChannelOrder = .rgb, normalization: PixelNormalization = .none
  ) throws(RasterError) {
    let channels = channels
    let tables = try (0..<channels).map { (channel) throws(RasterError) in
      try normalization.table(channel: channel, of: channels)
    }
    let pixels = width * height
    samples.withUnsafeBufferPointer { samples in
      for (plane, table) in tables.enumerated() {
        let channel = order == .bgr && channels >= 3 && plane < 3 ? 2 - plane : plane
        let values = [Float](unsafeUninitializedCapacity: pixels) { values, initialized in
          table.withUnsafeBufferPointer { table in
            for pixel in 0..<pixels {
              values[pixel] = table[Int(samples[pixel &* channels &+ channel])]
            }
          }
          initialized = pixels
        }
        tensor.append(contentsOf: values)
      }
    }
  }
}
