import Geometry
import Raster

extension Raster {
  /// What lies inside a quadrilateral, seen straight from the front.
  ///
  /// Each pixel is interpolated between the four nearest of the picture, as OpenCV's
  /// `warpPerspective` with `INTER_LINEAR` does. If the shape is made smaller, a pixel is the mean
  /// of several such samples, evenly spread over its area. Across and down, the number of samples
  /// is that of the picture's pixels in this area, at most 32 each way. Beyond the picture, its
  /// nearest pixels are repeated. All channels are treated alike, alpha too.
  ///
  /// - Parameters:
  ///   - quad: the shape, in pixels of the picture with the origin in its corner: pixel (0, 0) is
  ///     the square from there to (1, 1). It may leave the picture. Corners that turn against the
  ///     clock give a mirrored answer.
  ///   - width: the answer's width, at least 1; the upper side of the shape becomes its upper side.
  ///   - height: the answer's height, at least 1.
  /// - Complexity: O(pixels of the answer and of the shape).
  /// - Throws: ``RectificationError`` if the shape is not finite, flat, or not convex;
  ///   `RasterError` if a side is below 1 or the answer would be too large.
  public func rectified(_ quad: Quadrilateral, width: Int, height: Int) throws -> Raster {
    guard width > 0, height > 0 else {
      throw RasterError.invalidLayout(width: width, height: height, channels: channels)
    }
    let square = Quadrilateral(Box(minX: 0, minY: 0, maxX: 1, maxY: 1))
    let map = try Homography(from: square, to: quad)
    // The shape is convex where no infinity lies between the square's corners.
    guard square.corners.allSatisfy({ map.depth(at: $0) > 0 }) else {
      throw RectificationError.notConvex(quad)
    }
    let warp = PerspectiveWarp(map, of: square, source: self, width: width, height: height)
    return try Raster(width: width, height: height, channels: channels) { target in
      samples.withUnsafeBufferPointer { source in
        warp.write(from: source, into: target)
      }
    }
  }
}

/// The samples of one picture under a map, averaged over each pixel of the answer.
private struct PerspectiveWarp {
  /// The most samples a pixel takes across, and down.
  ///
  /// A thousand samples hide what lies between them; a shape that is larger than any picture must
  /// not take for ever.
  private static let mostTaps = 32

  /// The map from pixels of the answer to those of the picture.
  private let elements: [Double]
  private let source: (width: Int, height: Int)
  private let target: (width: Int, height: Int)
  private let channels: Int
  private let tapsAcross: Int
  private let tapsDown: Int

  /// Takes the map from the unit square, whatever the answer's proportions: no square is too thin.
  init(_ map: Homography, of square: Quadrilateral, source: Raster, width: Int, height: Int) {
    let (across, down) = (Double(width), Double(height))
    elements = map.elements.enumerated().map { index, value in
      switch index % 3 {
      case 0: value / across
      case 1: value / down
      default: value
      }
    }
    self.source = (source.width, source.height)
    target = (width, height)
    channels = source.channels
    let steps = square.corners.map { Self.steps(map, at: $0) }
    tapsAcross = Self.taps(for: steps.reduce(0) { max($0, $1.across) } / across)
    tapsDown = Self.taps(for: steps.reduce(0) { max($0, $1.down) } / down)
  }

  /// How far the picture is passed across and down at a place of the square: the lengths of the
  /// map's derivatives, which are largest at corners.
  private static func steps(_ map: Homography, at place: Point) -> (across: Double, down: Double) {
    let m = map.elements
    let w = map.depth(at: place)
    let point = map.apply(to: place)
    func length(_ column: Int) -> Double {
      let dx = (m[column] - point.x * m[6 + column]) / w
      let dy = (m[3 + column] - point.y * m[6 + column]) / w
      return (dx * dx + dy * dy).squareRoot()
    }
    return (length(0), length(1))
  }

  /// As many samples as pixels.
  ///
  /// A sample reaches a pixel to either side, so that one suffices up to a step of one and a half;
  /// more would only blur what is hardly made smaller.
  private static func taps(for step: Double) -> Int {
    step < Double(mostTaps) ? max(Int(step.rounded()), 1) : mostTaps
  }

  func write(
    from samples: UnsafeBufferPointer<UInt8>, into answer: UnsafeMutableBufferPointer<UInt8>
  ) {
    // A constant number of channels lets the loops over them vanish.
    switch channels {
    case 1: write(samples, answer, 1)
    case 2: write(samples, answer, 2)
    case 3: write(samples, answer, 3)
    default: write(samples, answer, 4)
    }
  }

  @inline(__always)
  private func write(
    _ samples: UnsafeBufferPointer<UInt8>, _ answer: UnsafeMutableBufferPointer<UInt8>,
    _ channels: Int
  ) {
    let (m0, m1, m2) = (elements[0], elements[1], elements[2])
    let (m3, m4, m5) = (elements[3], elements[4], elements[5])
    let (m6, m7, m8) = (elements[6], elements[7], elements[8])
    let (width, height) = source
    let (lastX, lastY) = (Double(width - 1), Double(height - 1))
    let share = 1 / Double(tapsAcross * tapsDown)
    var to = 0
    for row in 0..<target.height {
      for column in 0..<target.width {
        var sum = SIMD4<Double>.zero
        for tapY in 0..<tapsDown {
          let v = Double(row) + (Double(tapY) + 0.5) / Double(tapsDown)
          for tapX in 0..<tapsAcross {
            let u = Double(column) + (Double(tapX) + 0.5) / Double(tapsAcross)
            let w = m6 * u + m7 * v + m8
            // A pixel's own place is its middle.
            let x = Self.clamp((m0 * u + m1 * v + m2) / w - 0.5, to: lastX)
            let y = Self.clamp((m3 * u + m4 * v + m5) / w - 0.5, to: lastY)
            let (left, top) = (Int(x), Int(y))
            let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
            let (fx, fy) = (x - Double(left), y - Double(top))
            let (a, b) = ((top * width + left) * channels, (top * width + right) * channels)
            let (c, d) = ((bottom * width + left) * channels, (bottom * width + right) * channels)
            for channel in 0..<channels {
              let above = Self.between(samples[a + channel], samples[b + channel], fx)
              let below = Self.between(samples[c + channel], samples[d + channel], fx)
              sum[channel] += above + (below - above) * fy
            }
          }
        }
        for channel in 0..<channels {
          answer[to] = UInt8(sum[channel] * share + 0.5)
          to += 1
        }
      }
    }
  }

  /// `value` in 0...`last`; NaN, which only coordinates near the end of their range make, is 0.
  @inline(__always)
  private static func clamp(_ value: Double, to last: Double) -> Double {
    value > 0 ? (value < last ? value : last) : 0
  }

  @inline(__always)
  private static func between(_ a: UInt8, _ b: UInt8, _ part: Double) -> Double {
    Double(a) + (Double(b) - Double(a)) * part
  }
}
