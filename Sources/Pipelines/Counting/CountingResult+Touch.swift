import Geometry
import VisionProtocols

extension CountingResult {
  /// The objects at a point, such as one that a finger touched: the best hit first.
  ///
  /// Objects that contain the point come first, the smallest before the larger ones. Then come those
  /// within the tolerance, the nearest first. The outline of an object counts if the detector knows
  /// it, and the box otherwise. A box or an outline without finite coordinates is never hit.
  ///
  /// `ObjectNumbers` has the number of each object in drawings.
  ///
  /// Complexity: O(*n* log *n*) for *n* objects, and the corners of their outlines.
  ///
  /// - Parameters:
  ///   - point: the point, in pixels of the upright image.
  ///   - tolerance: how far beside an object the point may lie, in pixels; an object has to contain
  ///     the point if it is 0, negative or not a number.
  public func objects(at point: Point, within tolerance: Double = 0) -> [CountedDetection] {
    guard point.isFinite else { return [] }
    let hits = detections.enumerated().compactMap { index, object -> Hit? in
      let box = object.detection.box
      let corners = object.detection.outline?.corners ?? box.corners
      guard box.isFinite, !corners.isEmpty, corners.allSatisfy(\.isFinite) else { return nil }
      let distance =
        polygon(corners, contains: point) ? 0 : polygon(corners, distanceTo: point)
      guard distance == 0 || distance <= tolerance else { return nil }
      return Hit(object: object, rank: (distance, box.exactArea, index))
    }
    return hits.sorted { $0.rank < $1.rank }.map(\.object)
  }
}

private struct Hit {
  let object: CountedDetection
  /// Its distance, then its box's area, then its index.
  let rank: (Double, Double, Int)
}
