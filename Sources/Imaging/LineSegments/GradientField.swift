import Raster

/// The gradient of a picture's brightness, reduced by a whole factor and lightly smoothed.
///
/// Brightness is (R + 2 G + B) / 4. It is smoothed by the binomial filter 1 2 1 in both directions
/// and differentiated by Sobel's. Both results are kept as integers without normalisation. So a
/// step of one grey level has a magnitude of ``unit``.
package struct GradientField: Sendable {
  package let width: Int
  package let height: Int
  /// Toward the right and downward; the outermost two rows and columns are 0.
  package let x: [Int16]
  package let y: [Int16]
  /// |x| + |y|, 0 if it is below the threshold: no edge.
  let magnitude: [Int16]
  /// The brightness before smoothing.
  package let brightness: [UInt8]

  /// The magnitude of an upright or level step of one grey level: 16 of the smoothing, 4 of Sobel's
  /// filter, 3/4 of the step between the two pixels beside the middle one.
  package static let unit = 48.0

  /// Nil if the reduced picture is too small to have an edge.
  init?(_ image: Raster, factor: Int, leastContrast: Double) {
    let (width, height) = (image.width / factor, image.height / factor)
    guard width >= 5, height >= 5 else { return nil }
    self.width = width
    self.height = height
    brightness = Self.reduced(image, factor: factor, width: width, height: height)
    let smooth = Self.smoothed(brightness, width: width, height: height)
    let threshold = Int16(min(leastContrast * Self.unit, 32_000))
    let count = width * height
    var (x, y) = ([Int16](repeating: 0, count: count), [Int16](repeating: 0, count: count))
    var magnitude = [Int16](repeating: 0, count: count)
    // Unsafe pointers: a bounds check a pixel would be most of the time. All places lie in rows and
    // columns 2...side - 3 and their neighbours. Each neighbour has a pointer of its own, and one
    // loop writes one array only: then many pixels are done at a time.
    smooth.withUnsafeBufferPointer { smooth in
      x.withUnsafeMutableBufferPointer { x in
        y.withUnsafeMutableBufferPointer { y in
          magnitude.withUnsafeMutableBufferPointer { magnitude in
            guard let smooth = smooth.baseAddress, let x = x.baseAddress, let y = y.baseAddress,
              let magnitude = magnitude.baseAddress
            else { return }
            for row in 2..<height - 2 {
              let start = row * width + 2
              let count = width - 4
              let (here, dx, dy, sum) = (smooth + start, x + start, y + start, magnitude + start)
              let (above, below) = (here - width, here + width)
              Self.differences(
                dx, count, above - 1, above + 1, here - 1, here + 1, below - 1, below + 1)
              Self.differences(
                dy, count, above - 1, below - 1, above, below, above + 1, below + 1)
              for column in 0..<count {
                let (x, y) = (dx[column], dy[column])
                let size = max(x, 0 &- x) &+ max(y, 0 &- y)
                sum[column] = size < threshold ? 0 : size
              }
            }
          }
        }
      }
    }
    self.x = x
    self.y = y
    self.magnitude = magnitude
  }

  /// Three differences, second less first, the middle one twice.
  private static func differences(
    _ result: UnsafeMutablePointer<Int16>, _ count: Int,
    _ a: UnsafePointer<Int16>, _ b: UnsafePointer<Int16>, _ c: UnsafePointer<Int16>,
    _ d: UnsafePointer<Int16>, _ e: UnsafePointer<Int16>, _ f: UnsafePointer<Int16>
  ) {
    for index in 0..<count {
      result[index] =
        (b[index] &- a[index]) &+ 2 &* (d[index] &- c[index]) &+ (f[index] &- e[index])
    }
  }

  /// Brightness, each pixel the mean of `factor` x `factor`; what is left at the right and below is
  /// cut.
  private static func reduced(
    _ image: Raster, factor: Int, width: Int, height: Int
  ) -> [UInt8] {
    // The usual ones as constants: their loops are unrolled then.
    switch (factor, image.channels) {
    case (1, 3): reduced(image, by: 1, channels: 3, sum: UInt16.self, width, height)
    case (2, 3): reduced(image, by: 2, channels: 3, sum: UInt16.self, width, height)
    case (3, 3): reduced(image, by: 3, channels: 3, sum: UInt16.self, width, height)
    case (4, 3): reduced(image, by: 4, channels: 3, sum: UInt16.self, width, height)
    // Up to 256 rows of bytes add up to less than 2^16.
    case (..<257, let channels):
      reduced(image, by: factor, channels: channels, sum: UInt16.self, width, height)
    case (_, let channels):
      reduced(image, by: factor, channels: channels, sum: UInt32.self, width, height)
    }
  }

  @inline(__always)
  private static func reduced<Sum: FixedWidthInteger & UnsignedInteger>(
    _ image: Raster, by factor: Int, channels: Int, sum: Sum.Type, _ width: Int, _ height: Int
  ) -> [UInt8] {
    let stride = image.width * channels
    let isColored = channels >= 3
    // In colour every pixel brings 4 parts, in grey 1.
    let parts = UInt64(factor * factor * (isColored ? 4 : 1))
    // A quotient is a product with 2^40 / parts, rounded up; that is exact where the rounding, less
    // than one for each of 256 parts, comes to less than 2^40 / parts.
    let reciprocal = parts < 1 << 16 ? ((1 << 40) + parts - 1) / parts : 0
    let used = width * factor * channels
    return [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
      var sums = [Sum](repeating: 0, count: used)
      image.samples.withUnsafeBufferPointer { source in
        sums.withUnsafeMutableBufferPointer { sums in
          guard let target = target.baseAddress, let sums = sums.baseAddress,
            let source = source.baseAddress
          else { return }
          for row in 0..<height {
            // Down first: neighbours in memory, many at a time.
            let first = source + row * factor * stride
            for index in 0..<used { sums[index] = Sum(first[index]) }
            for line in 1..<max(factor, 1) {
              let next = first + line * stride
              for index in 0..<used { sums[index] &+= Sum(next[index]) }
            }
            let result = target + row * width
            var next = sums
            for column in 0..<width {
              var sum: UInt64 = parts / 2
              for _ in 0..<factor {
                sum &+=
                  isColored
                  ? UInt64(next[0]) &+ 2 &* UInt64(next[1]) &+ UInt64(next[2]) : UInt64(next[0])
                next += channels
              }
              result[column] = UInt8(
                truncatingIfNeeded: reciprocal > 0 ? (sum &* reciprocal) &>> 40 : sum / parts)
            }
          }
        }
      }
      count = width * height
    }
  }

  /// Sixteen times the brightness, smoothed by 1 2 1 across and down; the outermost pixels 0.
  private static func smoothed(_ source: [UInt8], width: Int, height: Int) -> [Int16] {
    var rows = [Int16](repeating: 0, count: width * height)
    var result = rows
    source.withUnsafeBufferPointer { source in
      rows.withUnsafeMutableBufferPointer { rows in
        result.withUnsafeMutableBufferPointer { result in
          guard let source = source.baseAddress, let rows = rows.baseAddress,
            let result = result.baseAddress
          else { return }
          for row in 0..<height {
            let (here, target) = (source + row * width + 1, rows + row * width + 1)
            let (before, after) = (here - 1, here + 1)
            for column in 0..<width - 2 {
              target[column] =
                Int16(before[column]) &+ 2 &* Int16(here[column]) &+ Int16(after[column])
            }
          }
          for row in 1..<height - 1 {
            let (here, target) = (rows + row * width, result + row * width)
            let (above, below) = (here - width, here + width)
            for column in 0..<width {
              target[column] = above[column] &+ 2 &* here[column] &+ below[column]
            }
          }
        }
      }
    }
    return result
  }
}

extension GradientField {
  /// Pointers to a gradient's values, for loops in which a bounds check a pixel would be most of
  /// the time.
  ///
  /// Edges end two pixels before the picture does, so their neighbours' neighbours lie inside.
  struct Pixels {
    let x: UnsafePointer<Int16>
    let y: UnsafePointer<Int16>
    let magnitude: UnsafePointer<Int16>
    let width: Int
    let height: Int

    /// How far in memory the next pixel across an edge is: to the right or below.
    @inline(__always)
    func across(_ index: Int) -> Int {
      max(x[index], 0 &- x[index]) >= max(y[index], 0 &- y[index]) ? 1 : width
    }
  }

  /// Calls `body` with pointers that are good until it returns.
  func withPixels<Result>(_ body: (Pixels) -> Result) -> Result? {
    x.withUnsafeBufferPointer { x in
      y.withUnsafeBufferPointer { y in
        magnitude.withUnsafeBufferPointer { magnitude in
          guard let x = x.baseAddress, let y = y.baseAddress, let magnitude = magnitude.baseAddress
          else { return nil }
          return body(Pixels(x: x, y: y, magnitude: magnitude, width: width, height: height))
        }
      }
    }
  }
}
