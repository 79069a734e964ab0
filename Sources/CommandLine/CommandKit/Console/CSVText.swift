/// Fields of comma-separated values that are safe in spreadsheets and terminals.
package enum CSVText {
  /// A text that spreadsheets do not take for a formula, and that does not act on a terminal.
  ///
  /// If it begins like a formula, an apostrophe is put before it, which marks a text in
  /// spreadsheets.
  package static func text(_ text: String) -> String {
    guard let first = text.unicodeScalars.first else { return text }
    let isFormula = formulaSigns.contains(first) && !isNumber(text)
    return PrintableText.of(isFormula ? "'" + text : text, keeping: "\t\r\n")
  }

  /// Whether a text is a plain number, such as a negative one.
  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { "+-.0123456789".utf8.contains($0) } && Double(text) != nil
  }

  private static let formulaSigns = "=+-@\t\r\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars

  /// A path of the same file that spreadsheets do not take for a formula.
  ///
  /// Spreadsheets compute fields that begin with one of a few characters, and file names are not
  /// trusted. `./` in front names the same file, but a quotation mark in front would name another.
  ///
  /// Characters that would act on a terminal are written as escapes, as in ``PrintableText``,
  /// except tabs and ends of lines, which a quoted field may contain.
  package static func fileName(_ path: String) -> String {
    guard let first = path.unicodeScalars.first else { return path }
    let isFormula = formulaSigns.contains(first)
    return PrintableText.of(isFormula ? "./" + path : path, keeping: "\t\r\n")
  }
}
