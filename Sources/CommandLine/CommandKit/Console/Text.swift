import Foundation

/// Text made safe for one line of a terminal.
package enum PrintableText {
  /// `text` with line ends, tabs, other control characters and invisible marks written as escapes.
  ///
  /// File and tensor names are not trusted: they must not break the rule of one line per error, or
  /// send escape sequences to a terminal.
  package static func of(_ text: String) -> String { of(text, keeping: "") }

  /// The same, except the characters `kept`.
  static func of(_ text: String, keeping kept: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where kept.unicodeScalars.contains(scalar): result.unicodeScalars.append(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isHidden(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a character is invisible and changes other text.
  ///
  /// These are control characters, ends of lines, marks that reorder letters, and spaces without
  /// width, with which a name could pass for another. The two joiners, U+200C and U+200D, are not
  /// among them: Persian, Hindi and emoji are spelt with them.
  static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return scalar.value != 0x200C && scalar.value != 0x200D
    default: return false
    }
  }
}

/// Numbers as text.
package enum NumberText {
  /// The fewest digits that read back as the same number, never in scientific notation.
  package static func of(_ value: Double) -> String { plain(value.description) }

  /// The fewest digits that read back as the same number, never in scientific notation.
  package static func of(_ value: Float) -> String { plain(value.description) }

  /// `value` with exactly `digits` digits after the point.
  package static func fixed(_ value: Double, digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }

  /// Expands `1.5e-07` and drops the `.0` of whole numbers.
  private static func plain(_ description: String) -> String {
    let parts = description.split(separator: "e")
    guard let mantissa = parts.first else { return description }
    let isNegative = mantissa.hasPrefix("-")
    let halves = mantissa.drop { $0 == "-" }.split(separator: ".")
    let whole = String(halves.first ?? "0")
    var fraction = halves.count > 1 ? String(halves[1]) : ""
    if fraction == "0" { fraction = "" }

    var digits = whole + fraction
    var point = whole.count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    if point < 1 {
      digits = String(repeating: "0", count: 1 - point) + digits
      point = 1
    }
    if point > digits.count { digits += String(repeating: "0", count: point - digits.count) }
    let text = digits.prefix(point) + (point < digits.count ? "." + digits.dropFirst(point) : "")
    return (isNegative ? "-" : "") + text
  }
}

/// Words joined as in a sentence.
package enum Sentence {
  /// `a, b or c`.
  package static func either(_ words: [String]) -> String { list(words, last: "or") }

  /// `a, b and c`.
  package static func all(_ words: [String]) -> String { list(words, last: "and") }

  /// `1 tartlet`, `2 tartlets`.
  package static func count(_ number: Int, _ singular: String, _ plural: String) -> String {
    "\(number) \(number == 1 ? singular : plural)"
  }

  private static func list(_ words: [String], last conjunction: String) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
  }
}
