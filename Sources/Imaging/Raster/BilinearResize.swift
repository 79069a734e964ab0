/// OpenCV's 8-bit `INTER_LINEAR`, in its arithmetic.
///
/// Positions are computed in double and rounded to float; weights are 11-bit integers. A row is
/// first resized across into 32-bit sums of 19 bits. Then two such rows are weighted: each is
/// shifted down by 4 before its product and by 16 after it, and their sum is rounded by 2 bits.
/// These intermediate truncations change the last bit, so they are done exactly as in OpenCV.
/// Halving both sides is the mean of 2 x 2 pixels there too, rounded half up. With two channels it
/// is rounded half to even, because OpenCV then computes in float.
struct BilinearResize {
  let source: Raster
  let width: Int
  let height: Int

  /// Writes `height` rows of `width` pixels, `rowStride` samples apart.
  func write(into target: UnsafeMutableBufferPointer<UInt8>, rowStride: Int) {
    source.samples.withUnsafeBufferPointer { samples in
      if source.width == 2 * width, source.height == 2 * height {
        halve(samples, into: target, rowStride: rowStride)
      } else {
        interpolate(samples, into: target, rowStride: rowStride)
      }
    }
  }

  private func halve(
    _ samples: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>,
    rowStride: Int
  ) {
    // A constant number of channels lets the loop over them vanish.
    switch source.channels {
    case 1: halve(samples, into: target, rowStride: rowStride, channels: 1)
    case 2: halve(samples, into: target, rowStride: rowStride, channels: 2)
    case 3: halve(samples, into: target, rowStride: rowStride, channels: 3)
    default: halve(samples, into: target, rowStride: rowStride, channels: 4)
    }
  }

  @inline(__always)
  private func halve(
    _ samples: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>,
    rowStride: Int, channels: Int
  ) {
    let sourceStride = source.width * channels
    for y in 0..<height {
      var top = 2 * y * sourceStride
      var bottom = top + sourceStride
      var to = y * rowStride
      for _ in 0..<width {
        for channel in 0..<channels {
          let sum =
            UInt16(samples[top &+ channel]) &+ UInt16(samples[top &+ channel &+ channels])
            &+ UInt16(samples[bottom &+ channel]) &+ UInt16(samples[bottom &+ channel &+ channels])
          let bias: UInt16 = channels == 2 ? 1 &+ ((sum >> 2) & 1) : 2
          target[to &+ channel] = UInt8(truncatingIfNeeded: (sum &+ bias) >> 2)
        }
        top &+= 2 &* channels
        bottom &+= 2 &* channels
        to &+= channels
      }
    }
  }

  private func interpolate(
    _ samples: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>,
    rowStride: Int
  ) {
    let channels = source.channels
    let sourceStride = source.width * channels
    let rowLength = width * channels
    let columns = horizontalTaps()
    // Two rows resized across, kept while the next target row needs the same source rows. Unsafe
    // buffers because these two loops are all the time of a letterbox, and bounds checks double it.
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * rowLength) { scratch in
      var upper = UnsafeMutableBufferPointer(rebasing: scratch[..<rowLength])
      var lower = UnsafeMutableBufferPointer(rebasing: scratch[rowLength...])
      var upperRow = -1
      var lowerRow = -1
      func resizeAcross(_ row: Int, into sums: UnsafeMutableBufferPointer<Int32>) {
        let start = row * sourceStride
        columns.withUnsafeBufferPointer { columns in
          for index in 0..<rowLength {
            let tap = columns[index]
            sums[index] =
              Int32(samples[start &+ Int(tap.first)]) &* tap.weights.0
              &+ Int32(samples[start &+ Int(tap.second)]) &* tap.weights.1
          }
        }
      }
      for y in 0..<height {
        let (position, weights) = Self.position(
          of: y, scale: Self.scale(from: source.height, to: height))
        let first = min(max(position, 0), source.height - 1)
        let second = min(max(position + 1, 0), source.height - 1)
        if first != upperRow {
          if first == lowerRow {
            swap(&upper, &lower)
            swap(&upperRow, &lowerRow)
          } else {
            resizeAcross(first, into: upper)
            upperRow = first
          }
        }
        if second != lowerRow {
          resizeAcross(second, into: lower)
          lowerRow = second
        }
        let (a, b) = weights
        let start = y * rowStride
        for index in 0..<rowLength {
          let sum =
            ((a &* (upper[index] >> 4)) >> 16) &+ ((b &* (lower[index] >> 4)) >> 16)
          target[start &+ index] = UInt8(truncatingIfNeeded: (sum &+ 2) >> 2)
        }
      }
    }
  }

  /// The positions in its row that one target sample reads, and their weights of 2048.
  private struct Tap {
    let first: Int32
    let second: Int32
    let weights: (Int32, Int32)
  }

  /// One tap per sample of a target row.
  ///
  /// Beyond the first and last pixel the nearest one counts alone.
  private func horizontalTaps() -> [Tap] {
    let channels = source.channels
    let last = source.width - 1
    let scale = Self.scale(from: source.width, to: width)
    var taps: [Tap] = []
    taps.reserveCapacity(width * channels)
    for x in 0..<width {
      var (first, weights) = Self.position(of: x, scale: scale)
      if first < 0 { (first, weights) = (0, (2048, 0)) }
      if first >= last { (first, weights) = (last, (2048, 0)) }
      for channel in 0..<channels {
        taps.append(
          Tap(
            first: Int32(first * channels + channel),
            second: Int32(min(first + 1, last) * channels + channel), weights: weights))
      }
    }
    return taps
  }

  /// Source pixels per target pixel; twice inverted, as OpenCV does it.
  private static func scale(from source: Int, to target: Int) -> Double {
    1 / (Double(target) / Double(source))
  }

  /// The source pixel left of (above) the center of target pixel `index`, and the two weights.
  private static func position(
    of index: Int, scale: Double
  ) -> (Int, weights: (Int32, Int32)) {
    let center = Float((Double(index) + 0.5) * scale - 0.5)
    let floor = center.rounded(.down)
    let fraction = center - floor
    return (
      Int(floor),
      (
        Int32(((1 - fraction) * 2048).rounded(.toNearestOrEven)),
        Int32((fraction * 2048).rounded(.toNearestOrEven))
      )
    )
  }
}
