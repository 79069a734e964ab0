import CommandKit
import ISBN

/// The facts about one code, as text for people and as JSON for machines.
struct ISBNReport {
  /// The code as it was given.
  let code: String

  private let result: Result<AnyISBN, ISBNError>
  /// What the bars of a product say, where the code is that and no ISBN alone.
  private let payload: EANPayload?

  init(code: String) {
    self.code = code
    var result: Result<AnyISBN, ISBNError>
    do throws(ISBNError) {
      result = .success(try AnyISBN(code))
    } catch {
      result = .failure(error)
    }
    payload = (try? EANPayload(code)).flatMap { $0.form == .ean13 ? $0 : nil }
    // A bar code with its add-on for the price.
    if case .failure(.wrongLength) = result, let isbn = payload?.isbn {
      result = .success(.isbn13(isbn))
    }
    self.result = result
  }

  /// The error line's text if the code is not an ISBN, nil if it is one.
  var failure: CommandError? {
    guard case .failure(let error) = result else { return nil }
    return CommandError(.badData, at: Self.shortened(code), message(of: error))
  }

  /// A code that is none may be of any length; an error line is to be read.
  static func shortened(_ code: String) -> String {
    code.unicodeScalars.count > 60 ? String(code.unicodeScalars.prefix(60)) + "..." : code
  }

  private func message(of error: ISBNError) -> String {
    guard case .notABook = error, let payload else { return error.description }
    if case .periodical(let issn) = payload.content {
      return "\(error) (it is a periodical's, ISSN \(issn.hyphenated))"
    }
    return "\(error) (it is a valid EAN-13 of something else)"
  }

  // MARK: JSON

  /// One object; what does not apply is `null`.
  var json: JSONText {
    var members: [(String, JSONText)] = [("code", .string(code))]
    switch result {
    case .success(let isbn):
      members += JSONText.members(of: isbn)
      if let addOn = payload?.addOn { members.append(("addOn", JSONText.addOn(addOn))) }
    case .failure(let error):
      members += [
        ("valid", .bool(false)), ("kind", .optional(kindOfOther) { .string($0) }),
        ("isbn13", .null), ("isbn10", .null), ("hyphenated", .null), ("group", .null),
        ("groupPrefix", .null), ("rule", .string(error.rule)),
        ("expectedCheckDigit", .optional(error.expectedCheckDigit) { .string(String($0)) }),
        ("message", .string(message(of: error))),
      ]
    }
    return .object(members)
  }

  /// What a valid EAN-13 is that is not an ISBN.
  private var kindOfOther: String? {
    switch payload?.content {
    case .printedMusic: "ismn"
    case .periodical: "issn"
    case .restricted, .coupon, .product: "ean13"
    case .book, nil: nil
    }
  }

  // MARK: Text

  /// One line, for one of many codes that is valid.
  var line: String { lines.isEmpty ? "" : ([headline] + details).joined(separator: ", ") }

  /// A paragraph, for a single code that is valid; none otherwise.
  var lines: [String] {
    guard case .success(let isbn) = result else { return [] }
    var report = ReportText()
    report.add("ISBN-13", isbn.isbn13.hyphenated ?? "\(isbn.isbn13) (\(Self.unassigned))")
    report.add(
      "ISBN-10",
      isbn.isbn10.map { $0.hyphenated ?? $0.description }
        ?? "none: only numbers that start with 978 have one")
    report.add(
      "group", isbn.isbn13.group.map { "\($0.name) (\($0.prefix)-\($0.identifier))" } ?? "none")
    if let price { report.add("price", price) }
    return [headline] + report.lines
  }

  private static let unassigned =
    "the agency had not assigned this range on \(RegistrationGroup.tableDate)"

  private var headline: String {
    guard case .success(let isbn) = result else { return "" }
    let kind = if case .isbn10 = isbn { "ISBN-10" } else { "ISBN-13" }
    return "\(PrintableText.of(code)): valid \(kind)"
  }

  private var details: [String] {
    guard case .success(let isbn) = result else { return [] }
    let ten = isbn.isbn10.map { $0.hyphenated ?? $0.description }
    return [
      isbn.isbn13.hyphenated ?? isbn.isbn13.description, ten, isbn.isbn13.group?.name, price,
    ].compactMap { $0 }
  }

  private var price: String? {
    guard let addOn = payload?.addOn, case .success = result else { return nil }
    let meaning =
      switch addOn.meaning {
      case .price(let units, let currency): "\(PriceText.of(units)) \(currency.code)"
      case .priceAbove(let units, let currency): "\(PriceText.of(units)) \(currency.code) or more"
      case .noPrice: "none given"
      case .internalUse: "none; the publisher's own use"
      case .usedCopy: "none; a used copy"
      case .complimentaryCopy: "none; not for sale"
      case .unassigned: "unknown"
      }
    return "\(meaning) (\(addOn))"
  }
}

/// Hundredths of a currency as text.
enum PriceText {
  /// `14.95` of 1495.
  static func of(_ minorUnits: Int) -> String {
    NumberText.fixed(Double(minorUnits) / 100, digits: 2)
  }
}

extension ISBNError {
  /// The rule that is broken, in one word for machines.
  var rule: String {
    switch self {
    case .empty, .wrongLength: "length"
    case .unexpectedCharacter, .invalidUTF8: "character"
    case .misplacedX: "x"
    case .notABook, .printedMusic: "prefix"
    case .wrongCheckDigit: "checkDigit"
    case .noISBN10: "conversion"
    }
  }

  /// What the last digit had to be, if nothing else is wrong.
  var expectedCheckDigit: Character? {
    if case .wrongCheckDigit(_, let expected) = self { return expected }
    return nil
  }
}
