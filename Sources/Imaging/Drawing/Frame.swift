import Geometry

/// A rectangle of a drawing, in pixels from the top left.
struct Frame: Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  /// The part of `box` inside a photo, or nil where there is none or the box is not finite.
  init?(_ box: Box, inWidth imageWidth: Int, height imageHeight: Int) {
    let edges = [box.minX, box.minY, box.maxX, box.maxY]
    guard edges.allSatisfy(\.isFinite) else { return nil }
    let left = max(Double(box.minX), 0)
    let top = max(Double(box.minY), 0)
    let right = min(Double(box.maxX), Double(imageWidth))
    let bottom = min(Double(box.maxY), Double(imageHeight))
    guard left < right, top < bottom else { return nil }
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The area that this frame and another share.
  func overlap(with other: Frame) -> Double {
    let width = min(x + self.width, other.x + other.width) - max(x, other.x)
    let height = min(y + self.height, other.y + other.height) - max(y, other.y)
    return max(width, 0) * max(height, 0)
  }
}
