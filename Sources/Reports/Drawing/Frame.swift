import Geometry

/// A rectangle of a drawing, in pixels from the top left.
struct Frame: Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  /// The part of `box` inside a photo, or nil if there is none or the box is not finite.
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

  /// The corners, from the top left around.
  var corners: [Point] {
    [
      Point(x: x, y: y), Point(x: x + width, y: y), Point(x: x + width, y: y + height),
      Point(x: x, y: y + height),
    ]
  }

  /// The frame whose sides all lie further in.
  func inset(by amount: Double) -> Frame {
    Frame(
      x: x + amount, y: y + amount, width: max(width - 2 * amount, 0),
      height: max(height - 2 * amount, 0))
  }

  /// The shortest line from a point of this frame to one of another; two equal points if they
  /// touch.
  func shortestLine(to other: Frame) -> (from: Point, to: Point) {
    func ends(
      _ a: ClosedRange<Double>, _ b: ClosedRange<Double>
    ) -> (Double, Double) {
      if a.upperBound < b.lowerBound { return (a.upperBound, b.lowerBound) }
      if b.upperBound < a.lowerBound { return (a.lowerBound, b.upperBound) }
      let shared = (max(a.lowerBound, b.lowerBound) + min(a.upperBound, b.upperBound)) / 2
      return (shared, shared)
    }
    let (fromX, toX) = ends(x...(x + width), other.x...(other.x + other.width))
    let (fromY, toY) = ends(y...(y + height), other.y...(other.y + other.height))
    return (Point(x: fromX, y: fromY), Point(x: toX, y: toY))
  }
}
