import Geometry
import LinearAssignment

/// A true object whose centre alone is known.
public struct TruePoint: Hashable, Sendable, Codable {
  /// The centre, in the same space as the boxes.
  public var point: Point
  /// The greatest distance of a box's centre from ``point``; about half the object's size, at
  /// least 0.
  public var radius: Double

  /// Makes a true point.
  public init(point: Point, radius: Double) {
    self.point = point
    self.radius = radius
  }
}

/// The known facts about the true objects of an image.
public enum TrueObjects: Hashable, Sendable {
  /// Their centres.
  ///
  /// A box can be an object if it contains the point and its own centre is within the point's
  /// radius.
  case points([TruePoint])
  /// Their boxes.
  ///
  /// A box can be an object if their intersection over union is at least the given one, 0...1, and
  /// they share any area.
  case boxes([Box], minimumIoU: Double)

  /// The number of objects.
  public var count: Int {
    switch self {
    case .points(let points): points.count
    case .boxes(let boxes, _): boxes.count
    }
  }
}

/// Assigns boxes to true objects, one to one.
///
/// Of all assignments with the most pairs, it takes one with the least sum of distances of the
/// centres (or the greatest sum of overlaps). There are no scores and no order that decides. The
/// number of pairs never depends on the order of boxes or objects, and the pairs do so only if two
/// sums are equal.
///
/// If boxes have scores and a detector is ranked by them, use ``BoxMatching``.
public struct ObjectMatching: Hashable, Sendable {
  /// The index of each box's object; nil if it has none.
  public let objectOfBox: [Int?]
  /// The index of each object's box; nil if it was missed.
  public let boxOfObject: [Int?]

  /// Pairs boxes and objects.
  ///
  /// - Complexity: O(*n* *m*) to compare all, then O(*k*² *l*) for *k* the smaller and *l* the
  ///   larger number of those that can be paired at all.
  /// - Throws: ``EvaluationError`` for boxes and points that are not finite, and a threshold
  ///   outside 0...1.
  public init(boxes: [Box], objects: TrueObjects) throws(EvaluationError) {
    try requireFinite(boxes, named: "box")
    let assignment: Assignment
    switch objects {
    case .points(let points):
      if let index = points.firstIndex(where: { !$0.isValid }) { throw .invalidPoint(index: index) }
      assignment = Assignment(rows: points.count, columns: boxes.count) {
        points[$0].cost(of: boxes[$1])
      }
    case .boxes(let truths, let minimumIoU):
      try requireFinite(truths, named: "true box")
      try requireShare(minimumIoU, named: "minimumIoU")
      assignment = Assignment(rows: truths.count, columns: boxes.count) {
        let overlap = truths[$0].exactIoU(boxes[$1])
        return overlap > 0 && overlap >= minimumIoU ? max(0, 1 - overlap) : nil
      }
    }
    objectOfBox = assignment.rowOfColumn
    boxOfObject = assignment.columnOfRow
  }

  /// The numbers of right, wrong and missed.
  public var score: DetectionScore {
    let right = objectOfBox.count { $0 != nil }
    return DetectionScore(
      truePositives: right, falsePositives: objectOfBox.count - right,
      falseNegatives: boxOfObject.count - right)
  }
}

extension TruePoint {
  fileprivate var isValid: Bool { point.isFinite && radius.isFinite && radius >= 0 }

  /// The distance of the box's centre as a share of the radius, 0...1; nil if it cannot be the
  /// object.
  fileprivate func cost(of box: Box) -> Double? {
    guard box.contains(point) else { return nil }
    let distance = box.center.distance(to: point)
    guard distance <= radius else { return nil }
    return radius > 0 ? distance / radius : 0
  }
}
