/// Comma-separated values by RFC 4180.
package enum CSVText {
  /// One record with its line end.
  static func record(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\r\n"
  }

  /// A field, in quotes where it needs them, and where a reader that splits elsewhere would need them.
  private static func field(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { #"",;"#.utf8.contains($0) || $0 < 0x20 }
    guard needsQuotes else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// A text that no spreadsheet takes for a formula, and that acts on no terminal.
  ///
  /// If it begins as a formula, an apostrophe goes before it, which spreadsheets take for the sign of a text.
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
  /// Characters that would act on a terminal are written as escapes, as ``PrintableText`` has them, but for
  /// tabs and ends of lines, which a field in quotes may hold.
  package static func fileName(_ path: String) -> String {
    guard let first = path.unicodeScalars.first else { return path }
    let isFormula = formulaSigns.contains(first)
    return PrintableText.of(isFormula ? "./" + path : path, keeping: "\t\r\n")
  }
}

/// Takes records apart as their bytes come in.
struct CSVScanner {
  /// The fields of a record that ended with the byte taken last; nil where none did.
  private(set) var fields: [[UInt8]] = []
  private var field: [UInt8] = []
  private var isQuoted = false
  private var wasQuote = false
  private var wasReturn = false

  /// Takes a byte, and says whether a record ends with it: ``fields`` then has it until the next byte.
  mutating func take(_ byte: UInt8) -> Bool {
    if wasReturn, byte == UInt8(ascii: "\n") {
      wasReturn = false
      fields.append(field)
      field = []
      return true
    }
    if wasReturn { field.append(UInt8(ascii: "\r")) }
    wasReturn = false
    switch byte {
    case UInt8(ascii: "\""):
      // Of two quotation marks within quotes the second is meant.
      if isQuoted == false, wasQuote { field.append(byte) }
      isQuoted.toggle()
      wasQuote = !isQuoted
      return false
    case UInt8(ascii: ",") where !isQuoted:
      fields.append(field)
      field = []
    case UInt8(ascii: "\r") where !isQuoted: wasReturn = true
    default: field.append(byte)
    }
    wasQuote = false
    return false
  }

  /// Forgets the record that was taken apart.
  mutating func clear() { fields = [] }
}
