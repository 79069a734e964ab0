/// Which pixels of a map of probabilities are text, with a margin of one pixel that never is.
///
/// Border tracing marks its way in the same bytes.
struct TextMask {
  /// The map's size, without the margin.
  let width: Int
  let height: Int
  /// Bytes from a pixel to the one below.
  let rowStride: Int
  /// 1 if there is text, else 0.
  var pixels: [Int8]

  /// Takes what is above a threshold; NaN is not.
  ///
  /// - Parameters:
  ///   - map: `width * height` probabilities, row after row.
  ///   - dilates: whether a pixel is text also where the one to its left, above it or above that
  ///     one is, which is OpenCV's dilation by 2 x 2.
  init(
    _ map: UnsafeBufferPointer<Float>, width: Int, height: Int, threshold: Float, dilates: Bool
  ) {
    self.width = width
    self.height = height
    let stride = width + 2
    rowStride = stride
    pixels = [Int8](repeating: 0, count: stride * (height + 2))
    guard let map = map.baseAddress else { return }
    pixels.withUnsafeMutableBufferPointer { pixels in
      guard let pixels = pixels.baseAddress else { return }
      // Upwards from the last row, and leftwards: what is read has not been dilated yet.
      for y in (0..<height).reversed() {
        let row = map + y * width
        let target = pixels + (y + 1) * stride + 1
        for x in 0..<width { target[x] = row[x] > threshold ? 1 : 0 }
        if dilates, y < height - 1 { Self.spread(target, into: target + stride, count: width) }
      }
      if dilates { Self.spread(nil, into: pixels + stride + 1, count: width) }
    }
  }

  /// Dilates one row by itself and by the one above it, which has not been dilated.
  private static func spread(
    _ above: UnsafeMutablePointer<Int8>?, into row: UnsafeMutablePointer<Int8>, count: Int
  ) {
    if let above {
      for x in 0..<count { row[x] |= above[x] }
    }
    var x = count - 1
    while x > 0 {
      row[x] |= row[x &- 1]
      x &-= 1
    }
  }
}
