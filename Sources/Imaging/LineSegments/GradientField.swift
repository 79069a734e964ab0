import Raster

/// The gradient of a picture's brightness, reduced by a whole factor and lightly smoothed.
///
/// Brightness is (R + 2 G + B) / 4. It is smoothed by the binomial filter 1 2 1 in both directions and
/// differentiated by Sobel's; both are kept unnormalised as integers, so that a step of one grey level
/// has a magnitude of ``unit``.
package struct GradientField: Sendable {
  package let width: Int
  package let height: Int
  /// Toward the right and downward, the outermost two rows and columns 0.
  package let x: [Int16]
  package let y: [Int16]
  /// |x| + |y|, 0 where it is below the threshold: no edge.
  let magnitude: [Int16]
  /// The brightness before smoothing.
  package let brightness: [UInt8]

  /// The magnitude of an upright or level step of one grey level: 16 of the smoothing, 4 of Sobel's
  /// filter, 3/4 of the step between the two pixels beside the middle one.
  package static let unit = 48.0

  /// Nil where the reduced picture is too small to have an edge.
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
    // Unsafe pointers: a bounds check a pixel would be most of the time. All indices lie in rows and
    // columns 2...side - 3 and their neighbours.
    smooth.withUnsafeBufferPointer { smooth in
      x.withUnsafeMutableBufferPointer { x in
        y.withUnsafeMutableBufferPointer { y in
          magnitude.withUnsafeMutableBufferPointer { magnitude in
            for row in 2..<height - 2 {
              let (above, here, below) = ((row - 1) * width, row * width, (row + 1) * width)
              for column in 2..<width - 2 {
                let (northWest, north, northEast) = (
                  smooth[above + column - 1], smooth[above + column], smooth[above + column + 1]
                )
                let (west, east) = (smooth[here + column - 1], smooth[here + column + 1])
                let (southWest, south, southEast) = (
                  smooth[below + column - 1], smooth[below + column], smooth[below + column + 1]
                )
                let dx = (northEast &- northWest) &+ 2 &* (east &- west) &+ (southEast &- southWest)
                let dy =
                  (southWest &- northWest) &+ 2 &* (south &- north) &+ (southEast &- northEast)
                let sum = (dx < 0 ? 0 &- dx : dx) &+ (dy < 0 ? 0 &- dy : dy)
                x[here + column] = dx
                y[here + column] = dy
                magnitude[here + column] = sum < threshold ? 0 : sum
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

  /// Brightness, each pixel the mean of `factor` x `factor`; what is left at the right and below is cut.
  private static func reduced(
    _ image: Raster, factor: Int, width: Int, height: Int
  ) -> [UInt8] {
    let channels = image.channels
    let stride = image.width * channels
    // In colour every pixel brings 4 parts, in grey 1.
    let parts = UInt64(factor * factor * (channels >= 3 ? 4 : 1))
    return [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
      var sums = [UInt64](repeating: 0, count: width)
      image.samples.withUnsafeBufferPointer { source in
        sums.withUnsafeMutableBufferPointer { sums in
          for row in 0..<height {
            for column in 0..<width { sums[column] = 0 }
            for line in 0..<factor {
              var from = (row * factor + line) * stride
              for column in 0..<width {
                var sum = sums[column]
                for _ in 0..<factor {
                  if channels >= 3 {
                    sum &+=
                      UInt64(source[from]) &+ 2 &* UInt64(source[from + 1])
                      &+ UInt64(source[from + 2])
                  } else {
                    sum &+= UInt64(source[from])
                  }
                  from += channels
                }
                sums[column] = sum
              }
            }
            for column in 0..<width {
              target[row * width + column] = UInt8(
                truncatingIfNeeded: (sums[column] &+ parts / 2) / parts)
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
        for row in 0..<height {
          let start = row * width
          for column in start + 1..<start + width - 1 {
            rows[column] =
              Int16(source[column - 1]) &+ 2 &* Int16(source[column])
              &+ Int16(source[column + 1])
          }
        }
        result.withUnsafeMutableBufferPointer { result in
          for row in 1..<height - 1 {
            let start = row * width
            for column in start..<start + width {
              result[column] =
                rows[column - width] &+ 2 &* rows[column] &+ rows[column + width]
            }
          }
        }
      }
    }
    return result
  }
}
