import Geometry

/// A line of text on a spine, as a recognizer read it.
public struct SpineTextLine: Hashable, Sendable {
  /// Where: text runs from the left to the right side of the outline, whichever way it runs in the picture.
  public var outline: Quadrilateral
  /// What it says.
  public var text: String

  /// Makes a line.
  public init(outline: Quadrilateral, text: String) {
    self.outline = outline
    self.text = text
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
}
