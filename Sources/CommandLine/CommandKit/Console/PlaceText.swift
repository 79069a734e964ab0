import Geometry

extension JSONText {
  /// A box: left, top, right, bottom.
  package static func box(_ box: Box) -> JSONText {
    .array([.float(box.minX), .float(box.minY), .float(box.maxX), .float(box.maxY)])
  }

  /// Four corners, each as x and y in single precision.
  package static func corners(of shape: Quadrilateral) -> JSONText {
    .array(shape.corners.map { .array([.float(Float($0.x)), .float(Float($0.y))]) })
  }

  /// The first members of every line about an image.
  package static func members(
    ofImage path: String, width: Int, height: Int
  ) -> [(String, JSONText)] {
    [("image", .string(path)), ("width", .integer(width)), ("height", .integer(height))]
  }
}

extension CSVText {
  /// The sides of a box in pixels: left, top, right, bottom.
  package static func sides(of box: Box) -> [String] {
    [box.minX, box.minY, box.maxX, box.maxY].map { JSONText.float($0).text }
  }
}
