/// The conditions for two long lines and the area between them to be a spine.
///
/// Supports are shares, 0 to 1, of a side's length with an edge under it. Scores are sums of such
/// shares minus the costs below. The defaults were chosen on four photos of shelves and degraded
/// copies of them; `Docs/Spines.md` has the effect of each. ``validated()`` checks every value.
public struct SpineDetectionConfiguration: Hashable, Sendable, Codable {
  /// The longer side the picture is reduced to before anything is looked for, in pixels; 64
  /// to 4096.
  public var workingSide = 960
  /// A spine's thickness over its length, at least; 0 to 1.
  public var minimumAspectRatio = 0.012
  /// A spine's thickness over its length, at most; 0 to 1.
  public var maximumAspectRatio = 0.45
  /// How many rows and stacks are looked for; 1 to 100.
  public var maximumRows = 4
  /// The least confidence of a spine; 0 to 1.
  public var minimumConfidence = 0.5

  /// The support that is taken from each side's.
  var expectedSupport = 0.42
  /// What a spine costs for its length.
  var lengthCost = 0.25
  /// What a spine costs.
  var cost = 0.45
  /// What both ends seen are worth for each.
  var endGain = 0.1
  /// The support of a line inside from which on it speaks against one spine.
  var insideSupport = 0.55
  /// What the second strongest line inside counts.
  var secondInside = 0.15
  /// Lines nearer to a side than this share of the thickness count less: sides often are double.
  var besideShare = 0.1
  /// What edges inside are worth: text and pictures.
  var textureGain = 0.1
  /// What thinness costs, in logarithms below ``usualShare`` of the usual thickness.
  var thinCost = 0.8
  var usualShare = 0.85
  /// How much of that holds if it is not darker inside than on both sides.
  var thinCostOfBright = 0.5
  /// How much of it both ends seen take away.
  var endRelief = 0.3
  /// What thickness costs, in logarithms above ``unusualFactor`` times the usual.
  var thickCost = 0.3
  var unusualFactor = 2.2
  /// How many spines a row must have to count half of what it explains, against another row.
  var companions = 4.0

  /// The defaults.
  public init() {}

  private enum CodingKeys: String, CodingKey {
    case workingSide, minimumAspectRatio, maximumAspectRatio, maximumRows, minimumConfidence
  }

  /// The configuration, if every value lies in its range.
  public func validated() throws(SpineDetectionError) -> SpineDetectionConfiguration {
    let fields: [(String, Double, ClosedRange<Double>)] = [
      ("workingSide", Double(workingSide), 64...4096),
      ("minimumAspectRatio", minimumAspectRatio, 0...1),
      ("maximumAspectRatio", maximumAspectRatio, 0...1),
      ("maximumRows", Double(maximumRows), 1...100),
      ("minimumConfidence", minimumConfidence, 0...1),
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

/// Why spines cannot be looked for.
public enum SpineDetectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A value of a ``SpineDetectionConfiguration`` lies outside its range.
  case outOfRange(field: String, value: Double, range: ClosedRange<Double>)
  /// The planes of a ``SpineMaps`` do not have the size that is said.
  case mapSize(values: Int, width: Int, height: Int)

  /// The wrong value and the expected one, in one line.
  public var description: String {
    switch self {
    case .outOfRange(let field, let value, let range):
      "\(field) is \(value); it must be in \(range.lowerBound)...\(range.upperBound)"
    case .mapSize(let values, let width, let height):
      "maps of \(width) x \(height) cells need 7 planes of \(width) x \(height) values; \(values) values were given"
    }
  }
}
