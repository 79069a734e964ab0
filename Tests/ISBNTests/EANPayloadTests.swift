import Testing

@testable import ISBN

/// Bar-code payloads: books and everything else.
@Suite struct EANPayloadTests {
  @Test(arguments: [
    ("4006381333931", EANPayload.Content.product),
    ("9790260000438", .printedMusic(ISMN(unchecked: 9_790_260_000_438))),
    ("9770317847001", .periodical(ISSN(uncheckedBody: 317_847))),
    ("2012345678903", .restricted),
    ("9900000000004", .coupon),
    ("9800000000007", .coupon),
    ("036000291452", .product),
    ("0036000291452", .product),
    ("96385074", .product),
    ("20123451", .restricted),
  ])
  func otherProducts(text: String, content: EANPayload.Content) throws {
    let payload = try EANPayload(text)
    #expect(payload.content == content)
    #expect(payload.isbn == nil)
    #expect(payload.addOn == nil)
  }

  @Test func books() throws {
    let plain = try EANPayload("9780306406157")
    #expect(plain.isbn?.description == "9780306406157")
    #expect(plain.form == .ean13)
    for text in ["978030640615751495", "9780306406157 51495", "9 780306 406157 51495"] {
      let payload = try EANPayload(text)
      #expect(payload.isbn?.description == "9780306406157")
      #expect(payload.addOn?.meaning == .price(minorUnits: 1495, currency: .usDollar))
      #expect(payload.issue == nil)
    }
    #expect(try EANPayload("977031784700105").issue == 5)
    #expect(try EANPayload(utf8: Array("9791090636071".utf8)).isbn != nil)
  }

  @Test func formsOfShortNumbers() throws {
    #expect(try EANPayload("036000291452").form == .upcA)
    #expect(try EANPayload("96385074").form == .ean8)
    #expect(try EANPayload("03600029145290000").addOn?.meaning == .noPrice)
  }

  @Test(arguments: [
    ("9780306406158", ISBNError.wrongCheckDigit(found: "8", expected: "7")),
    ("96385075", .wrongCheckDigit(found: "5", expected: "4")),
    ("97803064061575149", .wrongCheckDigit(found: "5", expected: "2")),
    ("", .empty),
    ("123", .wrongLength(found: 3, expected: [8, 12, 13, 15, 18])),
    ("1234567890123456789012", .wrongLength(found: 22, expected: [8, 12, 13, 15, 18])),
    ("97803064061A7", .unexpectedCharacter("A", position: 11)),
    ("030640615X", .wrongLength(found: 10, expected: [8, 12, 13, 15, 18])),
  ])
  func errors(text: String, error: ISBNError) {
    #expect(throws: error) { try EANPayload(text) }
  }

  @Test(arguments: [
    (51495, PriceAddOn.Meaning.price(minorUnits: 1495, currency: .usDollar)),
    (59999, .priceAbove(minorUnits: 9999, currency: .usDollar)),
    (799, .price(minorUnits: 799, currency: .poundSterling)),
    (10799, .price(minorUnits: 799, currency: .poundSterling)),
    (31250, .price(minorUnits: 1250, currency: .australianDollar)),
    (41250, .price(minorUnits: 1250, currency: .newZealandDollar)),
    (61250, .price(minorUnits: 1250, currency: .canadianDollar)),
    (21250, .unassigned),
    (71250, .unassigned),
    (90000, .noPrice),
    (90001, .internalUse),
    (98999, .internalUse),
    (99000, .unassigned),
    (99990, .usedCopy),
    (99991, .complimentaryCopy),
    (99999, .unassigned),
  ])
  func addOns(value: Int, meaning: PriceAddOn.Meaning) throws {
    let addOn = try #require(PriceAddOn(value: value))
    #expect(addOn.meaning == meaning)
    #expect(try PriceAddOn(addOn.description) == addOn)
    #expect(addOn.description.count == 5)
  }

  @Test func addOnsOutOfRange() {
    #expect(PriceAddOn(value: -1) == nil)
    #expect(PriceAddOn(value: 100_000) == nil)
    #expect(throws: ISBNError.wrongLength(found: 4, expected: [5])) { try PriceAddOn("5149") }
  }

  @Test func parityOfAddOns() throws {
    // 5*3 + 2*9 + 4*3 + 9*9 + 5*3 = 141.
    #expect(try PriceAddOn("52495").parityChecksum == 1)
    #expect(try PriceAddOn("00000").parityChecksum == 0)
    #expect(PriceAddOn.Currency.usDollar.code == "USD")
  }
}
