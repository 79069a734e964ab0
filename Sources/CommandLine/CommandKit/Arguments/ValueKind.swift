import Foundation

/// Converts a typed text to a value, and explains errors.
package struct ValueKind<Value: Sendable>: Sendable {
  /// The placeholder of the value in a help text, such as `FILE`.
  let metavar: String
  /// What the value must be, as the end of the sentence "it must be ...".
  package let expectation: String
  /// The value, or nil if the text is invalid.
  package let parse: @Sendable (String) -> Value?
  /// The words that a choice accepts, for proposing the right one.
  package let choices: [String]
  /// The error in an invalid text, as the end of the sentence "which ..."; nil if there is none to
  /// show.
  let fault: @Sendable (String) -> String?
  /// Whether it names something that the command writes and that remains.
  var isWritten = false

  /// Makes a kind of values.
  package init(
    metavar: String, expectation: String, parse: @escaping @Sendable (String) -> Value?,
    choices: [String] = [], fault: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.metavar = metavar
    self.expectation = expectation
    self.parse = parse
    self.choices = choices
    self.fault = fault
  }
}

extension ValueKind where Value == String {
  /// A path: any text except the empty one.
  package static func path(_ metavar: String) -> ValueKind {
    ValueKind(
      metavar: metavar, expectation: "a path", parse: { $0.isEmpty ? nil : $0 })
  }

  /// The path of the command's output: any text except the empty one.
  package static func outputPath(_ metavar: String) -> ValueKind {
    var kind = path(metavar)
    kind.isWritten = true
    return kind
  }
}

extension ValueKind where Value == Double {
  /// A finite number in `range`, decimal only: no `nan`, no `inf`, no hexadecimal.
  package static func number(_ metavar: String, in range: ClosedRange<Double>) -> ValueKind {
    ValueKind(
      metavar: metavar,
      expectation: "a number from \(NumberText.of(range.lowerBound)) to "
        + NumberText.of(range.upperBound),
      parse: { text in decimal(text).flatMap { range.contains($0) ? $0 : nil } })
  }
}

extension ValueKind where Value == Int {
  /// A whole number in `range`.
  package static func integer(_ metavar: String, in range: ClosedRange<Int>) -> ValueKind {
    ValueKind(
      metavar: metavar,
      expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      parse: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } })
  }
}

extension ValueKind {
  /// One of a few words.
  package static func choice(_ metavar: String, _ options: [(word: String, value: Value)])
    -> ValueKind
  {
    let words = options.map(\.word)
    return ValueKind(
      metavar: metavar, expectation: Sentence.either(words),
      parse: { text in options.first { $0.word == text }?.value }, choices: words)
  }
}

/// A threshold that can be switched off.
package enum Switchable: Equatable, Sendable {
  case off
  case on(Double)
}

extension ValueKind where Value == Switchable {
  /// A number in `range`, or the word `off`.
  package static func numberOrOff(_ metavar: String, in range: ClosedRange<Double>) -> ValueKind {
    let number = ValueKind<Double>.number(metavar, in: range)
    return ValueKind(
      metavar: "\(metavar)|off", expectation: "\(number.expectation), or off",
      parse: { text in text == "off" ? .off : number.parse(text).map(Switchable.on) })
  }
}

extension ValueKind where Value == ClosedRange<Double> {
  /// Two numbers in `bounds` joined by a colon, the lower one first.
  package static func range(_ metavar: String, in bounds: ClosedRange<Double>) -> ValueKind {
    let number = ValueKind<Double>.number(metavar, in: bounds)
    return ValueKind(
      metavar: metavar,
      expectation: "two numbers from \(NumberText.of(bounds.lowerBound)) to "
        + "\(NumberText.of(bounds.upperBound)) with a colon between, the lower one first",
      parse: { text in
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let low = number.parse(String(parts[0])),
          let high = number.parse(String(parts[1])), low <= high
        else { return nil }
        return low...high
      })
  }
}

/// A finite decimal number, or nil.
///
/// `Double.init` alone would accept `nan`, `inf` and `0x1p3`.
private func decimal(_ text: String) -> Double? {
  guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }),
    let value = Double(text), value.isFinite
  else { return nil }
  return value
}
