import Foundation

/// The names of a classifier's classes, in the order of its outputs.
///
/// It reads these formats:
///
/// - JSON or Python, a list: `["cat", "dog"]`, `['cat', 'dog']`;
/// - JSON or Python, an object by number: `{"0": "cat", "1": "dog"}`, `{0: 'cat', 1: 'dog'}`. The
///   numbers must go from 0 to the last without a gap. If a class has a list of names, as in
///   Keras's `{"0": ["n01440764", "tench"]}`, the last one is used;
/// - an object by name: `{"cat": 0, "dog": 1}`;
/// - an object with one of these under `names`, `classes`, `labels` or `id2label`;
/// - lines: one name each; empty lines at the end do not count.
///
/// A text that begins with `[` or `{` is one of the first, any other text is lines. An empty name
/// becomes `class 7`, by its number.
public struct ClassLabels: Hashable, Sendable {
  /// The most bytes of a text that is read: 16 MiB.
  public static let largestText = 1 << 24
  /// The most bytes of one name.
  public static let largestName = 4096
  /// The most classes.
  public static let largestCount = 1_000_000

  /// The metadata keys for names, in the order of search.
  ///
  /// Ultralytics writes `names`, RapidAI's exports of Paddle's networks `character`.
  static let metadataKeys = ["names", "classes", "labels", "character"]

  /// The names, by class.
  public let names: [String]

  /// Takes names as they are; those that are empty become `class 7`.
  ///
  /// - Throws: ``ClassLabelsError``.
  public init(_ names: [String]) throws(ClassLabelsError) {
    guard !names.isEmpty else { throw .noNames }
    guard names.count <= Self.largestCount else { throw .tooMany }
    var result: [String] = []
    result.reserveCapacity(names.count)
    for (index, name) in names.enumerated() {
      guard name.utf8.count <= Self.largestName else {
        throw .nameTooLong(index: index, bytes: name.utf8.count)
      }
      let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
      result.append(trimmed.isEmpty ? Self.numbered(index) : trimmed)
    }
    self.names = result
  }

  /// Reads a text.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  /// - Throws: ``ClassLabelsError``.
  public init(text: String) throws(ClassLabelsError) {
    guard text.utf8.count <= Self.largestText else { throw .tooLarge(bytes: text.utf8.count) }
    // A mark of the byte order is not a part of the first name.
    let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    let first = text.utf8.first { !LiteralParser.isSpace($0) }
    if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
      var parser = LiteralParser(text)
      try self.init(Self.names(of: try parser.parse()))
      return
    }
    var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    guard !lines.contains(where: { $0.unicodeScalars.contains("\0") }) else { throw .notText }
    try self.init(lines.map(String.init))
  }

  /// Reads the bytes of a file: UTF-8.
  ///
  /// - Throws: ``ClassLabelsError``.
  public init(data: Data) throws(ClassLabelsError) {
    guard data.count <= Self.largestText else { throw .tooLarge(bytes: data.count) }
    guard let text = String(data: data, encoding: .utf8) else { throw .notText }
    try self.init(text: text)
  }

  /// The name of a class of which only the number is known.
  static func numbered(_ index: Int) -> String { "class \(index)" }

  /// The names in what a list or an object says.
  private static func names(of value: Literal) throws(ClassLabelsError) -> [String] {
    switch value {
    case .list(let values):
      return try values.enumerated().map { (index, value) throws(ClassLabelsError) in
        try name(of: value, index: index)
      }
    case .object(let members):
      for key in ["names", "classes", "labels", "id2label"] {
        if let inner = members.first(where: { $0.key == key })?.value, inner.isCollection {
          return try names(of: inner)
        }
      }
      return try byNumber(members)
    case .text, .number: throw .noNames
    }
  }

  private static func byNumber(
    _ members: [LiteralMember]
  ) throws(ClassLabelsError) -> [String] {
    var names = [String?](repeating: nil, count: members.count)
    for member in members {
      let (key, value) = (member.key, member.value)
      let index: Int
      let name: String
      if let number = Int(key) {
        (index, name) = (number, try Self.name(of: value, index: number))
      } else if case .number(let text) = value, let number = Int(text) {
        (index, name) = (number, key)
      } else {
        throw .notNumbered(key: String(key.prefix(60)))
      }
      guard names.indices.contains(index) else {
        throw .gap(index: index, count: members.count)
      }
      guard names[index] == nil else { throw .twice(index: index) }
      names[index] = name
    }
    // As many numbers as places, each once and in range: none is missing.
    return names.compactMap(\.self)
  }

  private static func name(of value: Literal, index: Int) throws(ClassLabelsError) -> String {
    switch value {
    case .text(let text), .number(let text): return text
    case .list(let values):
      guard let last = values.last, case .text(let text) = last else { throw .noName(index: index) }
      return text
    case .object: throw .noName(index: index)
    }
  }
}

/// Why a text names no classes.
public enum ClassLabelsError: Error, Equatable, CustomStringConvertible {
  /// The text is larger than ``ClassLabels/largestText``.
  case tooLarge(bytes: Int)
  /// The bytes are not UTF-8, or hold a zero.
  case notText
  /// It has no name.
  case noNames
  /// There are more names than ``ClassLabels/largestCount``.
  case tooMany
  /// A name is longer than ``ClassLabels/largestName``.
  case nameTooLong(index: Int, bytes: Int)
  /// A list or object breaks off or is written wrongly, at a byte.
  case syntax(offset: Int, reason: String)
  /// A class has something other than a name.
  case noName(index: Int)
  /// Neither a key of an object nor its value is a number.
  case notNumbered(key: String)
  /// A number is too large for the number of classes.
  case gap(index: Int, count: Int)
  /// A number is given twice.
  case twice(index: Int)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .tooLarge(let bytes):
      "labels of \(bytes) bytes; at most \(ClassLabels.largestText) are read"
    case .notText: "these labels are not text; they must be UTF-8"
    case .noNames: "there are no labels in it; there must be one for each class"
    case .tooMany: "there are more than \(ClassLabels.largestCount) labels"
    case .nameTooLong(let index, let bytes):
      "label \(index) has \(bytes) bytes; it must have at most \(ClassLabels.largestName)"
    case .syntax(let offset, let reason): "labels, byte \(offset): \(reason)"
    case .noName(let index): "class \(index) has no text for its label"
    case .notNumbered(let key):
      "'\(key)' stands beside no number of a class; labels are a list, or an object by number"
    case .gap(let index, let count):
      "class \(index) is named, and there are \(count) labels; they must go from 0 to \(count - 1)"
    case .twice(let index): "class \(index) is named twice"
    }
  }
}
