import Geometry

/// Greedy non-maximum suppression: keeps the box with the highest score of overlapping ones.
///
/// Boxes are visited from the highest score to the lowest. A box is suppressed if its overlap with
/// a kept box is greater than the threshold. This function is class-agnostic; for suppression
/// within each class see
/// ``nonMaximumSuppression(boxes:scores:classes:iouThreshold:measure:topK:)``.
///
/// The result equals `torchvision.ops.nms` on the same float32 input, order included: overlaps are
/// computed in float32 in the same order of operations and compared with the threshold in double
/// precision.
///
/// ### Edge cases
/// With equal scores, the earlier box is visited first. A box without area overlaps no other: it is
/// kept, and suppresses none. Infinite scores and coordinates are allowed.
///
/// - Parameters:
///   - boxes: in any one coordinate space.
///   - scores: one per box.
///   - iouThreshold: the greatest overlap that two kept boxes may have, 0...1.
///   - measure: how overlap is measured.
///   - topK: the greatest number of kept boxes; all if nil.
/// - Returns: the indices of the boxes kept, by descending score.
/// - Throws: ``SuppressionError`` if counts differ, the threshold is not in 0...1, `topK` is
///   negative, or a score or coordinate is NaN.
/// - Complexity: O(*n*) by intersection over union, for any sizes and places of the boxes. A box is
///   compared only with kept ones of similar size nearby, whose number the threshold limits. That
///   number grows as the threshold approaches 1, at which nothing is suppressed. By intersection
///   over the smaller box, and at thresholds near 0, a box may have to be compared with smaller
///   ones anywhere along it. O(*n* *k*) at worst for *k* kept boxes; areas below 1e-24, which are
///   close to underflow, are always compared with all of these. O(*n*) memory.
public func nonMaximumSuppression(
  boxes: [Box], scores: [Float], iouThreshold: Double,
  measure: OverlapMeasure = .intersectionOverUnion, topK: Int? = nil
) throws(SuppressionError) -> [Int] {
  try requireNumbers(scores, count: boxes.count)
  try requireNumbers(boxes)
  try requireShare(iouThreshold, named: "the IoU threshold")
  try requireLimit(topK)
  return suppress(
    boxes: boxes, order: indicesByDescendingScore(scores), threshold: iouThreshold,
    measure: measure, limit: topK ?? .max)
}

/// Greedy non-maximum suppression within each class.
///
/// The result is that of ``nonMaximumSuppression(boxes:scores:iouThreshold:measure:topK:)`` on each
/// class by itself, as in `torchvision.ops.batched_nms`. Torchvision may shift the classes apart
/// and run once, so that its coordinates are rounded; here nothing is shifted.
///
/// - Parameters:
///   - boxes: in any one coordinate space.
///   - scores: one per box.
///   - classes: one per box; any integers.
///   - iouThreshold: the greatest overlap that two kept boxes of a class may have, 0...1.
///   - measure: how overlap is measured.
///   - topK: the greatest number of kept boxes of all classes together; all if nil.
/// - Returns: the indices of the kept boxes of all classes together, by descending score, equal
///   scores in order.
/// - Throws: ``SuppressionError`` if counts differ, the threshold is not in 0...1, `topK` is
///   negative, or a score or coordinate is NaN.
/// - Complexity: as of the class-agnostic function, in one pass over all classes.
public func nonMaximumSuppression(
  boxes: [Box], scores: [Float], classes: [Int], iouThreshold: Double,
  measure: OverlapMeasure = .intersectionOverUnion, topK: Int? = nil
) throws(SuppressionError) -> [Int] {
  try requireNumbers(scores, count: boxes.count)
  try requireNumbers(boxes)
  try requireShare(iouThreshold, named: "the IoU threshold")
  try requireLimit(topK)
  guard classes.count == boxes.count else {
    throw .countMismatch(what: "classes", expected: boxes.count, got: classes.count)
  }
  return suppress(
    boxes: boxes, order: indicesByDescendingScore(scores), classes: numbered(classes),
    threshold: iouThreshold, measure: measure, limit: topK ?? .max)
}

/// Small numbers for classes, equal ones for equal classes.
private func numbered(_ classes: [Int]) -> [Int32] {
  // Most callers' are small already.
  if classes.allSatisfy({ Int32(exactly: $0) != nil }) {
    return classes.map { Int32(truncatingIfNeeded: $0) }
  }
  var numbers: [Int: Int32] = [:]
  return classes.map { classID in
    if let number = numbers[classID] { return number }
    let number = Int32(truncatingIfNeeded: numbers.count)
    numbers[classID] = number
    return number
  }
}

/// Visits boxes in order and keeps those that no kept one (of their class, if there are any)
/// covers.
func suppress(
  boxes: [Box], order: [Int], classes: [Int32]? = nil, threshold: Double,
  measure: OverlapMeasure, limit: Int
) -> [Int] {
  let keptBoxes = KeptBoxes(for: boxes, threshold: threshold, measure: measure)
  var kept: [Int] = []
  for index in order {
    if kept.count >= limit { break }
    if keptBoxes.keepUnlessCovered(boxes[index], classID: classes?[index] ?? 0) {
      kept.append(index)
    }
  }
  return kept
}

private func requireLimit(_ topK: Int?) throws(SuppressionError) {
  if let topK, topK < 0 {
    throw .parameterOutOfRange(name: "topK", value: Double(topK), range: "at least 0")
  }
}
