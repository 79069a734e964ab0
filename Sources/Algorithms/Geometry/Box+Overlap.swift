// The overlap of two boxes. The operations and their order are those of torchvision's box operators
// in float32, so that a value on a threshold falls on the same side.

extension Box {
  /// The area that both boxes share, 0 if they do not overlap.
  @inlinable
  public func intersectionArea(_ other: Box) -> Float {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    return max(right - left, 0) * max(bottom - top, 0)
  }

  /// The box that both share, or nil if that would be empty.
  @inlinable
  public func intersection(_ other: Box) -> Box? {
    let shared = Box(
      minX: max(minX, other.minX), minY: max(minY, other.minY),
      maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    return shared.isEmpty ? nil : shared
  }

  /// The smallest box that contains both: their hull, not the set of their points.
  @inlinable
  public func union(_ other: Box) -> Box {
    Box(
      minX: min(minX, other.minX), minY: min(minY, other.minY),
      maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
  }

  /// Intersection over union, 0...1.
  ///
  /// It equals torchvision's `box_iou` on float32 boxes bit for bit, except for pairs without a
  /// common area: these give 0, even if torchvision divides 0 by 0.
  ///
  /// ### Edge cases
  /// An empty box has overlap 0 with every box, itself included. Coordinates that are NaN, or areas
  /// that overflow, give 0 or NaN.
  @inlinable
  public func iou(_ other: Box) -> Float {
    let shared = intersectionArea(other)
    if shared <= 0 { return 0 }
    return shared / (area + other.area - shared)
  }

  /// Intersection over the area of the smaller box, 0...1.
  ///
  /// It is 1 if one box lies inside the other, and 0 if the boxes share no area.
  @inlinable
  public func intersectionOverSmaller(_ other: Box) -> Float {
    let shared = intersectionArea(other)
    if shared <= 0 { return 0 }
    return shared / min(area, other.area)
  }

  /// Generalized intersection over union, -1...1.
  ///
  /// It is the IoU minus the share of the hull that neither box covers. So it also shows the
  /// distance of boxes that do not overlap. It equals torchvision's `generalized_box_iou` on boxes
  /// of positive area. It is 0 for two empty boxes in the same place.
  ///
  /// Source: Rezatofighi et al., "Generalized Intersection over Union", 2019.
  @inlinable
  public func generalizedIoU(_ other: Box) -> Float {
    let shared = intersectionArea(other)
    let covered = area + other.area - shared
    let hull = union(other)
    let hullArea = max(hull.width, 0) * max(hull.height, 0)
    if hullArea == 0 { return 0 }
    let overlap = shared <= 0 ? 0 : shared / covered
    return overlap - (hullArea - covered) / hullArea
  }
}
