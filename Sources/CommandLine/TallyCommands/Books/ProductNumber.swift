import CommandKit
import ISBN

/// The kinds of numbers that `tally isbn` checks.
enum ProductNumberKind: String, CaseIterable {
  case isbn, issn, ismn
  case gtin14 = "gtin-14"
  case any

  static let option = Option(
    "kind", .choice("KIND", allCases.map { ($0.rawValue, $0) }),
    help: "What the codes are: isbn of a book, issn of a periodical, ismn of printed music, "
      + "gtin-14 of a carton, or any of these.",
    fallback: "isbn")
}

/// A valid number that is not an ISBN.
enum ProductNumber: Hashable {
  case issn(ISSN)
  case ismn(ISMN)
  case gtin14(GTIN14)

  /// Reads a code of a kind; for any kind, of the first that it is.
  ///
  /// An ISSN may also be given by the bars of a periodical.
  init(_ code: String, as kind: ProductNumberKind) throws(ProductNumberError) {
    switch kind {
    case .issn:
      do {
        self = .issn(try ISSN(code))
      } catch {
        guard let bars = try? EANPayload(code), let issn = try? ISSN(bars) else { throw error }
        self = .issn(issn)
      }
    case .ismn: self = .ismn(try ISMN(code))
    case .gtin14: self = .gtin14(try GTIN14(code))
    case .isbn, .any:
      let found = [ProductNumberKind.issn, .ismn, .gtin14].lazy
        .compactMap { try? ProductNumber(code, as: $0) }.first
      guard let found else { throw .empty }
      self = found
    }
  }

  /// The kind's name as people write it.
  var title: String {
    switch self {
    case .issn: "ISSN"
    case .ismn: "ISMN"
    case .gtin14: "GTIN-14"
    }
  }

  /// The number as it is printed.
  var printed: String {
    switch self {
    case .issn(let number): number.hyphenated
    case .ismn(let number): number.hyphenated
    case .gtin14(let number): number.description
    }
  }

  /// Further facts, with their labels.
  var facts: [(label: String, text: String)] {
    switch self {
    case .issn(let number):
      [("in bars", ((try? number.ean13())?.description) ?? "none")]
    case .ismn(let number):
      [
        ("until 2007", number.ismn10), ("publisher", number.publisher), ("item", number.item),
      ]
    case .gtin14(let number):
      [
        ("indicator", "\(number.indicator) (\(Self.meaning(ofIndicator: number.indicator)))"),
        ("item", number.item?.description ?? "none"),
      ]
    }
  }

  private static func meaning(ofIndicator indicator: Int) -> String {
    switch indicator {
    case 0: "the item itself"
    case 9: "goods of variable measure"
    default: "a package of the item"
    }
  }

  /// The members that every valid number has in JSON.
  var members: [(String, JSONText)] {
    switch self {
    case .issn(let number):
      [
        ("valid", .bool(true)), ("kind", .string("issn")),
        ("number", .string(number.description)), ("hyphenated", .string(number.hyphenated)),
        ("ean13", .optional(try? number.ean13()) { .string($0.description) }),
      ]
    case .ismn(let number):
      [
        ("valid", .bool(true)), ("kind", .string("ismn")),
        ("number", .string(number.description)), ("hyphenated", .string(number.hyphenated)),
        ("ismn10", .string(number.ismn10)), ("publisher", .string(number.publisher)),
        ("item", .string(number.item)),
      ]
    case .gtin14(let number):
      [
        ("valid", .bool(true)), ("kind", .string("gtin-14")),
        ("number", .string(number.description)), ("indicator", .integer(number.indicator)),
        ("item", .optional(number.item) { .string($0.description) }),
      ]
    }
  }
}

extension ProductNumberError {
  /// The rule that is broken, in one word for machines.
  var rule: String {
    switch self {
    case .empty, .wrongLength: "length"
    case .unexpectedCharacter, .invalidUTF8: "character"
    case .misplacedX: "x"
    case .wrongPrefix: "prefix"
    case .wrongCheckDigit: "checkDigit"
    case .outOfRange: "conversion"
    }
  }

  /// What the last digit had to be, if nothing else is wrong.
  var expectedCheckDigit: Character? {
    if case .wrongCheckDigit(_, let expected) = self { return expected }
    return nil
  }
}
