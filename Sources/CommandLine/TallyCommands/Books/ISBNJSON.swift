import CommandKit
import ISBN

extension JSONText {
  /// The members that every valid ISBN has.
  static func members(of isbn: AnyISBN) -> [(String, JSONText)] {
    let kind = if case .isbn10 = isbn { "isbn10" } else { "isbn13" }
    let group = isbn.isbn13.group
    return [
      ("valid", .bool(true)),
      ("kind", .string(kind)),
      ("isbn13", .string(isbn.isbn13.description)),
      ("isbn10", .optional(isbn.isbn10) { .string($0.description) }),
      ("hyphenated", .optional(isbn.hyphenated) { .string($0) }),
      ("group", .optional(group) { .string($0.name) }),
      ("groupPrefix", .optional(group) { .string("\($0.prefix)-\($0.identifier)") }),
    ]
  }

  /// The five digits beside a book's bar code: what they are, and the price where they say one.
  static func addOn(_ addOn: PriceAddOn) -> JSONText {
    var price: (units: Int, currency: PriceAddOn.Currency)?
    switch addOn.meaning {
    case .price(let units, let currency), .priceAbove(let units, let currency):
      price = (units, currency)
    default: break
    }
    return .object([
      ("digits", .string(addOn.description)),
      ("price", .optional(price) { .string(PriceText.of($0.units)) }),
      ("currency", .optional(price) { .string($0.currency.code) }),
    ])
  }
}
