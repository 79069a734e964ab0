import CommandKit
import Counting
import VisionProtocols

extension JSONText {
  /// The members of every detection.
  package static func members(of detection: Detection) -> [(String, JSONText)] {
    var members: [(String, JSONText)] = [
      ("box", JSONText.box(detection.box)),
      ("score", .float(detection.score)),
      ("objectness", .float(detection.objectness)),
      ("classScore", .float(detection.classScore)),
      ("classID", .integer(detection.classID)),
    ]
    if let outline = detection.outline {
      let corners = outline.corners.map { JSONText.array([.double($0.x), .double($0.y)]) }
      members.append(("outline", .array(corners)))
    }
    return members
  }

  /// A detection of a count, with its number in drawings and reports.
  ///
  /// If there are two divisions into kinds, it has its kind in both.
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
}
