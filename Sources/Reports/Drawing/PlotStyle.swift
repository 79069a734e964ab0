import CCairo
import Foundation
import Geometry

/// The common style of all plots: colours, letters, numbers.
enum PlotStyle {
  /// The colour of objects without a group, and of frames.
  static let grey = KindStyle(rank: KindStyle.last).color
  /// Grid lines.
  static let pale = Color(red: 218, green: 222, blue: 226)
  /// The background of kept values.
  static let band = Color(red: 214, green: 232, blue: 250)

  /// The font size on a page of this height.
  static func fontSize(forHeight height: Double) -> Double { min(max(height / 32, 9), 28) }

  /// Draws a white background and selects a plain font.
  static func begin(_ canvas: Canvas, width: Double, height: Double) {
    canvas.setColor(.white)
    canvas.fill(Frame(x: 0, y: 0, width: width, height: height))
    cairo_select_font_face(
      canvas.context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
  }

  /// A number with up to three significant digits, for people.
  static func short(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "not a number" : "infinite" }
    guard value != 0 else { return "0" }
    let magnitude = value.magnitude
    guard (1e-4..<1e7).contains(magnitude) else { return String(format: "%.3g", value) }
    let digits = max(2 - Int(floor(log10(magnitude))), 0)
    var text = String(format: "%.\(digits)f", value)
    if digits > 0 {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return text
  }

  /// A number with its noun: `1 box`, `2 boxes`.
  static func count(_ count: Int, _ singular: String, _ plural: String) -> String {
    "\(count) \(count == 1 ? singular : plural)"
  }

  /// Whole numbers from 0 up to `most` at steps of 1, 2 or 5 times a power of ten, at most six.
  static func wholeTicks(to most: Int) -> [Int] {
    let rough = max(Double(most) / 5, 1)
    let power = pow(10, floor(log10(rough)))
    let factor = [1.0, 2, 5, 10].first { $0 * power >= rough } ?? 10
    let step = Int(factor * power)
    return Array(stride(from: 0, through: most, by: step))
  }
}

/// The alignment of a text on its baseline.
enum TextAlignment {
  case left, middle, right
}

extension Canvas {
  /// Writes `text` with its baseline's beginning, middle or end at a point.
  func write(
    _ text: String, x: Double, baseline: Double, size: Double, alignment: TextAlignment
  ) {
    let width = metrics(of: text).width * size
    let left =
      switch alignment {
      case .left: x
      case .middle: x - width / 2
      case .right: x - width
      }
    write(text, x: left, baseline: baseline, size: size)
  }

  /// The lines of a text that are at most `width` wide at that font size; words stay whole.
  func lines(of text: String, width: Double, size: Double) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, metrics(of: "\(last) \(word)").width * size <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
