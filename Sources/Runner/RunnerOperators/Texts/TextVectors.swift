import Foundation
import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// What makes numbers of texts.
  package static let textVectors: [Operator] = [
    Operator(
      "TfIdfVectorizer", versions: [9], inputs: 1...1,
      types: ElementTypes([.int32, .int64, .string]),
      attributes: [
        "max_gram_length": .int, "max_skip_count": .int, "min_gram_length": .int, "mode": .string,
        "ngram_counts": .ints, "ngram_indexes": .ints, "pool_int64s": .ints,
        "pool_strings": .strings, "weights": .floats,
      ],
      shape: .gramCounts
    ) { try TermFrequencies($0) },
    Operator(
      "RegexFullMatch", versions: [20], inputs: 1...1, types: ElementTypes([.string]),
      attributes: ["pattern": .string],
      shape: ShapeRule { [ValueFact(.bool, try $0.shape(0))] },
      limits:
        "By ICU's rules through Foundation, which know more than RE2's; a pattern may take long."
    ) { try RegexFullMatch($0) },
  ]
}

extension ShapeRule {
  fileprivate static let gramCounts = ShapeRule { query in
    let (input, width) = (try query.shape(0), try TermFrequencies(query.info).width)
    guard input.count == 1 || input.count == 2 else { throw ShapeQuery.Unknown() }
    return [ValueFact(.float32, input.dropLast() + [width])]
  }
}

/// How often runs of terms occur, each perhaps weighted (Jones, "A statistical interpretation of term
/// specificity", 1972).
private struct TermFrequencies: Kernel {
  private struct Gram {
    let output: Int
    let weight: Float
  }

  /// How many numbers there are for each text.
  let width: Int
  private let lengths: ClosedRange<Int>
  private let mostSkipped: Int
  private let mode: String
  private let grams: [[Int64]: Gram]
  /// Numbers for the terms that are texts.
  private let terms: [String: Int64]?

  init(_ node: NodeInfo) throws {
    let least = try node.int("min_gram_length", default: 1)
    let most = try node.int("max_gram_length", default: 1)
    mostSkipped = try node.int("max_skip_count", default: 0)
    mode = try node.string("mode", default: "TF")
    let counts = try node.ints("ngram_counts") ?? []
    let indexes = try node.ints("ngram_indexes") ?? []
    let numbers = try node.ints("pool_int64s")
    let texts = try node.strings("pool_strings")
    let weights = try node.floats("weights")
    guard least >= 1, most >= least, most <= 1 << 16, mostSkipped >= 0,
      mostSkipped <= 1 << 20, ["TF", "IDF", "TFIDF"].contains(mode)
    else {
      throw node.failure(
        "runs of \(least) to \(most) terms with up to \(mostSkipped) skipped, mode '\(mode)'")
    }
    lengths = least...most
    var pool = (numbers ?? []).map { Int64($0) }
    if let texts {
      guard numbers == nil else {
        throw node.failure("pool_int64s and pool_strings are both given")
      }
      var terms: [String: Int64] = [:]
      for text in texts where terms[text] == nil { terms[text] = Int64(terms.count) }
      pool = texts.map { terms[$0] ?? 0 }
      self.terms = terms
    } else {
      terms = nil
    }
    guard let first = counts.first, first == 0,
      zip(counts, counts.dropFirst()).allSatisfy({ $0 <= $1 }),
      counts.last ?? 0 <= pool.count, counts.count >= most,
      indexes.allSatisfy({ $0 >= 0 && $0 < 1 << 28 }),
      weights?.count ?? indexes.count == indexes.count
    else {
      throw node.failure(
        "ngram_counts \(counts) of a pool of \(pool.count), \(indexes.count) indexes and "
          + "\(weights?.count ?? 0) weights")
    }
    grams = try Self.grams(of: pool, counts, indexes, weights, in: node)
    width = (indexes.max() ?? -1) + 1
  }

