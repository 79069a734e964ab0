import Foundation

/// The record of one object that was found in a frame.
///
/// It has the object's size and the detector's confidence, but no pixels and no text of the frame.
/// It may have the name of a variant that the app is trying. Values are kept to the millisecond and
/// to five decimals; two events with the same values are the same event.
public struct TelemetryEvent: Hashable, Sendable {
  /// Milliseconds since 1970, UTC.
  let milliseconds: Int64
  // In units of 1e-5, so that values that are read back equal the recorded ones.
  let confidenceUnits, widthUnits, heightUnits, aspectUnits: Int32
  /// Whether text was seen in the same frame.
  public let sawText: Bool
  /// Whether a barcode was seen in the same frame.
  public let sawBarcode: Bool
  /// The variant of an experiment that found the object, such as `new-finder`; nil for none.
  public let variant: String?

  /// The time of the frame.
  public var time: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
  /// How sure the finder was, 0...1.
  public var confidence: Double { Double(confidenceUnits) / Self.unitsPerOne }
  /// The width as a share of the frame's, 0...100.
  public var width: Double { Double(widthUnits) / Self.unitsPerOne }
  /// The height as a share of the frame's, 0...100.
  public var height: Double { Double(heightUnits) / Self.unitsPerOne }
  /// Width over height in pixels, 0...10000.
  public var aspectRatio: Double { Double(aspectUnits) / Self.unitsPerOne }
  /// The share of the frame's area that a box of this width and height has.
  public var area: Double { width * height }

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - time: the time of the frame, 1970 to 9999.
  ///   - confidence: the detector's confidence, 0...1.
  ///   - width: the width as a share of the frame's, 0...100; above 1 if a box reaches out.
  ///   - height: the height as a share of the frame's, 0...100.
  ///   - aspectRatio: width over height in pixels, 0...10000.
  ///   - sawText: whether text was seen in the same frame.
  ///   - sawBarcode: whether a barcode was seen in the same frame.
  ///   - variant: the variant of an experiment, such as the name of a treatment; nil for none. It
  ///     is 1 to 32 of `a-z`, `A-Z`, `0-9`, `.`, `-` and `_`, and begins with a letter or digit. It
  ///     must not tell who the user is.
  /// - Throws: ``TelemetryError/valueOutOfRange(name:value:range:)`` for NaN and values out of
  ///   range; ``TelemetryError/invalidVariant(_:)``.
  public init(
    time: Date, confidence: Double, width: Double, height: Double, aspectRatio: Double,
    sawText: Bool, sawBarcode: Bool, variant: String? = nil
  ) throws(TelemetryError) {
    let seconds = time.timeIntervalSince1970
    // Dates are not exact to the last millisecond: down would now and then be one too few.
    let rounded = (seconds * 1000).rounded()
    guard rounded >= 0, rounded < Double(Self.timeLimit) else {
      throw .valueOutOfRange(name: "time", value: seconds, range: "from 1970 to 9999")
    }
    milliseconds = Int64(rounded)
    confidenceUnits = try Self.units(confidence, "confidence", atMost: 1)
    widthUnits = try Self.units(width, "width", atMost: 100)
    heightUnits = try Self.units(height, "height", atMost: 100)
    aspectUnits = try Self.units(aspectRatio, "aspectRatio", atMost: 10_000)
    self.sawText = sawText
    self.sawBarcode = sawBarcode
    if let variant, !Self.isVariant(variant.utf8) { throw .invalidVariant(variant) }
    self.variant = variant
  }

  /// Makes an event of the units it is kept in; nil if one is outside its range.
  init?(
    milliseconds: Int64, confidence: Int32, width: Int32, height: Int32, aspect: Int32,
    sawText: Bool, sawBarcode: Bool, variant: String?
  ) {
    let one = Int32(Self.unitsPerOne)
    guard (0..<Self.timeLimit).contains(milliseconds), (0...one).contains(confidence),
      (0...100 * one).contains(width), (0...100 * one).contains(height),
      (0...10_000 * one).contains(aspect)
    else { return nil }
    self.milliseconds = milliseconds
    confidenceUnits = confidence
    widthUnits = width
    heightUnits = height
    aspectUnits = aspect
    self.sawText = sawText
    self.sawBarcode = sawBarcode
    if let variant, !Self.isVariant(variant.utf8) { return nil }
    self.variant = variant
  }

  /// The most bytes of a variant's name.
  static let longestVariant = 32

  /// Whether these bytes can be the name of a variant.
  ///
  /// Names are short and simple, so that they need no escapes and hold no sentences about users.
  static func isVariant(_ bytes: some Collection<UInt8>) -> Bool {
    guard let first = bytes.first, bytes.count <= longestVariant, isLetterOrDigit(first) else {
      return false
    }
    return bytes.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  static let unitsPerOne = 1e5
  /// The year 10000.
  private static let timeLimit: Int64 = 253_402_300_800_000

  private static func units(
    _ value: Double, _ name: String, atMost most: Double
  ) throws(TelemetryError) -> Int32 {
    guard value >= 0, value <= most else {
      throw .valueOutOfRange(name: name, value: value, range: "0...\(Int(most))")
    }
    return Int32((value * unitsPerOne).rounded())
  }
}
