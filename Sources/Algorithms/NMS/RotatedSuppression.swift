import Geometry
import _CLibrary

/// Suppression of rotated boxes: drops a box if it is too similar to a better one of its class.
///
/// The similarity is ``/Geometry/RotatedBox/probabilisticIoU(_:)``; two boxes are too similar if it
/// is at least the threshold. A box that is itself suppressed still suppresses others ("fast"
/// suppression), as in Ultralytics' networks for oriented boxes. Greedy suppression keeps more.
///
/// ### Edge cases
/// If scores are equal, the earlier box is the better one.
///
/// - Parameters:
///   - rotatedBoxes: all finite.
///   - scores: one per box.
///   - classes: one per box; nil for suppression across classes.
///   - threshold: the least similarity at which the worse of two boxes is dropped, 0...1.
/// - Returns: the indices of the boxes kept, by descending score.
/// - Throws: ``SuppressionError`` if counts differ, the threshold is not in 0...1, or a score or a
///   number of a box is not finite.
/// - Complexity: O(*n* log *n* + *n* *k*), *k* being the number of boxes near a box along x.
///
/// Source: Bolya et al., "YOLACT: Real-time Instance Segmentation", section 3.3.
public func nonMaximumSuppression(
  rotatedBoxes: [RotatedBox], scores: [Float], classes: [Int]? = nil, threshold: Double
) throws(SuppressionError) -> [Int] {
  try requireNumbers(scores, count: rotatedBoxes.count)
  try requireShare(threshold, named: "the threshold")
  if let classes, classes.count != rotatedBoxes.count {
    throw .countMismatch(what: "classes", expected: rotatedBoxes.count, got: classes.count)
  }
  let bounds = rotatedBoxes.map(\.quadrilateral.boundingBox)
  try requireNumbers(bounds)
  let order = indicesByDescendingScore(scores)
  // Centers are compared from left to right. Similar boxes have centers near each other: their
  // distance (Bhattacharyya's) is at least dx^2 / (4 (a1 + a2)), with a1 and a2 the variances,
  // which are at most a twelfth of a squared diagonal.
  let least = max(1 - threshold, 0)
  let farthest = threshold > 0 ? -log(max(1 - least * least, 1e-30)) : .infinity
  let reach = rotatedBoxes.map { ($0.width * $0.width + $0.height * $0.height) / 12 }
  let widest = reach.max() ?? 0
  let byX = rotatedBoxes.indices.sorted { rotatedBoxes[$0].center.x < rotatedBoxes[$1].center.x }
  var rank = [Int](repeating: 0, count: order.count)
  for (place, index) in order.enumerated() { rank[index] = place }
  var isKept = [Bool](repeating: true, count: order.count)
  for (place, index) in byX.enumerated() {
    let box = rotatedBoxes[index]
    for other in byX[(place + 1)...] {
      let dx = rotatedBoxes[other].center.x - box.center.x
      // A margin for the small terms that the formula adds.
      if dx * dx > 4.1 * (farthest + 0.01) * (reach[index] + widest) + 1e-6 { break }
      if let classes, classes[index] != classes[other] { continue }
      let worse = rank[index] > rank[other] ? index : other
      guard isKept[worse] else { continue }
      if box.probabilisticIoU(rotatedBoxes[other]) >= threshold { isKept[worse] = false }
    }
  }
  return order.filter { isKept[$0] }
}

/// Suppression of quadrilaterals: a quadrilateral goes if a better one that stays overlaps it by
/// more than the threshold.
///
/// Greedy, as ``nonMaximumSuppression(boxes:scores:iouThreshold:measure:topK:)`` is, but by the
/// overlap of the shapes themselves: the upright boxes around long things that lie askew overlap
/// far more.
///
/// ### Edge cases
/// Equal scores: the earlier one is the better one. What has no area overlaps nothing.
///
/// - Parameters:
///   - quadrilaterals: all finite and convex, in pixels or any other unit.
///   - scores: one per quadrilateral.
///   - iouThreshold: the greatest intersection over union of two that both stay, 0...1.
/// - Returns: the indices of those kept, by descending score.
/// - Throws: ``SuppressionError`` if counts differ, the threshold is not in 0...1, or a score or a
///   corner is not finite.
/// - Complexity: O(*n* log *n* + *n* *k*) for *k* kept.
public func nonMaximumSuppression(
  quadrilaterals: [Quadrilateral], scores: [Float], iouThreshold: Double
) throws(SuppressionError) -> [Int] {
  try requireNumbers(scores, count: quadrilaterals.count)
  try requireShare(iouThreshold, named: "the IoU threshold")
  if let index = quadrilaterals.firstIndex(where: { !$0.isFinite }) {
    throw .boxIsNotANumber(index: index)
  }
  let bounds = quadrilaterals.map(\.boundingBox)
  var kept: [Int] = []
  for index in indicesByDescendingScore(scores) {
    let isCovered = kept.contains { other in
      bounds[index].intersectionArea(bounds[other]) > 0
        && quadrilaterals[index].iou(quadrilaterals[other]) > iouThreshold
    }
    if !isCovered { kept.append(index) }
  }
  return kept
}
