import Geometry

/// The shape of a filter that ``ConvolutionResize`` weighs pixels with.
enum ConvolutionFilter {
  /// Linear falloff to 0 at distance 1.
  case triangle
  /// Keys's cubic convolution kernel with a = -0.5 (Keys, "Cubic convolution interpolation for
  /// digital image processing", 1981).
  case cubic

  /// The distance beyond which the weight is 0.
  var support: Double {
    switch self {
    case .triangle: 1
    case .cubic: 2
    }
  }

  /// The weight at a distance, before normalization.
  func weight(at distance: Double) -> Double {
    let x = abs(distance)
    switch self {
    case .triangle:
      return x < 1 ? 1 - x : 0
    case .cubic:
      let a = -0.5
      if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
      if x < 2 { return (((x - 5) * x + 8) * x - 4) * a }
      return 0
    }
  }
}

/// The weights of one axis in 22-bit fixed point, as Pillow rounds them.
struct ConvolutionWeights {
  /// The first source pixel of each target pixel, and how many follow.
  private(set) var ranges: [Range<Int>] = []
  /// The weights of target pixel i start at `i * stride`.
  private(set) var weights: [Int32] = []
  /// The source pixels that any of the target pixels reads.
  var sourceRange: Range<Int> {
    (ranges.first?.lowerBound ?? 0)..<(ranges.last?.upperBound ?? 0)
  }
  /// The most weights that a target pixel has.
  let stride: Int

  static let bits: Int32 = 22

  /// - Parameters:
  ///   - source: the length of the axis in the source.
  ///   - target: the length of the axis in the whole target.
  ///   - window: the target pixels that are wanted.
  init(source: Int, target: Int, window: Range<Int>, filter: ConvolutionFilter) {
    let scale = Double(source) / Double(target)
    let filterScale = max(scale, 1)
    let support = filter.support * filterScale
    let inverse = 1 / filterScale
    // Never more than the source has, however small the target is.
    stride = min(Int(support.rounded(.up)) * 2 + 1, source)
    ranges.reserveCapacity(window.count)
    weights = [Int32](repeating: 0, count: window.count * stride)
    var raw = [Double](repeating: 0, count: stride)
    for (row, index) in window.enumerated() {
      let center = (Double(index) + 0.5) * scale
      let first = max(Int(center - support + 0.5), 0)
      let end = min(Int(center + support + 0.5), source)
      var sum = 0.0
      for tap in 0..<end - first {
        raw[tap] = filter.weight(at: (Double(tap + first) - center + 0.5) * inverse)
        sum += raw[tap]
      }
      for tap in 0..<end - first {
        let weight = (sum == 0 ? raw[tap] : raw[tap] / sum) * Double(1 << Self.bits)
        weights[row * stride + tap] = Int32(weight < 0 ? weight - 0.5 : weight + 0.5)
      }
      ranges.append(first..<end)
    }
  }
}

/// Pillow's antialiased `Image.resize`, with the same arithmetic.
///
/// It resizes one axis at a time, with weights in 22-bit fixed point, and rounds each pass to 8
/// bits. Because of that rounding the order of the passes matters. It is across, then down, unless
/// the image loses more than twice the number of rows as of columns. This is Pillow's rule since
/// version 13; before, it was always across first.
///
/// Each target pixel depends only on its own weights, so a window of the target costs only that
/// window and the source pixels that it reads.
struct ConvolutionResize {
  let source: Raster
  /// The whole target's width, of which `columns` are made.
  let width: Int
  /// The whole target's height, of which `rows` are made.
  let height: Int
  let filter: ConvolutionFilter
  let columns: Range<Int>
  let rows: Range<Int>

