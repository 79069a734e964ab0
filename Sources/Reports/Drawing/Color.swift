/// A colour of a mark: red, green and blue, 0...255 each.
public struct Color: Hashable, Sendable, Codable {
  /// Red, 0...255.
  public var red: UInt8
  /// Green, 0...255.
  public var green: UInt8
  /// Blue, 0...255.
  public var blue: UInt8

  /// Makes a colour.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The green of the main objects.
  ///
  /// It is light and ``blue-swift.type.property`` is dark. Readers who cannot distinguish red and
  /// green see a pale yellow beside a blue, and readers who see no colours see light beside dark.
  public static let green = Color(red: 72, green: 224, blue: 96)
  /// The blue of all other objects.
  public static let blue = Color(red: 28, green: 92, blue: 226)
  /// Orange, for a person's changes.
  ///
  /// Some readers see it as they see ``green-swift.type.property``, so its frames need a second
  /// sign, such as dashes.
  public static let orange = Color(red: 240, green: 150, blue: 20)
  /// White.
  public static let white = Color(red: 255, green: 255, blue: 255)
  /// Near black, for text on light colours.
  public static let ink = Color(red: 12, green: 16, blue: 20)

  /// The relative luminance, 0...1 (WCAG 2.2, with 2.2 for the transfer curve's exponent).
  var luminance: Double {
    func linear(_ value: UInt8) -> Double {
      let v = Double(value) / 255
      return v * v * (1.2 - 0.2 * (1 - v))
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The text colour that is readable on this one: the one with more contrast.
  public var readableText: Color { luminance > 0.19 ? .ink : .white }
}
