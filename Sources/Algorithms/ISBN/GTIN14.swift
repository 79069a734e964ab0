/// A valid GTIN-14, the number of a carton or pallet of trade items, or of any item with zeros in
/// front: fourteen digits with a check digit.
///
/// ```swift
/// let carton = try GTIN14(EANPayload("4006381333931"), indicator: 1)
/// print(carton)                            // 14006381333938
/// print(carton.item?.description ?? "?")   // 4006381333931
/// ```
///
/// The first digit is the indicator. It is 0 for the item itself, 1 to 8 for packages of it, and 9
/// for goods of variable measure.
///
/// Source: GS1 General Specifications, sections 2.1 (GTIN-14) and 7.9 (check digit).
public struct GTIN14: Hashable, Sendable {
  /// The fourteen digits as one number, for compact storage; leading zeros are not in it.
  public let number: UInt64

  /// Reads a GTIN-14 as people write it: fourteen digits.
  ///
  /// Passed over are hyphens, Unicode dashes and spaces of every kind, wherever they stand, and a
  /// label in front (`GTIN`, `GTIN-14:`, upper or lower case). Digits may be full-width. For 13, 12
  /// and 8 digits use ``EANPayload``.
  ///
  /// O(length of the text); nothing is allocated.
  public init(_ text: String) throws(ProductNumberError) {
    try self.init(CodeReading(text, as: .gtin))
  }

  /// Reads a GTIN-14 off UTF-8 bytes, by the rules of ``init(_:)-(String)``.
  public init(utf8: some Collection<UInt8>) throws(ProductNumberError) {
    try self.init(CodeReading(utf8: utf8, as: .gtin))
  }

  /// Makes a GTIN-14 of fourteen digits given as a number, leading zeros left out.
  public init(number: UInt64) throws(ProductNumberError) {
    guard number < 100_000_000_000_000 else {
      throw .wrongLength(found: String(number).utf8.count, expected: [14])
    }
    try requireEANCheckDigit(of: number)
    self.number = number
  }

  /// Makes the GTIN-14 of an item or of a package of it; an add-on is left out.
  ///
  /// - Parameters:
  ///   - payload: the item's EAN-13, UPC-A or EAN-8.
  ///   - indicator: 0 for the item itself, 1 to 8 for a package. The brand's owner chooses it.
  /// - Throws: ``ProductNumberError`` for another indicator.
  public init(_ payload: EANPayload, indicator: Int = 0) throws(ProductNumberError) {
    guard 0...8 ~= indicator else {
      throw .outOfRange(field: "indicator", value: indicator, range: 0...8)
    }
    let body = UInt64(indicator) * 1_000_000_000_000 + payload.number / 10
    number = body * 10 + CheckDigit.ean(of: body)
  }

  /// Completes the first thirteen digits of a GTIN-14 with their check digit.
  public init(completing text: String) throws(ProductNumberError) {
    let reading = CodeReading(text, as: .gtin)
    try reading.requireCount(13)
    number = reading.value * 10 + CheckDigit.ean(of: reading.value)
  }

  private init(_ reading: CodeReading) throws(ProductNumberError) {
    try reading.requireCount(14)
    try requireEANCheckDigit(of: reading.value)
    number = reading.value
  }

  /// Whether the text is a GTIN-14 that ``init(_:)-(String)`` takes.
  public static func isValid(_ text: String) -> Bool { (try? GTIN14(text)) != nil }

  /// Whether the UTF-8 bytes are a GTIN-14 that ``init(utf8:)`` takes.
  public static func isValid(utf8: some Collection<UInt8>) -> Bool {
    (try? GTIN14(utf8: utf8)) != nil
  }

  /// The last digit, which follows from the other thirteen.
  public var checkDigit: Int { Int(number % 10) }

  /// The first digit: 0 for an item, 1 to 8 for a package, 9 for goods of variable measure.
  public var indicator: Int { Int(number / 10_000_000_000_000) }

  /// The number of the item itself, or of the item in the package; nil for goods of variable
  /// measure.
  ///
  /// It has the shortest form that holds the digits: EAN-8, UPC-A or EAN-13.
  public var item: EANPayload? {
    guard indicator < 9 else { return nil }
    return EANPayload(completing: number / 10 % 1_000_000_000_000)
  }
}

extension GTIN14: CustomStringConvertible {
  /// The fourteen digits without separators; ``init(_:)-(String)`` reads it back.
  public var description: String { leftPadded(String(number), to: 14) }
}

extension GTIN14: Comparable {
  /// Orders by number.
  public static func < (left: GTIN14, right: GTIN14) -> Bool { left.number < right.number }
}

extension GTIN14: Codable {
  /// Decodes a string by the rules of ``init(_:)-(String)``; an invalid one is `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.number { (text) throws(ProductNumberError) in try Self(text) }
  }

  /// Encodes ``description``.
  public func encode(to encoder: any Encoder) throws {
    try description.encode(to: encoder)
  }
}
