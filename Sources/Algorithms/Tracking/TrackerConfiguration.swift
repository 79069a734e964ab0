import Geometry

/// The thresholds for deciding that two sightings are of one object.
///
/// As JSON it is an object with the names of the properties. Values are not checked when properties
/// are set; ``validated()`` checks them.
public struct TrackerConfiguration: Hashable, Sendable, Codable {
  /// The least intersection over union of an object's expected place and its sighting; above 0, at
  /// most 1.
  public var minimumIoU = 0.3
  /// The least cosine of two appearances of one object, -1 to 1.
  public var minimumSimilarity = 0.5
  /// The weight of appearance beside place, 0 (not used) to 1 (used alone).
  public var appearanceWeight = 0.5
  /// The number of consecutive frames in which an object must be seen to be confirmed; 1 to 100.
  public var confirmingHits = 2
  /// The number of consecutive frames in which a confirmed object may be missed before it is lost;
  /// 0 to 1000.
  public var maximumMisses = 5
  /// The least cosine at which a lost object is recognized near its place in the panorama, -1 to 1.
  public var recognitionSimilarity = 0.8
  /// The intersection over union above which two sightings of a frame are one object, 0 to 1.
  public var duplicateIoU = 0.9
  /// The number of lost objects to remember, 0 to 100,000; the one lost longest is forgotten first.
  public var maximumRemembered = 2000
  /// The frame, in the sightings' space; nil if it is unknown.
  ///
  /// With it, a box on the frame's edge is known to be cut off there.
  public var frame: Box?

  /// Makes the default configuration.
  public init() {}

  /// The configuration, if every value lies in its range.
  public func validated() throws(TrackerConfigurationError) -> TrackerConfiguration {
    let fields: [(String, Double, ClosedRange<Double>)] = [
      ("minimumIoU", minimumIoU, .leastNormalMagnitude...1),
      ("minimumSimilarity", minimumSimilarity, -1...1),
      ("appearanceWeight", appearanceWeight, 0...1),
      ("confirmingHits", Double(confirmingHits), 1...100),
      ("maximumMisses", Double(maximumMisses), 0...1000),
      ("recognitionSimilarity", recognitionSimilarity, -1...1),
      ("duplicateIoU", duplicateIoU, 0...1),
      ("maximumRemembered", Double(maximumRemembered), 0...100_000),
    ]
    // NaN is not in any range.
    for (name, value, range) in fields where !range.contains(value) {
      throw .outOfRange(field: name, value: value, range: range)
    }
    if let frame, !frame.isFinite || frame.isEmpty { throw .emptyFrame(frame) }
    return self
  }
}

/// The reason why a ``TrackerConfiguration`` is invalid.
public enum TrackerConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A value is outside its range, or NaN.
  case outOfRange(field: String, value: Double, range: ClosedRange<Double>)
  /// The frame contains no point, or a coordinate is not finite.
  case emptyFrame(Box)

  /// The wrong value and the expected one, in one line.
  public var description: String {
    switch self {
    case .outOfRange(let field, let value, let range):
      "\(field) is \(value); it must be in \(range.lowerBound)...\(range.upperBound)"
    case .emptyFrame(let frame):
      "frame is \(frame.minX), \(frame.minY) to \(frame.maxX), \(frame.maxY); it must be a finite "
        + "box with an area"
    }
  }
}
