import Geometry

/// A line of text on a spine, from a text recognizer.
public struct SpineTextLine: Hashable, Sendable {
  /// Its place; text runs from the left to the right side of the outline, in any direction of the
  /// picture.
  public var outline: Quadrilateral
  /// The text.
  public var text: String
  /// The recognizer's confidence, 0...1; 1 if it is unknown.
  ///
  /// Marks of publishers and labels of libraries are read as letters with low confidence.
  public var confidence: Double

  /// Makes a line.
  public init(outline: Quadrilateral, text: String, confidence: Double = 1) {
    self.outline = outline
    self.text = text
    self.confidence = confidence
  }

  /// The approximate height of its letters: the mean of its left and right sides.
  var letterHeight: Double { outline.meanHeight }

  /// The direction of reading as a unit vector; nil if it has none.
  var direction: Point? {
    let dx =
      (outline.topRight.x - outline.topLeft.x) + (outline.bottomRight.x - outline.bottomLeft.x)
    let dy =
      (outline.topRight.y - outline.topLeft.y) + (outline.bottomRight.y - outline.bottomLeft.y)
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0, length.isFinite else { return nil }
    return Point(x: dx / length, y: dy / length)
  }

  /// Its start and end along a direction.
  func span(along: Point?) -> (start: Double, end: Double) {
    guard let along else { return (0, 0) }
    let places = outline.corners.map { $0.x * along.x + $0.y * along.y }
    return (places.reduce(.infinity, min), places.reduce(-.infinity, max))
  }
}
