/// Why values or text do not make a ``CountingConfiguration``.
public enum CountingConfigurationError: Error, Equatable, CustomStringConvertible {
  /// A value lies outside its range, or is not a number.
  case outOfRange(field: String, value: Double, minimum: Double, maximum: Double)
  /// The lower bound of the aspect range is above the upper one.
  case emptyRange(field: String, minimum: Double, maximum: Double)
  /// An object has a field that configurations do not have.
  case unknownField(String, known: [String])
  /// A field's value is of the wrong kind.
  case wrongKind(field: String, expected: String)
  /// The text is not a JSON object.
  case notJSON(reason: String)

  /// The wrong value, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .outOfRange(let field, let value, let minimum, let maximum):
      "\(field) is \(value); it must be in \(short(minimum))...\(short(maximum))"
    case .emptyRange(let field, let minimum, let maximum):
      "\(field) is [\(minimum), \(maximum)]; the first bound must not be above the second"
    case .unknownField(let name, let known):
      "the configuration has an unknown field \"\(name)\"; known are \(known.joined(separator: ", "))"
    case .wrongKind(let field, let expected):
      "\(field) must be \(expected)"
    case .notJSON(let reason):
      "the configuration is not a JSON object: \(reason)"
    }
  }

  private func short(_ value: Double) -> String {
    value == value.rounded() ? String(Int(exactly: value) ?? 0) : String(value)
  }
}

extension CountingConfiguration {
  /// Checks every value against its range.
  ///
  /// - Throws: ``CountingConfigurationError`` with the first field that is out of range. Fields of
  ///   all counts are checked first, then those of the adaptive method, then those of bands.
  public func validate() throws {
    for field in CountingField.all where field.scope != .adaptive || adaptive != nil {
      try field.check(self)
    }
    switch aspect {
    case .off: break
    case .sigma(let sigma): try Self.check("aspect.sigma", sigma, 0...100)
    case .range(let minimum, let maximum):
      try Self.check("aspect.range", minimum, 0...1000)
      try Self.check("aspect.range", maximum, 0...1000)
      guard minimum <= maximum else {
        throw CountingConfigurationError.emptyRange(
          field: "aspect.range", minimum: minimum, maximum: maximum)
      }
    }
  }

  static func check(
    _ field: String, _ value: Double, _ range: ClosedRange<Double>
  ) throws {
    // A NaN is in no range.
    guard range.contains(value) else {
      throw CountingConfigurationError.outOfRange(
        field: field, value: value, minimum: range.lowerBound, maximum: range.upperBound)
    }
  }
}
