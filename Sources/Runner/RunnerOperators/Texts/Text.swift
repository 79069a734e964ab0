import Foundation
import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// What works on text.
  package static let text: [Operator] = [
    Operator(
      "StringNormalizer", versions: [10], inputs: 1...1, types: ElementTypes([.string]),
      attributes: [
        "case_change_action": .string, "is_case_sensitive": .int, "stopwords": .strings,
      ],
      shape: .dependsOnData, limits: "Letters change case without regard to `locale`."
    ) {
      try StringNormalizer($0)
    },
    Operator(
      "StringConcat", versions: [20], inputs: 2...2, types: ElementTypes([.string]),
      shape: .broadcast
    ) { _ in StringConcat() },
    Operator(
      "StringSplit", versions: [20], inputs: 1...1, outputs: 2...2, types: ElementTypes([.string]),
      attributes: ["delimiter": .string, "maxsplit": .int], shape: .dependsOnData
    ) {
      try StringSplit($0)
    },
  ]
}

/// Words without those that are to be left out, in one case.
///
/// Letters change case as they do without a language of their own, whatever `locale` says.
private struct StringNormalizer: Kernel {
  private let lowers: Bool
  private let raises: Bool
  private let isCaseSensitive: Bool
  private let stopWords: Set<String>

  init(_ node: NodeInfo) throws {
    let action = try node.string("case_change_action", default: "NONE")
    guard ["LOWER", "UPPER", "NONE"].contains(action) else {
      throw node.failure("case_change_action is '\(action)', expected LOWER, UPPER or NONE")
    }
    lowers = action == "LOWER"
    raises = action == "UPPER"
    isCaseSensitive = try node.flag("is_case_sensitive")
    let words = try node.strings("stopwords") ?? []
    stopWords = Set(isCaseSensitive ? words : words.map { $0.lowercased() })
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.rank == 1 || input.rank == 2 && input.shape[0] == 1 else {
      throw context.failure("the input has shape \(input.shape), expected [C] or [1, C]")
    }
    var words = try input.strings().filter {
      !stopWords.contains(isCaseSensitive ? $0 : $0.lowercased())
    }
    if lowers { words = words.map { $0.lowercased() } }
    if raises { words = words.map { $0.uppercased() } }
    if words.isEmpty { words = [""] }
    return [try Tensor(shape: (input.rank == 2 ? [1] : []) + [words.count], strings: words)]
  }
}

/// Two texts, one after the other, broadcast.
private struct StringConcat: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let tensors = [try context.input(0, of: inputs), try context.input(1, of: inputs)]
    let first = try tensors[0].strings()
    let second = try tensors[1].strings()
    let shape = try context.broadcastShape(tensors)
    try context.checkRoom(forCount: try Tensor.elementCount(of: shape))
    let layout = context.layout(shape, broadcasting: tensors)
    var result: [String] = []
    layout.forEachRow(in: 0..<layout.rowCount) { _, starts in
      for index in 0..<layout.rowLength {
        let places = starts &+ layout.rowStep &* index
        result.append(first[places[1]] + second[places[2]])
      }
    }
    return [try Tensor(shape: shape, strings: result)]
  }
}

/// The parts of each text between delimiters, and how many there are.
private struct StringSplit: Kernel {
  private let delimiter: String
  private let limit: Int?

  init(_ node: NodeInfo) throws {
    delimiter = try node.string("delimiter", default: "")
    limit = try node.int("maxsplit")
    if let limit, limit < 0 { throw node.failure("maxsplit is \(limit)") }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let parts = try input.strings().map(split)
    let width = parts.map(\.count).max() ?? 0
    let (count, overflow) = max(parts.count, 1).multipliedReportingOverflow(by: width)
    try context.checkRoom(forCount: overflow ? .max / 128 : count)
    let padded = parts.flatMap { $0 + [String](repeating: "", count: width - $0.count) }
    return [
      try Tensor(shape: input.shape + [width], strings: padded),
      try Tensor(shape: input.shape, parts.map { Int64($0.count) }),
    ]
  }

  private func split(_ text: String) -> [String] {
    let limit = limit ?? .max
    guard delimiter.isEmpty else {
      var parts: [String] = []
      var rest = text[...]
      while parts.count < limit, let range = rest.range(of: delimiter) {
        parts.append(String(rest[..<range.lowerBound]))
        rest = rest[range.upperBound...]
      }
      return parts + [String(rest)]
    }
    // Without a delimiter, between runs of white space.
    let characters = text.drop { $0.isWhitespace }
    let parts = characters.split(
      maxSplits: limit, omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
    return parts.enumerated().map { index, part in
      index == limit ? String(part.drop { $0.isWhitespace }) : String(part)
    }
  }
}
