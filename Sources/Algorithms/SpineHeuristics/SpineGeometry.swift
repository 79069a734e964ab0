import Geometry

/// Finds book spines, their orientation and their neighbours from outlines alone.
///
/// The rules are geometric: a spine is tall and narrow or lies flat, and its neighbours are
/// parallel and of similar height. They do not need pixels and do not consider the content of a
/// spine.
///
/// Every function accepts any coordinates. A shape is not a spine and has no orientation if a
/// coordinate is infinite or NaN, or if it has no extent. The direction of y makes no difference
/// here; it does for ``readingOrder(of:)-([Quadrilateral])``.
public struct SpineGeometry: Hashable, Sendable {
  /// The thresholds.
  public let configuration: SpineConfiguration

  /// Uses thresholds; the error names one that is out of range.
  public init(configuration: SpineConfiguration) throws(SpineConfigurationError) {
    self.configuration = try configuration.validated()
  }

  /// Uses the default thresholds.
  public init() {
    configuration = SpineConfiguration()
  }

  /// The orientation of a book with this outline, by the angle of its long axis; nil if it has
  /// none.
  ///
  /// A shape as wide as it is high has no meaningful axis: call
  /// ``isSpineShaped(_:)-(Quadrilateral)`` first.
  public func orientation(of outline: Quadrilateral) -> SpineOrientation? {
    guard let tilt = tilt(of: outline) else { return nil }
    if tilt <= configuration.standingTilt { return .standing }
    return tilt >= 90 - configuration.lyingTilt ? .lying : .leaning
  }

  /// The angle between the outline's long axis and the vertical, in degrees, 0 to 90; nil if it has
  /// no long axis.
  public func tilt(of outline: Quadrilateral) -> Double? {
    guard hasExtent(outline) else { return nil }
    let fromHorizontal = abs(outline.angleOfLongAxis) * degreesPerRadian
    return max(0, 90 - fromHorizontal)
  }

  /// Whether the outline has a spine's proportions: tall and narrow, or lying flat.
  ///
  /// The ratio of its short side to its long side is within the configured bounds, and its sides do
  /// not cross.
  public func isSpineShaped(_ outline: Quadrilateral) -> Bool {
    guard hasExtent(outline), outline.isConvex else { return false }
    return isSpine(aspectRatio: outline.aspectRatio)
  }

  /// Whether a box around an upright or flat spine has a spine's proportions.
  public func isSpineShaped(_ box: Box) -> Bool {
    let width = Double(box.width)
    let height = Double(box.height)
    guard width > 0, height > 0, width.isFinite, height.isFinite else { return false }
    return isSpine(aspectRatio: min(width, height) / max(width, height))
  }

  private func isSpine(aspectRatio: Double) -> Bool {
    aspectRatio >= configuration.minimumAspectRatio
      && aspectRatio <= configuration.maximumAspectRatio
  }

  /// The similarity and relative position of two outlines; nil if either has no extent.
  public func likeness(
    _ first: Quadrilateral, _ second: Quadrilateral
  ) -> SpineLikeness? {
    guard hasExtent(first), hasExtent(second) else { return nil }
    return SpineLikeness(first, second)
  }

  /// Whether two outlines are neighbours on a shelf or in a stack.
  ///
  /// Neighbours are parallel, of similar height, side by side and close.
  public func areNeighbours(_ first: Quadrilateral, _ second: Quadrilateral) -> Bool {
    guard let likeness = likeness(first, second) else { return false }
    return likeness.angle <= configuration.maximumAngleBetweenNeighbours
      && likeness.lengthRatio >= configuration.minimumLengthRatio
      && likeness.sideBySide >= configuration.minimumSideBySide
      && likeness.gap <= configuration.maximumGap
  }

  private func hasExtent(_ outline: Quadrilateral) -> Bool {
    guard outline.isFinite else { return false }
    let length = outline.longSide
    return length > 0 && length.isFinite
  }
}

/// 180 over pi.
let degreesPerRadian = 57.295_779_513_082_32