  func result() -> Raster {
    let across =
      width == source.width
      ? nil
      : ConvolutionWeights(source: source.width, target: width, window: columns, filter: filter)
    let down =
      height == source.height
      ? nil
      : ConvolutionWeights(source: source.height, target: height, window: rows, filter: filter)
    switch (across, down) {
    case (nil, nil):
      return identity()
    case (let across?, nil):
      return Self.resizedAcross(source, rows: rows, weights: across, firstColumn: 0)
    case (nil, let down?):
      return Self.resizedDown(source, columns: columns, weights: down, firstRow: 0)
    case (let across?, let down?):
      let lostRows = source.height - height
      if lostRows > 0, lostRows > 2 * (source.width - width) {
        let needed = across.sourceRange
        let middle = Self.resizedDown(source, columns: needed, weights: down, firstRow: 0)
        return Self.resizedAcross(
          middle, rows: 0..<middle.height, weights: across, firstColumn: needed.lowerBound)
      }
      let needed = down.sourceRange
      let middle = Self.resizedAcross(source, rows: needed, weights: across, firstColumn: 0)
      return Self.resizedDown(
        middle, columns: 0..<middle.width, weights: down, firstRow: needed.lowerBound)
    }
  }

  private func identity() -> Raster {
    PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
      .flatMap { source.cropped(to: $0) } ?? source
  }

  /// The target's columns of some rows of an image whose first column is the source's
  /// `firstColumn`.
  private static func resizedAcross(
    _ image: Raster, rows: Range<Int>, weights: ConvolutionWeights, firstColumn: Int
  ) -> Raster {
    let channels = image.channels
    let rowLength = weights.ranges.count * channels
    let sourceStride = image.width * channels
    let samples = [UInt8](unsafeUninitializedCapacity: rowLength * rows.count) {
      target, initialized in
      image.samples.withUnsafeBufferPointer { samples in
        weights.weights.withUnsafeBufferPointer { table in
          for (row, y) in rows.enumerated() {
            var to = row * rowLength
            for (x, range) in weights.ranges.enumerated() {
              let from = y * sourceStride + (range.lowerBound - firstColumn) * channels
              let first = x * weights.stride
              // Three channels are by far the most frequent, and three sums at once read a row
              // once.
              if channels == 3 {
                var red = half
                var green = half
                var blue = half
                var at = from
                for tap in first..<first + range.count {
                  let weight = table[tap]
                  red &+= Int32(samples[at]) &* weight
                  green &+= Int32(samples[at &+ 1]) &* weight
                  blue &+= Int32(samples[at &+ 2]) &* weight
                  at &+= 3
                }
                target[to] = rounded(red)
                target[to + 1] = rounded(green)
                target[to + 2] = rounded(blue)
              } else {
                for channel in 0..<channels {
                  var sum = half
                  for tap in 0..<range.count {
                    sum &+= Int32(samples[from + tap * channels + channel]) &* table[first + tap]
                  }
                  target[to + channel] = rounded(sum)
                }
              }
              to += channels
            }
          }
        }
      }
      initialized = rowLength * rows.count
    }
    return Raster(
      width: weights.ranges.count, height: rows.count, channels: channels, checked: samples)
  }

  /// The target's rows of some columns of an image whose first row is the source's `firstRow`.
  private static func resizedDown(
    _ image: Raster, columns: Range<Int>, weights: ConvolutionWeights, firstRow: Int
  ) -> Raster {
    let rowLength = columns.count * image.channels
    let sourceStride = image.width * image.channels
    let height = weights.ranges.count
    let samples = [UInt8](unsafeUninitializedCapacity: rowLength * height) {
      target, initialized in
      image.samples.withUnsafeBufferPointer { samples in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: rowLength) { sums in
          for (row, range) in weights.ranges.enumerated() {
            sums.initialize(repeating: half)
            for (tap, y) in range.enumerated() {
              let weight = weights.weights[row * weights.stride + tap]
              let from = (y - firstRow) * sourceStride + columns.lowerBound * image.channels
              for index in 0..<rowLength {
                sums[index] &+= Int32(samples[from &+ index]) &* weight
              }
            }
            for index in 0..<rowLength {
              target[row * rowLength + index] = rounded(sums[index])
            }
          }
        }
      }
      initialized = rowLength * height
    }
    return Raster(
      width: columns.count, height: height, channels: image.channels, checked: samples)
  }

  private static let half: Int32 = 1 << (ConvolutionWeights.bits - 1)

  @inline(__always)
  private static func rounded(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(sum >> ConvolutionWeights.bits, 0), 255))
  }
}
