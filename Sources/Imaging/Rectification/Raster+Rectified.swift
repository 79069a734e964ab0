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

  /// The map from pixels of the answer to those of the picture: what u, v and 1 add to the two
  /// coordinates, and to what they are divided by.
  private let byU: SIMD2<Double>
  private let byV: SIMD2<Double>
  private let offset: SIMD2<Double>
  private let divisor: SIMD3<Double>
  private let source: (width: Int, height: Int)
  private let target: (width: Int, height: Int)
  private let channels: Int
  private let tapsAcross: Int
  private let tapsDown: Int

  /// Takes the map from the unit square, whatever the answer's proportions: no square is too thin.
  init(_ map: Homography, of square: Quadrilateral, source: Raster, width: Int, height: Int) {
    let (across, down) = (Double(width), Double(height))
    let m = map.elements
    byU = SIMD2(m[0], m[3]) / across
    byV = SIMD2(m[1], m[4]) / down
    offset = SIMD2(m[2], m[5])
    divisor = SIMD3(m[6] / across, m[7] / down, m[8])
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
    if tapsAcross == 1, tapsDown == 1 {
      writeTiles(samples, answer, channels)
    } else {
      writeMeans(samples, answer, channels)
    }
  }

  /// Pixels of the answer a tile is wide and high.
  private static let tile = (width: 64, height: 32)

  /// One sample for each pixel, tile by tile: the part of the picture that a tile needs is turned
  /// into vectors once, and the samples are interpolated in all channels at once.
  @inline(__always)
  private func writeTiles(
    _ samples: UnsafeBufferPointer<UInt8>, _ answer: UnsafeMutableBufferPointer<UInt8>,
    _ channels: Int
  ) {
    var window: [SIMD4<Double>] = []
    for top in stride(from: 0, to: target.height, by: Self.tile.height) {
      for left in stride(from: 0, to: target.width, by: Self.tile.width) {
        let rows = top..<min(top + Self.tile.height, target.height)
        let columns = left..<min(left + Self.tile.width, target.width)
        let part = part(of: columns, rows)
        let count = part.columns * part.rows
        if window.count < count { window = [SIMD4<Double>](repeating: .zero, count: count) }
        window.withUnsafeMutableBufferPointer { window in
          load(part, of: samples, into: window, channels)
          interpolate(window, part, columns, rows, answer, channels)
        }
      }
    }
  }

  /// The part of the picture that a tile reads.
  ///
  /// It may end beyond the picture, whose outer pixels are repeated there.
  private struct Part {
    let left: Int
    let top: Int
    let columns: Int
    let rows: Int
    /// Whether no sample lies beyond the middles of the picture's outer pixels.
    let isInside: Bool
  }

  /// What a tile reads: a map of a convex shape is furthest out at the tile's corners.
  private func part(of columns: Range<Int>, _ rows: Range<Int>) -> Part {
    let (lastX, lastY) = (Double(source.width - 1), Double(source.height - 1))
    var (low, high) = (SIMD2(lastX, lastY), SIMD2<Double>.zero)
    var (nearest, farthest) = (Double.infinity, 0.0)
    var isInside = true
    for row in [rows.lowerBound, rows.upperBound - 1] {
      for column in [columns.lowerBound, columns.upperBound - 1] {
        let (u, v) = (Double(column) + 0.5, Double(row) + 0.5)
        let place = place(u, v)
        let held = SIMD2(Self.clamp(place.x, to: lastX), Self.clamp(place.y, to: lastY))
        // With a margin for rounding; NaN is not inside.
        if !(place.x > 0.01 && place.x < lastX - 0.01) { isInside = false }
        if !(place.y > 0.01 && place.y < lastY - 0.01) { isInside = false }
        low = pointwiseMin(low, held)
        high = pointwiseMax(high, held)
        nearest = min(nearest, depth(u, v))
        farthest = max(farthest, depth(u, v))
      }
    }
    // Between depths that differ more, rounding might pass that margin.
    if !(nearest > 1e-6 * farthest) { isInside = false }
    // The neighbour behind, and one more each way for rounding.
    let (left, top) = (max(Int(low.x) - 1, 0), max(Int(low.y) - 1, 0))
    return Part(
      left: left, top: top, columns: Int(high.x) + 3 - left, rows: Int(high.y) + 3 - top,
      isInside: isInside)
  }

  /// Turns the pixels of a part into vectors, row after row.
  @inline(__always)
  private func load(
    _ part: Part, of samples: UnsafeBufferPointer<UInt8>,
    into window: UnsafeMutableBufferPointer<SIMD4<Double>>, _ channels: Int
  ) {
    for row in 0..<part.rows {
      let y = min(part.top + row, source.height - 1)
      for column in 0..<part.columns {
        let x = min(part.left + column, source.width - 1)
        let start = (y &* source.width &+ x) &* channels
        var pixel = SIMD4<Double>.zero
        for channel in 0..<channels { pixel[channel] = Double(samples[start &+ channel]) }
        window[row &* part.columns &+ column] = pixel
      }
    }
  }

  @inline(__always)
  private func interpolate(
    _ window: UnsafeMutableBufferPointer<SIMD4<Double>>, _ part: Part, _ columns: Range<Int>,
    _ rows: Range<Int>, _ answer: UnsafeMutableBufferPointer<UInt8>, _ channels: Int
  ) {
    let (lastX, lastY) = (Double(source.width - 1), Double(source.height - 1))
    for row in rows {
      let v = Double(row) + 0.5
      var to = (row * target.width + columns.lowerBound) * channels
      for column in columns {
        let place = place(Double(column) + 0.5, v)
        var (x, y) = (place.x, place.y)
        if !part.isInside { (x, y) = (Self.clamp(x, to: lastX), Self.clamp(y, to: lastY)) }
        let (left, top) = (Int(x), Int(y))
        let (fx, fy) = (x - Double(left), y - Double(top))
        // Inside the window by how it was made; held to it all the same.
        let start =
          max(min(top &- part.top, part.rows &- 2), 0) &* part.columns
          &+ max(min(left &- part.left, part.columns &- 2), 0)
        let (a, b) = (window[start], window[start &+ 1])
        let (c, d) = (window[start &+ part.columns], window[start &+ part.columns &+ 1])
        let above = a + (b - a) * fx
        let below = c + (d - c) * fx
        // 4096 leaves 40 bits for the fraction: what is rounded stands above them.
        let sum = above + (below - above) * fy + 4096.5
        let rounded = unsafeBitCast(sum, to: SIMD4<UInt64>.self) &>> 40
        for channel in 0..<channels {
          answer[to] = UInt8(truncatingIfNeeded: rounded[channel])
          to &+= 1
        }
      }
    }
  }

  /// The place in the picture of one in the answer, from the middle of the picture's first pixel.
  @inline(__always)
  private func place(_ u: Double, _ v: Double) -> SIMD2<Double> {
    (byU * u + byV * v + offset) / depth(u, v) - 0.5
  }

  /// What coordinates are divided by.
  @inline(__always)
  private func depth(_ u: Double, _ v: Double) -> Double {
    divisor.x * u + divisor.y * v + divisor.z
  }

  /// Several samples for each pixel, wherever they lie.
  @inline(__always)
  private func writeMeans(
    _ samples: UnsafeBufferPointer<UInt8>, _ answer: UnsafeMutableBufferPointer<UInt8>,
    _ channels: Int
  ) {
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
            let place = place(u, v)
            let (x, y) = (Self.clamp(place.x, to: lastX), Self.clamp(place.y, to: lastY))
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