  /// The runs of the pool: those of one term from the first of `counts` on, of two from the second.
  private static func grams(
    of pool: [Int64], _ counts: [Int], _ indexes: [Int], _ weights: [Float]?, in node: NodeInfo
  ) throws -> [[Int64]: Gram] {
    var grams: [[Int64]: Gram] = [:]
    var number = 0
    for (place, start) in counts.enumerated() {
      let end = place + 1 < counts.count ? counts[place + 1] : pool.count
      let length = place + 1
      guard (end - start) % length == 0 else {
        throw node.failure("\(end - start) terms do not divide into runs of \(length)")
      }
      for offset in stride(from: start, to: end, by: length) {
        guard number < indexes.count else { throw node.failure("there are too few ngram_indexes") }
        let gram = Array(pool[offset..<offset + length])
        grams[gram] = Gram(output: indexes[number], weight: weights?[number] ?? 1)
        number += 1
      }
    }
    return grams
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.rank == 1 || input.rank == 2, let columns = input.shape.last else {
      throw context.failure("the input has shape \(input.shape), expected [C] or [N, C]")
    }
    var values: [Int64?]
    switch (input.elementType, terms) {
    case (.string, let terms?): values = try input.strings().map { terms[$0] }
    case (.int32, nil), (.int64, nil):
      values = try context.converted(input, to: .int64).array(of: Int64.self)
    default: throw context.failure("elements are \(input.elementType), the pool's are others")
    }
    let output = try context.allocate(.float32, input.shape.dropLast() + [width])
    let to = output.mutablePointer(to: Float.self)
    to.update(repeating: 0, count: output.count)
    let rows = input.rank == 1 ? 1 : input.shape[0]
    for row in 0..<rows where columns > 0 {
      let text = Array(values[row * columns..<(row + 1) * columns])
      for length in lengths where length <= columns {
        for skipped in 0...(length == 1 ? 0 : mostSkipped) {
          try context.checkCancellation()
          // Terms of a run lie this far apart.
          let step = skipped + 1
          let reach = (length - 1) * step
          guard reach < columns else { break }
          for start in 0..<columns - reach {
            count(text, start, length, step, into: to + row * width)
          }
        }
      }
    }
    return [output]
  }

  private func count(
    _ text: [Int64?], _ start: Int, _ length: Int, _ step: Int,
    into counts: UnsafeMutablePointer<Float>
  ) {
    var run: [Int64] = []
    for index in 0..<length {
      guard let term = text[start + index * step] else { return }
      run.append(term)
    }
    guard let gram = grams[run] else { return }
    switch mode {
    case "TF": counts[gram.output] += 1
    case "IDF": counts[gram.output] = gram.weight
    default: counts[gram.output] += gram.weight
    }
  }
}

/// Whether a pattern matches a whole text.
private struct RegexFullMatch: Kernel {
  private let pattern: String

  init(_ node: NodeInfo) throws {
    pattern = try node.string("pattern", default: "")
    do {
      _ = try Self.expression(pattern)
    } catch {
      throw node.failure("'\(pattern)' is not a regular expression that is known here")
    }
  }

  private static func expression(_ pattern: String) throws -> NSRegularExpression {
    // A text is matched whole, whichever alternative that takes.
    try NSRegularExpression(pattern: "\\A(?:" + pattern + ")\\z")
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard let expression = try? Self.expression(pattern) else {
      throw context.failure("'\(pattern)' is not a regular expression")
    }
    let matches = try input.strings().map { text -> Bool in
      try context.checkCancellation()
      var isMatch = false
      // The block is called now and then while a match is looked for.
      expression.enumerateMatches(
        in: text, options: [.reportProgress, .reportCompletion],
        range: NSRange(text.startIndex..., in: text)
      ) { result, _, stop in
        if result != nil { isMatch = true }
        if isMatch || context.isCancelled?() == true { stop.pointee = true }
      }
      return isMatch
    }
    try context.checkCancellation()
    return [try Tensor(shape: input.shape, matches)]
  }
}
