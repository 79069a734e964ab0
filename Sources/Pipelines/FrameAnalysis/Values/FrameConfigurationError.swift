import Tracking

/// Why values or text do not make a ``FrameConfiguration``.
public enum FrameConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A value lies outside its range, or is not a number; durations are in seconds.
  case outOfRange(field: String, value: Double, range: ClosedRange<Double>)
  /// A kind of finding stands twice in the priority.
  case repeatedKind(FindingPriority.Kind)
  /// A setting of the tracker is not right.
  case tracking(TrackerConfigurationError)
  /// An object has a field that configurations do not have.
  case unknownField(String, known: [String])
  /// A field's value is of the wrong kind.
  case wrongKind(field: String, expected: String)

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .outOfRange(let field, let value, let range):
      "\(field) is \(value); it must be in \(range.lowerBound)...\(range.upperBound)"
    case .repeatedKind(let kind):
      "priority names \(kind.rawValue) twice; each kind may stand in it once"
    case .tracking(let error):
      "tracking.\(error)"
    case .unknownField(let name, let known):
      "the configuration has an unknown field \"\(name)\"; known are \(known.joined(separator: ", "))"
    case .wrongKind(let field, let expected):
      "\(field) must be \(expected)"
    }
  }
}
