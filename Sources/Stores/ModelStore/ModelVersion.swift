/// A version whose order is known: numbers with dots between, as in semantic versioning.
///
/// There may be any number of numbers, so `4`, `2.0` and `2026.11.27.1` are versions; numbers that
/// are missing count as 0. Numbers have any number of digits. A `v` may come first.
///
/// A version with a hyphen comes before the one without it: `2.0-beta.2` before `2.0`. The parts
/// after the hyphen are compared in order: numbers as numbers, and before any text; text by its
/// bytes; fewer parts come first.
///
/// Versions that are equal in this order, such as `2` and `2.0`, are equal.
///
/// Source: Semantic Versioning 2.0.0, section 11.
public struct ModelVersion: Hashable, Sendable, Comparable {
  /// Without zeros in front, and without zeros at the end.
  private let numbers: [Digits]
  /// nil without a hyphen.
  private let early: [Part]?

  /// The version of a text; nil if the text has no such order, for example a digest.
  public init?(_ text: String) {
    var rest = Substring(text)
    if rest.first == "v" { rest = rest.dropFirst() }
    let halves = rest.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    var numbers: [Digits] = []
    for piece in halves[0].split(separator: ".", omittingEmptySubsequences: false) {
      guard let number = Digits(piece) else { return nil }
      numbers.append(number)
    }
    while numbers.last == .zero { numbers.removeLast() }
    self.numbers = numbers
    guard halves.count == 2 else {
      early = nil
      return
    }
    var parts: [Part] = []
    for piece in halves[1].split(separator: ".", omittingEmptySubsequences: false) {
      guard let part = Part(piece) else { return nil }
      parts.append(part)
    }
    early = parts
  }

  /// Whether the first comes before the second.
  public static func < (first: ModelVersion, second: ModelVersion) -> Bool {
    let count = max(first.numbers.count, second.numbers.count)
    for index in 0..<count {
      let one = index < first.numbers.count ? first.numbers[index] : .zero
      let other = index < second.numbers.count ? second.numbers[index] : .zero
      if one != other { return one < other }
    }
    switch (first.early, second.early) {
    case (nil, _): return false
    case (_?, nil): return true
    case (let one?, let other?): return one.lexicographicallyPrecedes(other)
    }
  }

  /// A whole number of any length, without zeros in front.
  private struct Digits: Hashable, Comparable {
    static let zero = Digits(digits: [])
    private let digits: [UInt8]

    private init(digits: [UInt8]) { self.digits = digits }

    init?(_ text: Substring) {
      let bytes = Array(text.utf8)
      guard !bytes.isEmpty,
        bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      digits = Array(bytes.drop { $0 == UInt8(ascii: "0") })
    }

    static func < (first: Digits, second: Digits) -> Bool {
      first.digits.count == second.digits.count
        ? first.digits.lexicographicallyPrecedes(second.digits)
        : first.digits.count < second.digits.count
    }
  }

  /// A part of what follows a hyphen.
  private enum Part: Hashable, Comparable {
    case number(Digits)
    case text([UInt8])

    init?(_ text: Substring) {
      if let number = Digits(text) {
        self = .number(number)
        return
      }
      // Manifests allow nothing else, and other texts may come here too.
      let isWord = text.utf8.allSatisfy {
        $0 < 0x80 && (Character(Unicode.Scalar($0)).isLetter || (0x30...0x39).contains($0))
          || $0 == UInt8(ascii: "-")
      }
      guard !text.isEmpty, isWord else { return nil }
      self = .text(Array(text.utf8))
    }

    static func < (first: Part, second: Part) -> Bool {
      switch (first, second) {
      case (.number(let one), .number(let other)): one < other
      case (.text(let one), .text(let other)): one.lexicographicallyPrecedes(other)
      case (.number, .text): true
      case (.text, .number): false
      }
    }
  }
}
