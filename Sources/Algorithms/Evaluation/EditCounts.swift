/// The edits that turn a true sequence into a predicted one: the Levenshtein distance by kinds.
///
/// The distance is unique, but its division into kinds is not: "ab" becomes "ba" with two
/// substitutions, or with an insertion and a deletion. Here it is the one with the most matches,
/// which is the second. Tools that report any division may have more substitutions, and never a
/// different distance.
///
/// Source: Levenshtein, "Binary codes capable of correcting deletions, insertions and reversals",
/// 1966; the band is that of Ukkonen, "Algorithms for approximate string matching", 1985.
public struct EditCounts: Hashable, Sendable, Codable {
  /// The number of elements that are right.
  public let matches: Int
  /// The number of true elements that have another one in their place.
  public let substitutions: Int
  /// The number of true elements that are missing in the prediction.
  public let deletions: Int
  /// The number of predicted elements that are not in the truth.
  public let insertions: Int

  /// The number of edits: the Levenshtein distance.
  public var distance: Int {
    DetectionScore.sum(DetectionScore.sum(substitutions, deletions), insertions)
  }

  /// The number of true elements.
  public var truthCount: Int {
    DetectionScore.sum(DetectionScore.sum(matches, substitutions), deletions)
  }

  /// The number of predicted elements.
  public var predictionCount: Int {
    DetectionScore.sum(DetectionScore.sum(matches, substitutions), insertions)
  }

  /// The edits for each true element, at least 0; nil if there are no true elements.
  ///
  /// It is above 1 if the prediction is much longer than the truth.
  public var rate: Double? { truthCount > 0 ? Double(distance) / Double(truthCount) : nil }

  /// Compares two sequences.
  ///
  /// - Parameters:
  ///   - truth: the true elements.
  ///   - prediction: the predicted elements.
  /// - Complexity: O(*n* *d*) for *n* elements of the longer sequence and a distance of *d*: two
  ///   sequences that are almost equal take little time at any length. O(*n* *m*) in the worst
  ///   case. Memory: O(*m*) for the *m* elements of the shorter sequence.
  public init<Element: Hashable>(truth: [Element], prediction: [Element]) {
    // Numbers are compared faster than elements, which are compared many times.
    var numbers: [Element: Int] = [:]
    func number(_ element: Element) -> Int {
      if let known = numbers[element] { return known }
      numbers[element] = numbers.count
      return numbers.count - 1
    }
    self.init(numberedTruth: truth.map(number), prediction: prediction.map(number))
  }

  /// Compares two sequences of numbers.
  init(numberedTruth truth: [Int], prediction: [Int]) {
    // What both have at their ends matches in one of the best alignments.
    var (truth, prediction) = (truth[...], prediction[...])
    var equal = 0
    while let own = truth.first, own == prediction.first {
      truth.removeFirst()
      prediction.removeFirst()
      equal += 1
    }
    while let own = truth.last, own == prediction.last {
      truth.removeLast()
      prediction.removeLast()
      equal += 1
    }
    let isTruthShorter = truth.count <= prediction.count
    let (shorter, longer) = isTruthShorter ? (truth, prediction) : (prediction, truth)
    let edits = Edits(shorter: Array(shorter), longer: Array(longer))
    matches = equal + shorter.count - edits.substitutions - edits.omissions
    substitutions = edits.substitutions
    deletions = isTruthShorter ? edits.omissions : edits.additions
    insertions = isTruthShorter ? edits.additions : edits.omissions
  }

  /// No elements.
  init() {
    (matches, substitutions, deletions, insertions) = (0, 0, 0, 0)
  }

  private init(matches: Int, substitutions: Int, deletions: Int, insertions: Int) {
    self.matches = matches
    self.substitutions = substitutions
    self.deletions = deletions
    self.insertions = insertions
  }

  /// The edits of two pairs of sequences together.
  ///
  /// Numbers that are too large for an `Int` become the largest.
  public static func + (first: EditCounts, second: EditCounts) -> EditCounts {
    EditCounts(
      matches: DetectionScore.sum(first.matches, second.matches),
      substitutions: DetectionScore.sum(first.substitutions, second.substitutions),
      deletions: DetectionScore.sum(first.deletions, second.deletions),
      insertions: DetectionScore.sum(first.insertions, second.insertions))
  }
}

/// The edits from a shorter to a longer sequence.
private struct Edits {
  let substitutions, omissions, additions: Int

  init(shorter: [Int], longer: [Int]) {
    let excess = longer.count - shorter.count
    guard !shorter.isEmpty else {
      (substitutions, omissions, additions) = (0, 0, excess)
      return
    }
    // One number has both: an edit costs `unit`, and a substitution 1 more. So the least cost has
    // the fewest edits, and of those the fewest substitutions, of which there are less than `unit`.
    let unit = shorter.count + 1
    // No alignment with d edits is more than d elements off the diagonal. A band that is wider than
    // the distance it finds has therefore missed nothing.
    var width = max(excess, 16)
    var cost = Self.cost(shorter, longer, unit: unit, width: width)
    while cost / unit > width, width < longer.count {
      width = min(2 * width, longer.count)
      cost = Self.cost(shorter, longer, unit: unit, width: width)
    }
    let distance = cost / unit
    substitutions = cost % unit
    omissions = (distance - substitutions - excess) / 2
    additions = omissions + excess
  }

  /// The least cost of all alignments that are at most `width` elements off the diagonal.
  private static func cost(
    _ shorter: [Int], _ longer: [Int], unit: Int, width: Int
  ) -> Int {
    // Above every cost, and one more edit of it is still an `Int`.
    let outside = Int.max / 2
    // Entry j is the cost of the first j elements of the shorter one and those before `row`.
    var costs = (0...shorter.count).map { $0 <= width ? $0 * unit : outside }
    for row in 1...longer.count {
      let element = longer[row - 1]
      let first = max(1, row - width)
      let last = min(shorter.count, row + width)
      var diagonal = costs[first - 1]
      costs[first - 1] = first == 1 && row <= width ? row * unit : outside
      for column in first...last {
        let above = costs[column]
        let matched = shorter[column - 1] == element ? diagonal : diagonal + unit + 1
        costs[column] = min(matched, min(above, costs[column - 1]) + unit)
        diagonal = above
      }
    }
    return costs[shorter.count]
  }
}
