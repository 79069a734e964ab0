/// What the bars on a product say: a valid EAN-13, EAN-8 or UPC-A number, and whether it is a
/// book's.
///
/// ```swift
/// let payload = try EANPayload("9780306406157 51495")
/// print(payload.content)   // book(9780306406157)
/// payload.addOn?.meaning   // .price(minorUnits: 1495, currency: .usDollar)
/// ```
///
/// Source: GS1 General Specifications, section 1.4 (GS1 Prefixes).
public struct EANPayload: Hashable, Sendable {
  /// What the number names.
  public enum Content: Hashable, Sendable {
    /// A book: prefixes 978 and 979 without 979-0.
    case book(ISBN13)
    /// Printed music: prefix 979-0.
    case printedMusic(ISMN)
    /// A newspaper or magazine: prefix 977.
    case periodical(ISSN)
    /// A number of the shop's or company's own: weighed goods, store cards.
    case restricted
    /// A coupon or a refund slip.
    case coupon
    /// Any other product.
    case product
  }

  /// The forms a number comes in.
  public enum Form: Hashable, Sendable {
    /// Thirteen digits.
    case ean13
    /// Twelve digits: an EAN-13 without its leading zero.
    case upcA
    /// Eight digits.
    case ean8
  }

  /// The number without an add-on, check digit included.
  public let number: UInt64
  /// How the number was written.
  public let form: Form
  /// The five digits of a price add-on, if the payload has them.
  public let addOn: PriceAddOn?
  /// The two digits of an issue add-on, as periodicals have them.
  public let issue: Int?

  /// Reads a payload: 13, 12 or 8 digits, then 5 or 2 digits of an add-on or none.
  ///
  /// Separators are skipped as in ``ISBN13/init(_:)-(String)``; add-ons have no check digit. UPC-E
  /// has eight digits too and has to be expanded to UPC-A first.
  public init(_ text: String) throws(ISBNError) {
    try self.init(CodeReading(text))
  }

  /// Reads a payload off UTF-8 bytes, by the rules of ``init(_:)``.
  public init(utf8: some Collection<UInt8>) throws(ISBNError) {
    try self.init(CodeReading(utf8: utf8))
  }

  private init(_ reading: CodeReading) throws(ISBNError) {
    let addOnLength: Int
    (form, addOnLength) = try Self.layout(of: reading)
    let power: UInt64 = addOnLength == 5 ? 100_000 : addOnLength == 2 ? 100 : 1
    number = reading.value / power
    let rest = Int(reading.value % power)
    addOn = addOnLength == 5 ? PriceAddOn(value: rest) : nil
    issue = addOnLength == 2 ? rest : nil
    let expected = CheckDigit.ean(of: number / 10)
    guard number % 10 == expected else {
      throw .wrongCheckDigit(
        found: CheckDigit.character(number % 10), expected: CheckDigit.character(expected))
    }
  }

  /// Completes up to twelve digits with their check digit, in the shortest form that holds them.
  init(completing body: UInt64) {
    number = body * 10 + CheckDigit.ean(of: body)
    form = number < 100_000_000 ? .ean8 : number < 1_000_000_000_000 ? .upcA : .ean13
    addOn = nil
    issue = nil
  }

  /// The form and the number of digits of the add-on, by the number of digits alone.
  private static func layout(of reading: CodeReading) throws(ISBNError) -> (Form, Int) {
    if let failure = reading.failure { throw failure.isbnError }
    switch reading.count {
    case 0: throw .empty
    case 8: return (.ean8, 0)
    case 12: return (.upcA, 0)
    case 13: return (.ean13, 0)
    case 14: return (.upcA, 2)
    case 15: return (.ean13, 2)
    case 17: return (.upcA, 5)
    case 18: return (.ean13, 5)
    default: throw .wrongLength(found: reading.count, expected: [8, 12, 13, 15, 18])
    }
  }

  /// What the number names, by its GS1 prefix.
  public var content: Content {
    if form == .ean8 {
      let first = number / 10_000_000
      return first == 0 || first == 2 ? .restricted : .product
    }
    switch number / 10_000_000_000 {
    case 978, 979:
      guard let isbn = try? ISBN13(number: number) else {
        return .printedMusic(ISMN(unchecked: number))
      }
      return .book(isbn)
    case 977:
      return .periodical(ISSN(uncheckedBody: UInt32(number / 1000 % 10_000_000)))
    case 20...29, 40...49, 200...299:
      return .restricted
    case 50...59, 980...984, 990...999:
      return .coupon
    default:
      return .product
    }
  }

  /// The book's ISBN, or nil for anything that is not a book.
  public var isbn: ISBN13? {
    if case .book(let isbn) = content { return isbn }
    return nil
  }
}

extension EANPayload: CustomStringConvertible {
  /// The digits without separators and add-on: 13, 12 or 8 of them, as in ``form``.
  public var description: String {
    let length =
      switch form {
      case .ean13: 13
      case .upcA: 12
      case .ean8: 8
      }
    return leftPadded(String(number), to: length)
  }
}
