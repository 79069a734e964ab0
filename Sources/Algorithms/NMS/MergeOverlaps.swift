import Geometry

/// Keeps the first of overlapping boxes, in the caller's order.
///
/// Boxes are visited in the given order. A box is dropped if its overlap with a kept box is greater
/// than the threshold.
///
/// - Parameters:
///   - boxes: in any one coordinate space.
///   - order: indices of boxes by descending priority, none twice. Boxes that are not in it are
///     dropped.
///   - iouThreshold: the greatest overlap that two kept boxes may have, 0...1.
///   - measure: how overlap is measured.
/// - Returns: the indices of the kept boxes, in the given order.
/// - Throws: ``SuppressionError`` if the order names an index twice or one that is not there,
///   the threshold is not in 0...1, or a coordinate is NaN.
/// - Complexity: as of ``nonMaximumSuppression(boxes:scores:iouThreshold:measure:topK:)``.
public func mergeOverlaps(
  boxes: [Box], order: [Int], iouThreshold: Double,
  measure: OverlapMeasure = .intersectionOverUnion
) throws(SuppressionError) -> [Int] {
  try requireNumbers(boxes)
  try requireShare(iouThreshold, named: "the IoU threshold")
  var isNamed = Array(repeating: false, count: boxes.count)
  for index in order {
    guard boxes.indices.contains(index), !isNamed[index] else {
      throw .invalidOrder(index: index, count: boxes.count)
    }
    isNamed[index] = true
  }
  return suppress(
    boxes: boxes, order: order, threshold: iouThreshold, measure: measure, limit: .max)
}

/// Keeps, of boxes that overlap, the one with the highest score.
///
/// The same as ``nonMaximumSuppression(boxes:scores:iouThreshold:measure:topK:)`` without a limit.
///
/// - Returns: the indices of the boxes kept, by descending score, equal scores in order.
/// - Throws: ``SuppressionError`` as of that function.
public func mergeOverlaps(
  boxes: [Box], scores: [Float], iouThreshold: Double,
  measure: OverlapMeasure = .intersectionOverUnion
) throws(SuppressionError) -> [Int] {
  try nonMaximumSuppression(
    boxes: boxes, scores: scores, iouThreshold: iouThreshold, measure: measure)
}
