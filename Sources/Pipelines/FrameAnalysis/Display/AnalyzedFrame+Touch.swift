import Geometry

extension AnalyzedFrame {
  /// The findings at a point, such as one that a finger touched: the best hit first.
  ///
  /// Findings that contain the point come first, the smallest before the larger ones, because a line
  /// of text lies on its book. Then come those within the tolerance, the nearest first. Outlines
  /// count if they are known, as upright boxes of leaning spines cover each other.
  ///
  /// A shape without finite coordinates is never hit. Complexity: O(*n* log *n*) for *n* findings.
  ///
  /// - Parameters:
  ///   - point: the point, in shares of the frame, 0...1, origin at the bottom left.
  ///   - tolerance: how far beside a finding the point may lie, in pixels of the frame; a finding
  ///     has to contain the point if it is 0, negative or not a number.
  ///   - size: the frame's size.
  public func findings(
    at point: Point, within tolerance: Double = 0, in size: CoordinateSpace
  ) -> [FrameFinding] {
    let place = size.pixels(from: point)
    guard place.isFinite else { return [] }
    let hits = findings.enumerated().compactMap { index, finding -> Hit? in
      let outline = size.pixels(from: finding.outline)
      guard outline.isFinite else { return nil }
      let distance = outline.contains(place) ? 0 : polygon(outline.corners, distanceTo: place)
      guard distance == 0 || distance <= tolerance else { return nil }
      return Hit(finding: finding, rank: (distance, outline.area, index))
    }
    return hits.sorted { $0.rank < $1.rank }.map(\.finding)
  }
}

private struct Hit {
  let finding: FrameFinding
  /// Its distance, then its area, then its index.
  let rank: (Double, Double, Int)
}
