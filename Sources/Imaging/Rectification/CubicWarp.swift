import Geometry
import Raster

extension Raster {
  /// What lies inside a quadrilateral, seen from the front, each pixel between its sixteen nearest.
  ///
  /// Equal to OpenCV 5's `warpPerspective` with `INTER_CUBIC` and `BORDER_REPLICATE` except the
  /// last rounding: Keys's cubic with a = -0.75, not antialiased. Whole numbers are the middles of
  /// pixels here, as they are there; ``rectified(_:width:height:)`` has them at the corners of
  /// pixels. Text recognition models were trained on what this answers.
  ///
  /// - Parameters:
  ///   - quad: the shape; it may leave the picture, beyond which its nearest pixels go on.
  ///   - width: the answer's width, at least 1; `topRight` is where the pixel after the last would
  ///     be.
  ///   - height: the answer's height, at least 1.
  /// - Complexity: O(pixels of the answer and of the box around the shape).
  /// - Throws: ``RectificationError`` if the shape is not finite, flat, or not convex;
  ///   `RasterError` if a side is below 1 or the answer would be too large.
  public func cubicallyWarped(_ quad: Quadrilateral, width: Int, height: Int) throws -> Raster {
    guard width > 0, height > 0 else {
      throw RasterError.invalidLayout(width: width, height: height, channels: channels)
    }
    let frame = Quadrilateral(
      Box(minX: 0, minY: 0, maxX: Float(width), maxY: Float(height)))
    let map = try Homography(from: frame, to: quad)
    guard frame.corners.allSatisfy({ map.depth(at: $0) > 0 }) else {
      throw RectificationError.notConvex(quad)
    }
    return try Raster(width: width, height: height, channels: channels) { target in
      samples.withUnsafeBufferPointer { source in
        var warp = CubicWarp(
          map.elements, source: (source, self.width, self.height, channels), width: width,
          height: height)
        warp.write(into: target)
      }
    }
  }
}

/// A warp, tile by tile: the pixels that a tile needs are turned into vectors once, so that sixteen
/// of them are sixteen products.
private struct CubicWarp {
  /// Pixels of the answer a tile is wide and high.
  private static let tile = (width: 64, height: 32)

  /// The map's columns: what x, y and 1 add to the two coordinates and to what they are divided by.
  private let byX: SIMD4<Double>
  private let byY: SIMD4<Double>
  private let offset: SIMD4<Double>
  private let source: (samples: UnsafeBufferPointer<UInt8>, width: Int, height: Int, channels: Int)
  private let width: Int
  private let height: Int
  /// The part of the picture that the present tile needs, its border repeated, row after row.
  private var window: [SIMD4<Float>] = []
  private var left = 0
  private var top = 0
  private var columns = 0
  private var rows = 0

  init(
    _ m: [Double],
    source: (samples: UnsafeBufferPointer<UInt8>, width: Int, height: Int, channels: Int),
    width: Int, height: Int
  ) {
    byX = SIMD4(m[0], m[3], m[6], 0)
    byY = SIMD4(m[1], m[4], m[7], 0)
    offset = SIMD4(m[2], m[5], m[8], 1)
    self.source = source
    self.width = width
    self.height = height
  }

  mutating func write(into answer: UnsafeMutableBufferPointer<UInt8>) {
    for y in stride(from: 0, to: height, by: Self.tile.height) {
      for x in stride(from: 0, to: width, by: Self.tile.width) {
        let (endX, endY) = (min(x + Self.tile.width, width), min(y + Self.tile.height, height))
        load(x..<endX, y..<endY)
        fill(x..<endX, y..<endY, of: answer)
      }
    }
  }

