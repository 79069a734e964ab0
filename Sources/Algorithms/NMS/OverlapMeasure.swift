import Geometry

/// How the overlap of two boxes is measured when one of them may have to go.
public enum OverlapMeasure: String, Hashable, Sendable, Codable, CaseIterable {
  /// The shared area over the area covered by either (``/Geometry/Box/iou(_:)``).
  case intersectionOverUnion
  /// The shared area over the smaller box's (``/Geometry/Box/intersectionOverSmaller(_:)``), which
  /// also finds a part inside a whole.
  case intersectionOverSmaller
}
