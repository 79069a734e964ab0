import Counting
import Geometry
import Perception

extension JSONText {
  /// A box: left, top, right, bottom.
  static func box(_ box: Box) -> JSONText {
    .array([.float(box.minX), .float(box.minY), .float(box.maxX), .float(box.maxY)])
  }

  /// The members that every detection has.
  static func members(of detection: Detection) -> [(String, JSONText)] {
    [
      ("box", JSONText.box(detection.box)),
      ("score", .float(detection.score)),
      ("objectness", .float(detection.objectness)),
      ("classScore", .float(detection.classScore)),
      ("classID", .integer(detection.classID)),
    ]
  }

  /// A detection of a count, with its number in drawings and reports, and its kind at both readings if
  /// there are two.
  static func detection(
    _ counted: CountedDetection, number: Int, kindAt: (coarser: Int, finer: Int)? = nil
  ) -> JSONText {
    var members = members(of: counted.detection)
    members += [
      ("cluster", .integer(counted.cluster)), ("main", .bool(counted.isMain)),
      ("number", .integer(number)),
    ]
    if let kindAt {
      let kinds: [(String, JSONText)] = [
        ("coarser", .integer(kindAt.coarser)), ("finer", .integer(kindAt.finer)),
      ]
      members.append(("kindAt", .object(kinds)))
    }
    return .object(members)
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
