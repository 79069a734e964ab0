import Geometry

/// A line of text on a spine, as a recognizer read it.
public struct SpineTextLine: Hashable, Sendable {
  /// Where: text runs from the left to the right side of the outline, whichever way it runs in the
  /// picture.
  public var outline: Quadrilateral
  /// What it says.
  public var text: String
  /// How sure the recognizer is, 0...1; 1 if it does not say.
  ///
  /// Marks of publishers and labels of libraries are read as letters, with doubt.
  public var confidence: Double

  /// Makes a line.
  public init(outline: Quadrilateral, text: String, confidence: Double = 1) {
    self.outline = outline
    self.text = text
    self.confidence = confidence
  }

  /// The height of its letters, about: the mean of its left and right sides.
  var letterHeight: Double { outline.meanHeight }

  /// The direction in which it is read, one unit long; nil if it has none.
  var direction: Point? {
    let dx =
      (outline.topRight.x - outline.topLeft.x) + (outline.bottomRight.x - outline.bottomLeft.x)
    let dy =
      (outline.topRight.y - outline.topLeft.y) + (outline.bottomRight.y - outline.bottomLeft.y)
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0, length.isFinite else { return nil }
    return Point(x: dx / length, y: dy / length)
  }

  /// Where it begins and ends along a direction.
  func span(along: Point?) -> (start: Double, end: Double) {
    guard let along else { return (0, 0) }
    let places = outline.corners.map { $0.x * along.x + $0.y * along.y }
    return (places.reduce(.infinity, min), places.reduce(-.infinity, max))
  }
}
