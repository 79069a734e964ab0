import Geometry

/// Greedy non-maximum suppression: of boxes that overlap, the one with the highest score stays.
///
/// Boxes are visited from the highest score to the lowest; a box is suppressed where its overlap
/// with a box kept before it is greater than the threshold. Class-agnostic; see
/// ``nonMaximumSuppression(boxes:scores:classes:iouThreshold:measure:topK:)`` for the other kind.
///
/// The result equals `torchvision.ops.nms` on the same float32 input, order included: overlaps are
/// computed in float32 in the same order of operations and compared with the threshold in double
/// precision.
///
/// ### Edge cases
/// Equal scores: the earlier box is visited first. A box without area overlaps nothing: it stays,
/// and suppresses nothing. Infinite scores and coordinates are allowed.
///
/// - Parameters:
///   - boxes: in any one coordinate space.
///   - scores: one per box.
///   - iouThreshold: the greatest overlap that two kept boxes may have, 0...1.
///   - measure: how overlap is measured.
///   - topK: how many boxes to keep at most; all where nil.
/// - Returns: the indices of the boxes kept, by descending score.
/// - Throws: ``SuppressionError`` where counts differ, the threshold is not in 0...1, `topK` is
///   negative, or a score or coordinate is NaN.
/// - Complexity: O(*n* log *n*) for boxes of like size spread over a plane; O(*n* *k*) at worst,
///   *k* being the number of boxes kept. O(*n*) memory.
public func nonMaximumSuppression(
  boxes: [Box], scores: [Float], iouThreshold: Double,
  measure: OverlapMeasure = .intersectionOverUnion, topK: Int? = nil
) throws -> [Int] {
  try requireNumbers(scores, count: boxes.count)
  try requireNumbers(boxes)
  try requireShare(iouThreshold, named: "the IoU threshold")
  try requireLimit(topK)
  return suppress(
    boxes: boxes, order: indicesByDescendingScore(scores), threshold: iouThreshold,
    measure: measure, limit: topK ?? .max)
}

/// Greedy non-maximum suppression within each class: boxes of different classes don't touch each
/// other.
///
/// The result is that of ``nonMaximumSuppression(boxes:scores:iouThreshold:measure:topK:)`` on
/// every class by itself, which is the meaning of `torchvision.ops.batched_nms`. (Where torchvision
/// shifts the classes apart and runs once, its shifted coordinates round; here nothing is shifted.)
///
/// - Parameters:
///   - boxes: in any one coordinate space.
///   - scores: one per box.
///   - classes: one per box; any integers.
///   - iouThreshold: the greatest overlap that two kept boxes of a class may have, 0...1.
///   - measure: how overlap is measured.
///   - topK: how many boxes to keep at most, of all classes together; all where nil.
/// - Returns: the indices of the boxes kept, of all classes together by descending score, equal
///   scores in order.
/// - Throws: ``SuppressionError`` where counts differ, the threshold is not in 0...1, `topK` is
///   negative, or a score or coordinate is NaN.
/// - Complexity: as of the class-agnostic function, for each class.
public func nonMaximumSuppression(
  boxes: [Box], scores: [Float], classes: [Int], iouThreshold: Double,
  measure: OverlapMeasure = .intersectionOverUnion, topK: Int? = nil
) throws -> [Int] {
  try requireNumbers(scores, count: boxes.count)
  try requireNumbers(boxes)
  try requireShare(iouThreshold, named: "the IoU threshold")
  try requireLimit(topK)
  guard classes.count == boxes.count else {
    throw SuppressionError.countMismatch(
      what: "classes", expected: boxes.count, got: classes.count)
  }
  let order = indicesByDescendingScore(scores)
  var orderOfClass: [Int: [Int]] = [:]
  for index in order { orderOfClass[classes[index], default: []].append(index) }

  var isKept = Array(repeating: false, count: boxes.count)
  for order in orderOfClass.values {
    let kept = suppress(
      boxes: boxes, order: order, threshold: iouThreshold, measure: measure,
      limit: topK ?? .max)
    for index in kept { isKept[index] = true }
  }
  return Array(order.lazy.filter { isKept[$0] }.prefix(topK ?? .max))
}

/// Visits boxes in order and keeps those that no kept one covers.
func suppress(
  boxes: [Box], order: [Int], threshold: Double, measure: OverlapMeasure, limit: Int
) -> [Int] {
  let visited = order.map { boxes[$0] }
  var keptBoxes = KeptBoxes(for: visited, threshold: threshold, measure: measure)
  var kept: [Int] = []
  for (place, index) in order.enumerated() {
    if kept.count >= limit { break }
    if keptBoxes.keepUnlessCovered(place) { kept.append(index) }
  }
  return kept
}

private func requireLimit(_ topK: Int?) throws {
  if let topK, topK < 0 {
    throw SuppressionError.parameterOutOfRange(
      name: "topK", value: Double(topK), range: "at least 0")
  }
}