  /// The place of a pixel of the answer in the picture, at most two pixels beyond the border.
  ///
  /// Farther out, all pixels are the same.
  @inline(__always)
  private func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let point = byX * x + byY * y + offset
    return (
      Self.clamp(point.x / point.z, to: Double(source.width + 1)),
      Self.clamp(point.y / point.z, to: Double(source.height + 1))
    )
  }

  /// `value` in -2...`last`; NaN is -2.
  @inline(__always)
  private static func clamp(_ value: Double, to last: Double) -> Double {
    value > -2 ? (value < last ? value : last) : -2
  }

  /// Fetches what a tile needs: a map of a convex shape is furthest out at the tile's corners.
  private mutating func load(_ xs: Range<Int>, _ ys: Range<Int>) {
    let corners = [xs.lowerBound, xs.upperBound - 1].flatMap { x in
      [ys.lowerBound, ys.upperBound - 1].map { y in place(Double(x), Double(y)) }
    }
    func bounds(_ values: [Double]) -> (Int, Int) {
      // One tap before the pixel and two behind it, and one more each way for rounding.
      let low = (values.min() ?? 0).rounded(.down)
      let high = (values.max() ?? 0).rounded(.down)
      return (Int(low) - 2, Int(high) - Int(low) + 6)
    }
    (left, columns) = bounds(corners.map(\.x))
    (top, rows) = bounds(corners.map(\.y))
    let count = columns * rows
    if window.count < count {
      window += [SIMD4<Float>](repeating: .zero, count: count - window.count)
    }
    let (left, top, columns, rows, source) = (left, top, columns, rows, source)
    window.withUnsafeMutableBufferPointer { window in
      for row in 0..<rows {
        let y = min(max(top + row, 0), source.height - 1)
        for column in 0..<columns {
          let x = min(max(left + column, 0), source.width - 1)
          let start = (y &* source.width &+ x) &* source.channels
          var pixel = SIMD4<Float>.zero
          if source.channels == 3 {
            pixel = SIMD4(
              Float(source.samples[start]), Float(source.samples[start &+ 1]),
              Float(source.samples[start &+ 2]), 0)
          } else {
            for channel in 0..<source.channels {
              pixel[channel] = Float(source.samples[start &+ channel])
            }
          }
          window[row &* columns &+ column] = pixel
        }
      }
    }
  }

  private func fill(
    _ xs: Range<Int>, _ ys: Range<Int>, of answer: UnsafeMutableBufferPointer<UInt8>
  ) {
    let channels = source.channels
    let (black, white) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 255))
    let shift = SIMD4<Float>(repeating: 12_582_912)
    window.withUnsafeBufferPointer { window in
      for y in ys {
        var to = (y * width + xs.lowerBound) * channels
        for x in xs {
          let (u, v) = place(Double(x), Double(y))
          // Places are at least -2, so that cutting the fraction off 2 further on rounds down,
          // without a call of the C library.
          let (floorU, floorV) = (Int(u + 2) &- 2, Int(v + 2) &- 2)
          let across = Self.weights(Float(u - Double(floorU)))
          let down = Self.weights(Float(v - Double(floorV)))
          // Inside the window by how it was made; held to it all the same.
          let column = min(max(floorU &- 1 &- left, 0), columns &- 4)
          let row = min(max(floorV &- 1 &- top, 0), rows &- 4)
          var start = row &* columns &+ column
          var sum = SIMD4<Float>.zero
          for tap in 0..<4 {
            var line = window[start] * across.x
            line += window[start &+ 1] * across.y
            line += window[start &+ 2] * across.z
            line += window[start &+ 3] * across.w
            sum += line * down[tap]
            start &+= columns
          }
          sum.replace(with: black, where: sum .< black)
          sum.replace(with: white, where: sum .> white)
          // Adding 1.5 * 2^23 leaves no place for a fraction: what is rounded, half to even, are
          // the lowest bits.
          let rounded = unsafeBitCast(sum + shift, to: SIMD4<UInt32>.self)
          for channel in 0..<channels {
            answer[to] = UInt8(truncatingIfNeeded: rounded[channel])
            to &+= 1
          }
        }
      }
    }
  }

  /// The cubic's weights for the pixel before, the two around, and the one behind a place.
  @inline(__always)
  private static func weights(_ part: Float) -> SIMD4<Float> {
    let a: Float = -0.75
    let (before, rest) = (part + 1, 1 - part)
    let w0 = ((a * before - 5 * a) * before + 8 * a) * before - 4 * a
    let w1 = ((a + 2) * part - (a + 3)) * part * part + 1
    let w2 = ((a + 2) * rest - (a + 3)) * rest * rest + 1
    return SIMD4(w0, w1, w2, 1 - w0 - w1 - w2)
  }
}
