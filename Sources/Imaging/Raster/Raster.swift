/// An image in memory: 8-bit samples, interleaved, row after row from the top left.
///
/// Channels are 1 grey, 2 grey and alpha, 3 red, green and blue, 4 red, green, blue and alpha.
/// Alpha is straight: colours are not multiplied by it.
///
/// A raster is a value: copies share their samples until one is changed, and every operation
/// answers a new raster.
public struct Raster: Hashable, Sendable {
  /// Width in pixels, at least 1.
  public let width: Int
  /// Height in pixels, at least 1.
  public let height: Int
  /// Samples per pixel, 1...4.
  public let channels: Int
  /// The samples: `width * height * channels` of them, pixel after pixel, row after row.
  public private(set) var samples: [UInt8]

  /// The most samples that an operation makes an image of: those of 26754 x 26754 in RGB.
  ///
  /// Sizes often come from files and arguments. Beyond this one an operation answers an error
  /// instead of taking the machine's memory; OpenCV and Pillow end near it too.
  public static let maximumSamples = Int(Int32.max)

  /// Makes an image of the given samples.
  ///
  /// - Throws: ``RasterError`` if a side is below 1, the channels are not 1...4, or the number of
  ///   samples is not their product.
  public init(width: Int, height: Int, channels: Int, samples: [UInt8]) throws(RasterError) {
    let expected = try Self.sampleCount(width: width, height: height, channels: channels)
    guard samples.count == expected else {
      throw .sampleCount(samples.count, width: width, height: height, channels: channels)
    }
    self.init(width: width, height: height, channels: channels, checked: samples)
  }

  /// Makes an image whose samples all have one value.
  ///
  /// - Throws: ``RasterError`` if a side is below 1, the channels are not 1...4, or the image would
  ///   have more than ``maximumSamples``.
  public init(width: Int, height: Int, channels: Int, fill: UInt8 = 0) throws(RasterError) {
    let count = try Self.boundedSampleCount(width: width, height: height, channels: channels)
    self.init(
      width: width, height: height, channels: channels,
      checked: [UInt8](repeating: fill, count: count))
  }

  /// Makes an image whose samples a closure writes, without clearing them first.
  ///
  /// A decoder can write directly into the image, and memory that it does not reach is not
  /// committed.
  ///
  /// - Parameters:
  ///   - width: the width in pixels, at least 1.
  ///   - height: the height in pixels, at least 1.
  ///   - channels: the samples per pixel, 1...4.
  ///   - initialize: writes all `width * height * channels` samples, or throws.
  /// - Throws: ``RasterError`` as ``init(width:height:channels:fill:)`` does, and whatever
  ///   `initialize` throws.
  public init(
    width: Int, height: Int, channels: Int,
    initializingWith initialize: (UnsafeMutableBufferPointer<UInt8>) throws -> Void
  ) throws {
    let count = try Self.boundedSampleCount(width: width, height: height, channels: channels)
    let samples = try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      try initialize(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
      initialized = count
    }
    self.init(width: width, height: height, channels: channels, checked: samples)
  }

  /// An image of samples whose number is known to be right.
  init(width: Int, height: Int, channels: Int, checked samples: [UInt8]) {
    self.width = width
    self.height = height
    self.channels = channels
    self.samples = samples
  }

  /// The product of the three, if they make an image.
  static func sampleCount(width: Int, height: Int, channels: Int) throws(RasterError) -> Int {
    guard width > 0, height > 0, (1...4).contains(channels) else {
      throw .invalidLayout(width: width, height: height, channels: channels)
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    let (count, overflow2) = pixels.multipliedReportingOverflow(by: channels)
    guard !overflow, !overflow2 else {
      throw .tooLarge(width: width, height: height, channels: channels)
    }
    return count
  }

  /// The product of the three, if they make an image of at most ``maximumSamples``.
  static func boundedSampleCount(
    width: Int, height: Int, channels: Int
  ) throws(RasterError) -> Int {
    let count = try sampleCount(width: width, height: height, channels: channels)
    guard count <= maximumSamples else {
      throw .tooLarge(width: width, height: height, channels: channels)
    }
    return count
  }
}

extension Raster {
  /// The sample of one channel of the pixel in column `x` of row `y`.
  ///
  /// - Precondition: `x`, `y` and `channel` lie inside the image.
  public subscript(x x: Int, y y: Int, channel channel: Int) -> UInt8 {
    get { samples[index(x, y, channel)] }
    set { samples[index(x, y, channel)] = newValue }
  }

  private func index(_ x: Int, _ y: Int, _ channel: Int) -> Int {
    precondition(
      x >= 0 && x < width && y >= 0 && y < height && channel >= 0 && channel < channels,
      "pixel (\(x), \(y)), channel \(channel) of an image of \(width) x \(height) x \(channels)")
    return (y * width + x) * channels + channel
  }
}
