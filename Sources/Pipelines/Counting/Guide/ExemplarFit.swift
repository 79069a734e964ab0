import Geometry
import VisionProtocols
import _CLibrary

/// How a detection fits a box that a person drew.
///
/// A person's box may be loose, tight or a little off, or it may lie inside the object. The worth
/// of a detection is the overlap of both boxes, over their union, by the root of the detection's
/// score.
struct ExemplarFit: Sendable {
  /// The least score of a detection that fits only loosely.
  let leastSure: Double

  /// A drawn box that overlaps a detection by this much, over the union, was meant for it.
  private static let sameObject: Float = 0.3
  /// A drawn box that overlaps a sure detection by this much needs no search for a better one.
  private static let wellDrawn: Float = 0.4
  /// How many times longer a side of the larger box may be if one box lies inside the other.
  private static let mostFactor = 3.0
  /// The least share of the smaller box that lies inside the larger one.
  private static let leastInside: Float = 0.8
  /// How far the centre of the smaller box may lie from that of the larger, in sides of the larger.
  private static let mostOffset = 0.35

  /// What a detection is worth that overlaps by a third, or if each box contains the centre of the
  /// other and their sizes are similar; nil if it does not.
  func worth(of detection: Detection, near drawn: Box) -> Double? {
    let overlap = drawn.iou(detection.box)
    guard overlap >= Self.sameObject || Self.hold(drawn, detection.box) else { return nil }
    return Double(overlap * detection.score.squareRoot())
  }

  /// What a sure detection is worth that contains the drawn box, or that the drawn box contains;
  /// nil if it is not sure or not about the same centre.
  ///
  /// Of detections that contain the box, the smallest is worth most; of those that it contains, the
  /// largest. It is worth less the farther the centres are apart.
  func looseWorth(of detection: Detection, near drawn: Box) -> Double? {
    let box = detection.box
    let (inner, outer) = box.exactArea < drawn.exactArea ? (box, drawn) : (drawn, box)
    let (across, down) = (
      (inner.center.x - outer.center.x) / Double(outer.width),
      (inner.center.y - outer.center.y) / Double(outer.height)
    )
    let offset = (across * across + down * down).squareRoot()
    guard Double(detection.score) >= leastSure, offset <= Self.mostOffset,
      outer.exactArea <= Self.mostFactor * Self.mostFactor * inner.exactArea,
      inner.intersectionOverSmaller(outer) >= Self.leastInside
    else { return nil }
    let nearness = exp(-offset * offset / (2 * 0.25 * 0.25))
    return Double(drawn.iou(box) * detection.score.squareRoot()) * nearness
  }

  /// Whether a box is drawn so well around a sure detection that no better one has to be looked for.
  func isWellDrawn(_ drawn: Box, around detection: Detection) -> Bool {
    drawn.iou(detection.box) >= Self.wellDrawn && Double(detection.score) >= leastSure
  }

  /// Whether two boxes contain each other's centres, and differ in size by a factor of at most 2.2.
  private static func hold(_ a: Box, _ b: Box) -> Bool {
    func holds(_ box: Box, _ point: Point) -> Bool {
      Double(box.minX) <= point.x && point.x <= Double(box.maxX) && Double(box.minY) <= point.y
        && point.y <= Double(box.maxY)
    }
    let factor = (a.exactArea / b.exactArea).squareRoot()
    return holds(a, b.center) && holds(b, a.center) && factor < 2.2 && factor > 1 / 2.2
  }
}
