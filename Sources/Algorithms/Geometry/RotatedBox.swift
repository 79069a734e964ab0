import _CLibrary

/// A rectangle that is rotated about its center.
///
/// ```swift
/// let ship = RotatedBox(center: Point(x: 50, y: 40), width: 30, height: 8, angle: .pi / 6)
/// let corners = ship.quadrilateral.corners
/// ```
public struct RotatedBox: Hashable, Sendable, Codable {
  /// The center.
  public var center: Point
  /// The side along the angle.
  public var width: Double
  /// The side perpendicular to the angle.
  public var height: Double
  /// The angle of the rotation, clockwise as seen, in radians.
  public var angle: Double

  /// Makes a rectangle.
  public init(center: Point, width: Double, height: Double, angle: Double) {
    self.center = center
    self.width = width
    self.height = height
    self.angle = angle
  }

  /// Width times height.
  public var area: Double { width * height }

  /// Whether all numbers are finite.
  public var isFinite: Bool {
    center.isFinite && width.isFinite && height.isFinite && angle.isFinite
  }

  /// The four corners, in the order of an upright box that is rotated.
  public var quadrilateral: Quadrilateral {
    let (cosine, sine) = (cos(angle), sin(angle))
    func corner(_ x: Double, _ y: Double) -> Point {
      Point(
        x: center.x + x * width / 2 * cosine - y * height / 2 * sine,
        y: center.y + x * width / 2 * sine + y * height / 2 * cosine)
    }
    return Quadrilateral(
      topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1),
      bottomLeft: corner(-1, 1))
  }

  /// The similarity of two rotated boxes, as the overlap of two normal distributions: 0...1.
  ///
  /// Each box becomes the distribution with its center and the variances of a uniform distribution
  /// over it. The result is 1 minus their Hellinger distance. It is not the intersection over
  /// union, but grows with it. Oriented detectors of the YOLO family use it in training and
  /// suppression. Two equal boxes have about 0.9997, because the formula avoids the root of zero.
  ///
  /// Source: Llerena et al., "Gaussian Bounding Boxes and Probabilistic Intersection-over-Union for
  /// Object Detection".
  ///
  /// - Complexity: O(1).
  public func probabilisticIoU(_ other: RotatedBox) -> Double {
    let epsilon = 1e-7
    let (a1, b1, c1) = covariance
    let (a2, b2, c2) = other.covariance
    let (a, b, c) = (a1 + a2, b1 + b2, c1 + c2)
    let (dx, dy) = (other.center.x - center.x, center.y - other.center.y)
    let determinant = a * b - c * c
    let spread = (a * dy * dy + b * dx * dx) / (determinant + epsilon) * 0.25
    let skew = c * dx * dy / (determinant + epsilon) * 0.5
    let determinants = max(a1 * b1 - c1 * c1, 0) * max(a2 * b2 - c2 * c2, 0)
    let form =
      log(determinant / (4 * determinants.squareRoot() + epsilon) + epsilon) * 0.5
    let distance = min(max(spread + skew + form, epsilon), 100)
    // The small number takes boxes that are far apart below 0.
    return max(0, 1 - (1 - exp(-distance) + epsilon).squareRoot())
  }

  /// The variances of x and y of a uniform distribution over the box, and their covariance.
  private var covariance: (Double, Double, Double) {
    let (along, across) = (width * width / 12, height * height / 12)
    let (cosine, sine) = (cos(angle), sin(angle))
    return (
      along * cosine * cosine + across * sine * sine,
      along * sine * sine + across * cosine * cosine,
      (along - across) * cosine * sine
    )
  }
}
