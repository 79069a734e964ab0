import Counting
import Geometry
import Perception

extension JSONText {
  /// The members that every detection has.
  static func members(of detection: Detection) -> [(String, JSONText)] {
    let box = detection.box
    return [
      (
        "box",
        .array([.float(box.minX), .float(box.minY), .float(box.maxX), .float(box.maxY)])
      ),
      ("score", .float(detection.score)),
      ("objectness", .float(detection.objectness)),
      ("classScore", .float(detection.classScore)),
      ("classID", .integer(detection.classID)),
    ]
  }

  /// A detection of a count, with its number in drawings and reports.
  static func detection(_ counted: CountedDetection, number: Int) -> JSONText {
    .object(
      members(of: counted.detection) + [
        ("cluster", .integer(counted.cluster)), ("main", .bool(counted.isMain)),
        ("number", .integer(number)),
      ])
  }

  /// Four corners, each as x and y in single precision.
  static func corners(of shape: Quadrilateral) -> JSONText {
    .array(shape.corners.map { .array([.float(Float($0.x)), .float(Float($0.y))]) })
  }

  /// What every line about an image begins with.
  static func members(ofImage path: String, width: Int, height: Int) -> [(String, JSONText)] {
    [("image", .string(path)), ("width", .integer(width)), ("height", .integer(height))]
  }
}
