/// The edits that turn a true sequence into a predicted one: the Levenshtein distance by kinds.
///
/// The distance is unique, but its division into kinds is not: "ab" becomes "ba" with two
/// substitutions, or with an insertion and a deletion. Here it is the one with the most matches,
/// which is the second. Tools that report any division may have more substitutions, and never a
/// different distance.
///
/// Source: Levenshtein, "Binary codes capable of correcting deletions, insertions and reversals",
/// 1966. The distance is found 64 elements at a time, as in Myers, "A fast bit-vector algorithm for
/// approximate string matching based on dynamic programming", 1999. The kinds are found in the band
/// that it leaves, as in Ukkonen, "Algorithms for approximate string matching", 1985.
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
  /// - Complexity: O(*n* *m* / 64 + *n* *d*) for sequences of *n* and *m* elements with a distance
  ///   of *d*, without those at both ends that are equal. Memory: O(*n* + *m*).
  public init<Element: Hashable>(truth: [Element], prediction: [Element]) {
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
    // Small numbers are compared faster than elements, which are compared many times.
    var numbers: [Element: Int] = [:]
    func number(_ element: Element) -> Int {
      if let known = numbers[element] { return known }
      numbers[element] = numbers.count
      return numbers.count - 1
    }
    let isTruthShorter = truth.count <= prediction.count
    let (shorter, longer) = isTruthShorter ? (truth, prediction) : (prediction, truth)
    let edits = Edits(shorter: shorter.map(number), longer: longer.map(number))
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
