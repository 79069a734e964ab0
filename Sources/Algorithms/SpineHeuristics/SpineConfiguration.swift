/// The criteria for the outline of a book's spine, and for two spines side by side.
///
/// Angles are in degrees, and ratios are dimensionless; ``validated()`` checks the range of every
/// value. The defaults are for photos of shelves taken from the front.
public struct SpineConfiguration: Hashable, Sendable, Codable {
  /// The greatest angle between a standing book's long axis and the vertical; 0 to 45.
  ///
  /// Books lean against each other from about 10 degrees on; smaller angles come from the camera.
  public var standingTilt = 10.0

  /// The greatest angle between a lying book's long axis and the horizontal; 0 to 45.
  public var lyingTilt = 15.0

  /// The least ratio of short side to long side of a spine; 0 to 1.
  ///
  /// A stapled brochure of 3 mm at a height of 30 cm has 0.01.
  public var minimumAspectRatio = 0.01

  /// The greatest ratio of short side to long side of a spine; 0 to 1.
  ///
  /// A paperback of 7 cm at a height of 18 cm has 0.39; front covers start at 0.6.
  public var maximumAspectRatio = 0.45

  /// The largest angle between the long axes of neighbours; 0 to 90.
  public var maximumAngleBetweenNeighbours = 12.0

  /// The least ratio of the lengths of neighbours, the shorter to the longer; 0 to 1.
  ///
  /// One shelf may have pocket books (18 cm) beside illustrated ones (30 cm).
  public var minimumLengthRatio = 0.5

  /// The least share of the shorter neighbour that lies beside the longer one; 0 to 1.
  ///
  /// It is measured along the longer one's axis.
  public var minimumSideBySide = 0.6

  /// The largest gap between neighbours, in mean thicknesses of the two; 0 to 100.
  public var maximumGap = 1.0

  /// The least share of the smaller height that two outlines in one row have in common; above 0, at
  /// most 1.
  public var rowOverlap = 0.5

  /// Makes the default configuration.
  public init() {}

  /// The configuration, if every value lies in its range.
  public func validated() throws(SpineConfigurationError) -> SpineConfiguration {
    let fields: [(String, Double, ClosedRange<Double>)] = [
      ("standingTilt", standingTilt, 0...45),
      ("lyingTilt", lyingTilt, 0...45),
      ("minimumAspectRatio", minimumAspectRatio, 0...1),
      ("maximumAspectRatio", maximumAspectRatio, 0...1),
      ("maximumAngleBetweenNeighbours", maximumAngleBetweenNeighbours, 0...90),
      ("minimumLengthRatio", minimumLengthRatio, 0...1),
      ("minimumSideBySide", minimumSideBySide, 0...1),
      ("maximumGap", maximumGap, 0...100),
      ("rowOverlap", rowOverlap, .leastNormalMagnitude...1),
    ]
    for (name, value, range) in fields where !range.contains(value) {
      throw SpineConfigurationError(field: name, value: value, range: range)
    }
    guard minimumAspectRatio <= maximumAspectRatio else {
      throw SpineConfigurationError(
        field: "minimumAspectRatio", value: minimumAspectRatio, range: 0...maximumAspectRatio)
    }
    return self
  }
}

/// A value of a ``SpineConfiguration`` is outside its range.
public struct SpineConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The property.
  public let field: String
  /// Its value.
  public let value: Double
  /// Its allowed range.
  public let range: ClosedRange<Double>

  /// The field, its value and its range, in one line.
  public var description: String {
    "\(field) is \(value); it must be in \(range.lowerBound)...\(range.upperBound)"
  }
}
