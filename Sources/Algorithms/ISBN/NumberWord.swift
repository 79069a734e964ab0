/// The last two words before a number, which may say what it is.
struct NumberWord {
  /// The last eight letters of each, upper-case ASCII, packed; 0 is not a word.
  private var last: UInt64 = 0
  private var beforeLast: UInt64 = 0

  /// Takes the next letter, upper-case ASCII, or 0 for one of another alphabet.
  @inline(__always)
  mutating func append(_ letter: UInt8, startsWord: Bool) {
    if startsWord {
      beforeLast = last
      last = UInt64(letter)
    } else {
      last = last << 8 | UInt64(letter)
    }
  }

  /// Words that say that the number is not an ISBN.
  private static let others: Set<UInt64> = packed([
    "TEL", "TELE", "TELEFON", "TELEFAX", "TELEPHONE", "TELEPHON", "TELEFONO", "TELEFONE", "PHONE",
    "PH", "FON", "FONE", "FAX", "MOBILE", "MOB", "MOBIL", "CELL", "CALL", "DIAL", "SMS",
    "WHATSAPP", "ISSN", "ISMN", "OCLC", "LCCN", "IBAN", "VAT", "ORDER", "INVOICE", "ACCOUNT",
    "SERIAL",
  ])
  /// Words that say so unless the word ISBN stands before them, as in "ISBN No.".
  private static let numbers: Set<UInt64> = packed([
    "NO", "NR", "NUM", "NUMBER", "NUMMER", "NUMERO", "ID", "REF", "CUSTOMER", "ITEM", "ARTICLE",
    "ARTIKEL", "SKU", "USD", "EUR", "GBP", "CHF", "CAD", "AUD", "PRICE", "PREIS", "PRIX",
  ])

  /// Whether they deny a number that the word ISBN stands before, as "Phone No" does.
  var denies: Bool {
    Self.others.contains(last)
      || (Self.numbers.contains(last) && Self.others.contains(beforeLast))
  }

  /// Whether they deny a number that has no label.
  var namesOther: Bool {
    // "Kundennummer" and "Bestellnr".
    let endsInNumber =
      last & 0xFFFF_FFFF_FFFF == Self.packed("NUMMER") || last & 0xFFFF == Self.packed("NR")
    return endsInNumber || Self.others.contains(last) || Self.numbers.contains(last)
  }

  private static func packed(_ words: [String]) -> Set<UInt64> { Set(words.map(packed)) }

  /// The last eight letters, as ``append(_:startsWord:)`` leaves them.
  private static func packed(_ word: String) -> UInt64 {
    word.utf8.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
