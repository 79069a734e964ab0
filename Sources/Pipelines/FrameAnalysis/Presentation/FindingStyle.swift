/// How the frame of a finding is drawn, by how sure the recognizer is.
public struct FindingStyle: Hashable, Sendable, Codable {
  /// How much the frame covers the picture, 0...1.
  public let opacity: Double
  /// The width of its lines, in points of the screen.
  public let lineWidth: Double

  /// The style for a confidence.
  ///
  /// From 0.9 on it is an opacity of 1 and a width of 2.5. From 0.8 on the opacity is 0.7, and below
  /// it is 0.5, both with a width of 1.5. A confidence that is not a number counts as below.
  public init(confidence: Float) {
    (opacity, lineWidth) =
      if confidence >= 0.9 {
        (1, 2.5)
      } else if confidence >= 0.8 {
        (0.7, 1.5)
      } else {
        (0.5, 1.5)
      }
  }
}

/// A colour, as shares of sRGB's red, green and blue.
public struct FindingColor: Hashable, Sendable, Codable {
  /// Red, 0...1.
  public let red: Double
  /// Green, 0...1.
  public let green: Double
  /// Blue, 0...1.
  public let blue: Double

  private init(_ code: Int) {
    red = Double(code >> 16 & 0xFF) / 255
    green = Double(code >> 8 & 0xFF) / 255
    blue = Double(code & 0xFF) / 255
  }

  /// Of objects: #007AFF.
  public static let blue = FindingColor(0x007AFF)
  /// Of text: #FF9500.
  public static let orange = FindingColor(0xFF9500)
  /// Of barcodes: #34C759.
  public static let green = FindingColor(0x34C759)
}
