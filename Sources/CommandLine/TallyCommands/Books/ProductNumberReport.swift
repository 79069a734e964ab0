import CommandKit
import ISBN

/// The facts about one code of a kind other than ISBN, as text for people and as JSON for machines.
struct ProductNumberReport {
  /// The code as it was given.
  let code: String
  let kind: ProductNumberKind

  private let result: Result<ProductNumber, ProductNumberError>

  init(code: String, kind: ProductNumberKind) {
    self.code = code
    self.kind = kind
    result = Result { () throws(ProductNumberError) in try ProductNumber(code, as: kind) }
  }

  /// The report of a code that may be of any kind; nil if it is a valid ISBN or of no kind.
  init?(ofAnyKind code: String) {
    guard (try? AnyISBN(code)) == nil, let number = try? ProductNumber(code, as: .any) else {
      return nil
    }
    self.code = code
    kind = .any
    result = .success(number)
  }

  /// The error line's text if the code is not of the kind, nil if it is.
  var failure: CommandError? {
    guard case .failure(let error) = result else { return nil }
    return CommandError(.badData, at: ISBNReport.shortened(code), "\(error)")
  }

  /// One object; what does not apply is `null`.
  var json: JSONText {
    let code = ("code", JSONText.string(code))
    switch result {
    case .success(let number):
      return .object([code] + number.members)
    case .failure(let error):
      return .object([
        code, ("valid", .bool(false)), ("kind", .string(kind.rawValue)), ("number", .null),
        ("rule", .string(error.rule)),
        ("expectedCheckDigit", .optional(error.expectedCheckDigit) { .string(String($0)) }),
        ("message", .string("\(error)")),
      ])
    }
  }

  /// One line, for one of many codes that is valid.
  var line: String {
    guard case .success(let number) = result else { return "" }
    return ([headline(number), number.printed] + number.facts.map { "\($0.label) \($0.text)" })
      .joined(separator: ", ")
  }

  /// A paragraph, for a single code that is valid; none otherwise.
  var lines: [String] {
    guard case .success(let number) = result else { return [] }
    var report = ReportText()
    report.add(number.title, number.printed)
    for fact in number.facts { report.add(fact.label, fact.text) }
    return [headline(number)] + report.lines
  }

  private func headline(_ number: ProductNumber) -> String {
    "\(PrintableText.of(code)): valid \(number.title)"
  }
}
