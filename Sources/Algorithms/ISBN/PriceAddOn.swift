/// The five-digit bar code beside a book's own: most often its recommended price.
///
/// The first digit names a currency, the other four a price in hundredths. The code has no check
/// digit among its digits; ``parityChecksum`` is what the bars themselves encode.
///
/// Source: Book Industry Study Group, "Machine-Readable Coding Guidelines for the U.S. Book
/// Industry".
public struct PriceAddOn: Hashable, Sendable {
  /// The currencies that first digits stand for.
  public enum Currency: String, Hashable, Sendable, Codable, CaseIterable {
    /// First digit 0 or 1.
    case poundSterling = "GBP"
    /// First digit 3.
    case australianDollar = "AUD"
    /// First digit 4.
    case newZealandDollar = "NZD"
    /// First digit 5.
    case usDollar = "USD"
    /// First digit 6.
    case canadianDollar = "CAD"

    /// The three letters of ISO 4217.
    public var code: String { rawValue }
  }

  /// What the five digits say.
  public enum Meaning: Hashable, Sendable {
    /// A price in hundredths of the currency: 51495 is 1495 cents.
    case price(minorUnits: Int, currency: Currency)
    /// Four nines: a price of at least 99.99.
    case priceAbove(minorUnits: Int, currency: Currency)
    /// 90000: no price is given.
    case noPrice
    /// 90001 to 98999: the publisher's own use.
    case internalUse
    /// 99990: a used copy (National Association of College Stores).
    case usedCopy
    /// 99991: a copy that is not for sale.
    case complimentaryCopy
    /// Any other number from 99000 on, and first digits without a currency.
    case unassigned
  }

  /// The five digits as a number, 0 to 99999.
  public let value: Int

  /// Takes five digits as a number; nil outside 0 to 99999.
  public init?(value: Int) {
    guard (0...99_999).contains(value) else { return nil }
    self.value = value
  }

  /// Reads five digits, separators skipped.
  public init(_ text: String) throws(ISBNError) {
    value = Int(try CodeReading(text).digits(count: 5))
  }

  /// What the digits say.
  public var meaning: Meaning {
    switch value {
    case 90_000: return .noPrice
    case 90_001...98_999: return .internalUse
    case 99_990: return .usedCopy
    case 99_991: return .complimentaryCopy
    default: break
    }
    guard let currency else { return .unassigned }
    let price = value % 10_000
    return price == 9999
      ? .priceAbove(minorUnits: price, currency: currency)
      : .price(minorUnits: price, currency: currency)
  }

  /// The currency of the first digit, if it stands for one.
  public var currency: Currency? {
    switch value / 10_000 {
    case 0, 1: return .poundSterling
    case 3: return .australianDollar
    case 4: return .newZealandDollar
    case 5: return .usDollar
    case 6: return .canadianDollar
    default: return nil
    }
  }

  /// The digit that the parities of the bars encode: weights 3, 9, 3, 9, 3, modulus 10.
  public var parityChecksum: Int {
    var rest = value
    var sum = 0
    for place in 0..<5 {
      sum += rest % 10 * (place.isMultiple(of: 2) ? 3 : 9)
      rest /= 10
    }
    return sum % 10
  }
}

extension PriceAddOn: CustomStringConvertible {
  /// The five digits.
  public var description: String {
    let digits = String(value)
    return String(repeating: "0", count: 5 - digits.utf8.count) + digits
  }
}
