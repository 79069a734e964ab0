/// What fields of comma-separated values say to spreadsheets and terminals.
package enum CSVText {
  /// A text that no spreadsheet takes for a formula, and that acts on no terminal.
  ///
  /// If it begins as a formula, an apostrophe goes before it, which spreadsheets take for the sign
  /// of a text.
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

  /// A path of the same file that no spreadsheet takes for a formula.
  ///
  /// Spreadsheets compute what begins with one of a few signs, and file names come from elsewhere.
  /// `./` in front names the same file, where a quotation mark in front would name another.
  ///
  /// Characters that would act on a terminal are written as escapes, as ``PrintableText`` has them,
  /// except tabs and ends of lines, which a field in quotes may hold.
  package static func fileName(_ path: String) -> String {
    guard let first = path.unicodeScalars.first else { return path }
    let isFormula = formulaSigns.contains(first)
    return PrintableText.of(isFormula ? "./" + path : path, keeping: "\t\r\n")
  }
}
