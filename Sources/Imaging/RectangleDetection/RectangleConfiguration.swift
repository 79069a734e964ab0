/// Which quadrilaterals are reported as rectangles.
///
/// ``validated()`` holds every value to its range.
public struct RectangleConfiguration: Hashable, Sendable, Codable {
  /// How many rectangles are reported, the most confident ones; 1 to 1000.
  public var maximumObservations = 3
  /// The least mean length of the short sides over that of the long ones; 0 to 1.
  public var minimumAspectRatio = 0.1
  /// The largest mean length of the short sides over that of the long ones; 0 to 1.
  public var maximumAspectRatio = 0.9
  /// The least mean length of the long sides, as a share of the picture's shorter side; 0 to 1.
  public var minimumSize = 0.05
  /// The least ``DetectedRectangle/confidence``; 0 to 1.
  public var minimumConfidence = 0.75
  /// The largest intersection over union of two rectangles reported; 0 to 1.
  public var maximumOverlap = 0.5
  /// The longer side the picture is reduced to before anything is looked for, in pixels; 64
  /// to 4096.
  public var workingSide = 640

  /// The defaults.
  public init() {}

  /// The configuration, if every value lies in its range.
  public func validated() throws(RectangleError) -> RectangleConfiguration {
    let fields: [(String, Double, ClosedRange<Double>)] = [
      ("maximumObservations", Double(maximumObservations), 1...1000),
      ("minimumAspectRatio", minimumAspectRatio, 0...1),
      ("maximumAspectRatio", maximumAspectRatio, 0...1),
      ("minimumSize", minimumSize, 0...1),
      ("minimumConfidence", minimumConfidence, 0...1),
      ("maximumOverlap", maximumOverlap, 0...1),
      ("workingSide", Double(workingSide), 64...4096),
    ]
    for (name, value, range) in fields where !range.contains(value) {
      throw .outOfRange(field: name, value: value, range: range)
    }
    guard minimumAspectRatio <= maximumAspectRatio else {
      throw .outOfRange(
        field: "minimumAspectRatio", value: minimumAspectRatio, range: 0...maximumAspectRatio)
    }
    return self
  }
}

/// Why rectangles cannot be looked for.
public enum RectangleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A value of a ``RectangleConfiguration`` lies outside its range.
  case outOfRange(field: String, value: Double, range: ClosedRange<Double>)

  /// The field, its value and its range, in one line.
  public var description: String {
    switch self {
    case .outOfRange(let field, let value, let range):
      "\(field) is \(value); it must be in \(range.lowerBound)...\(range.upperBound)"
    }
  }
}
