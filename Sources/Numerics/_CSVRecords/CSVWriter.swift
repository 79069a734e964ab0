/// Writes tables of comma-separated values (RFC 4180), so that ``CSVReader`` gives the same fields
/// back.
///
/// Only texts with a character of 0 are not read again. What a field means to a spreadsheet or a
/// terminal is the caller's matter.
package enum CSVWriter {
  /// One record with its end; `fields` has at least one.
  package static func record(_ fields: [String], end: String = "\r\n") -> String {
    fields.map(field).joined(separator: ",") + end
  }

  /// A field, in quotation marks if it needs them, or if a reader with another separator would need
  /// them.
  package static func field(_ text: String) -> String {
    let needsMarks =
      text.utf8.contains { #"",;"#.utf8.contains($0) || $0 < 0x20 }
      // At the start of a table it would be taken for a byte order mark.
      || text.unicodeScalars.first == "\u{FEFF}"
    return needsMarks ? quoted(text) : text
  }

  /// A field in quotation marks.
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    // By scalars: a mark with an accent on it is another character, and the same byte.
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
