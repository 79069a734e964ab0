import Geometry

/// The center and the sides of a box in `Double`.
///
/// For finite boxes they are exact, or rounded far below the margin of ``Reach``.
struct Place {
  let x: Double
  let y: Double
  let width: Double
  let height: Double

  @inline(__always)
  init(_ box: Box) {
    let center = box.center
    (x, y) = (center.x, center.y)
    width = Double(box.maxX) - Double(box.minX)
    height = Double(box.maxY) - Double(box.minY)
  }
}

/// The greatest distance between the centers of two boxes that overlap too much, and their sizes.
///
/// Let two boxes have an IoU greater than t, and let them share an interval of length i across. The
/// union is at least as large as either, so `i > t * max(w, w')`; as `i <= (w + w')/2 - d` for
/// centers d apart, `d < (w + w')/2 - t * max(w, w')`. Because i is no more than the smaller width,
/// also `t * w < w' < w / t`. The same holds downward.
///
/// Intersection over the smaller box says nothing of sizes; there `d < (w + w')/2` is of use, which
/// is the same with t being 0.
struct Reach {
  /// t, lowered by the rounding error of overlaps; 0 if sizes are free.
  private let threshold: Double
  /// 1/t.
  private let inverse: Double

  /// Overlaps are computed in float32: an IoU greater than the threshold there is greater than this
  /// much of it in truth. (The rounding error is a few times 2^-24.)
  private static let margin = 1 - 1e-5

  init(threshold: Double, measure: OverlapMeasure) {
    self.threshold = measure == .intersectionOverUnion ? threshold * Self.margin : 0
    inverse = 1 / self.threshold
  }

  /// Whether the reach bounds what overlaps this box: its area must be finite, and far enough from
  /// underflow for the rounding error to be relative.
  @inline(__always)
  static func isKnown(for box: Box) -> Bool {
    // An infinite coordinate makes the area infinite or not a number.
    let area = box.area
    return area > 0x1p-80 && area < .infinity
  }

  /// The sides that another box can have along the one of a box, infinite where sizes are free.
  @inline(__always)
  func sides(_ side: Double) -> (least: Double, greatest: Double) {
    (side * threshold, side * inverse)
  }

  /// How far the center of a box with one of `others` for a side can be along that side; nil if no
  /// such box overlaps too much.
  @inline(__always)
  func distance(_ side: Double, _ others: ClosedRange<Double>) -> Double? {
    let (least, greatest) = sides(side)
    if others.upperBound < least || others.lowerBound > greatest { return nil }
    // If the other side is the longer one, the distance grows with it while t is below 1/2.
    var other = min(others.upperBound, greatest)
    if threshold >= 0.5 { other = min(other, max(side, others.lowerBound)) }
    let distance = (side + other) / 2 - threshold * max(side, other)
    // Centers are rounded, the sums of center and distance too.
    return distance < 0 ? nil : distance * (2 - Self.margin)
  }
}
