import Foundation

/// Numbers in the page's format.
enum Number {
  /// A number for people: `digits` after the point, groups of thousands; words if it is not finite.
  static func text(_ value: Double, digits: Int = 0) -> String {
    guard value.isFinite else { return value.isNaN ? "not a number" : "infinite" }
    guard value.magnitude < 1e15 else { return String(format: "%.3g", value) }
    let plain = String(format: "%.\(digits)f", value.magnitude)
    let parts = plain.split(separator: ".")
    var grouped = ""
    let whole = parts.first ?? "0"
    for (place, digit) in whole.enumerated() {
      // A space that does not break a line and cannot be read as a decimal comma.
      if place > 0, (whole.count - place) % 3 == 0, whole.count > 4 { grouped += "\u{202F}" }
      grouped.append(digit)
    }
    let isZero = !plain.contains { $0 != "0" && $0 != "." }
    return (value < 0 && !isZero ? "\u{2212}" : "") + grouped
      + (parts.count > 1 ? ".\(parts[1])" : "")
  }

  /// A number with up to three significant digits, for people.
  static func short(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return text(value) }
    let digits = min(max(2 - Int(log10(value.magnitude).rounded(.down)), 0), 6)
    var written = text(value, digits: digits)
    if digits > 0 {
      while written.hasSuffix("0") { written.removeLast() }
      if written.hasSuffix(".") { written.removeLast() }
    }
    return written
  }

  /// A number with its noun: `1 box`, `2 boxes`.
  static func of(_ count: Int, _ singular: String, _ plural: String) -> String {
    "\(text(Double(count))) \(count == 1 ? singular : plural)"
  }

  /// A coordinate for a drawing, to a tenth of its unit; 0 if it is not a number.
  static func place(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e9 else { return "0" }
    let rounded = (value * 10).rounded() / 10
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
