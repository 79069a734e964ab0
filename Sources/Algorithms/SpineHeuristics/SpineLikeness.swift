import Geometry

/// The similarity and relative position of two spines' outlines.
///
/// The values do not depend on the order of the two. They do not change if both are moved, rotated
/// or scaled together.
public struct SpineLikeness: Hashable, Sendable {
  /// The angle between the long axes in degrees, 0 to 90.
  public let angle: Double
  /// The ratio of the long sides, the shorter to the longer, 0 to 1.
  public let lengthRatio: Double
  /// The share of the shorter outline's length that lies beside the longer outline, 0 to 1.
  public let sideBySide: Double
  /// The distance between the outlines across their axis, in mean thicknesses of the two; 0 if they
  /// touch or overlap.
  public let gap: Double

  /// Compares two outlines of finite coordinates whose long sides are not zero.
  init(_ first: Quadrilateral, _ second: Quadrilateral) {
    var turn = abs(first.angleOfLongAxis - second.angleOfLongAxis) * degreesPerRadian
    if turn > 90 { turn = 180 - turn }
    angle = max(0, turn)
    let firstLength = first.longSide
    let secondLength = second.longSide
    let shorter = min(firstLength, secondLength)
    let longer = max(firstLength, secondLength)
    lengthRatio = shorter / longer

    // The measure is along the longer outline, or along the mean of both if they are equally long,
    // so that their order makes no difference.
    let axis =
      firstLength == secondLength
      ? Axis(between: Axis(of: first), and: Axis(of: second))
      : Axis(of: firstLength > secondLength ? first : second)
    let along = (axis.extent(along: first), axis.extent(along: second))
    let shared =
      min(along.0.upperBound, along.1.upperBound) - max(along.0.lowerBound, along.1.lowerBound)
    let shortest = min(
      along.0.upperBound - along.0.lowerBound, along.1.upperBound - along.1.lowerBound)
    sideBySide = shortest > 0 ? min(1, max(0, shared / shortest)) : 0

    let across = (axis.extent(across: first), axis.extent(across: second))
    let distance =
      max(across.0.lowerBound, across.1.lowerBound) - min(across.0.upperBound, across.1.upperBound)
    let thickness = (first.shortSide + second.shortSide) / 2
    // Two lines without a thickness are infinitely far apart, unless they touch.
    gap = distance <= 0 ? 0 : thickness > 0 ? distance / thickness : .infinity
  }
}

/// The direction of a long axis as a unit vector; none for an outline whose sides cancel out.
private struct Axis {
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    let length = (x * x + y * y).squareRoot()
    self.x = length > 0 ? x / length : 0
    self.y = length > 0 ? y / length : 0
  }

  /// The mean direction of the two long sides.
  init(of outline: Quadrilateral) {
    let (a, b, c, d) = (outline.topLeft, outline.topRight, outline.bottomRight, outline.bottomLeft)
    if outline.meanWidth >= outline.meanHeight {
      self.init(x: (b.x - a.x) + (c.x - d.x), y: (b.y - a.y) + (c.y - d.y))
    } else {
      self.init(x: (d.x - a.x) + (c.x - b.x), y: (d.y - a.y) + (c.y - b.y))
    }
  }

  /// The direction between two axes, either of which may point backward.
  init(between first: Axis, and second: Axis) {
    let sign: Double = first.x * second.x + first.y * second.y < 0 ? -1 : 1
    self.init(x: first.x + sign * second.x, y: first.y + sign * second.y)
  }

  /// The interval that the outline covers in this direction.
  func extent(along outline: Quadrilateral) -> ClosedRange<Double> {
    interval(outline.corners.map { $0.x * x + $0.y * y })
  }

  /// The interval that the outline covers perpendicular to this direction.
  func extent(across outline: Quadrilateral) -> ClosedRange<Double> {
    interval(outline.corners.map { $0.y * x - $0.x * y })
  }

  /// The bounds of values, or an empty interval if products of huge coordinates are NaN.
  private func interval(_ values: [Double]) -> ClosedRange<Double> {
    let low = values.min() ?? 0
    let high = values.max() ?? 0
    return low <= high ? low...high : 0...0
  }
}
