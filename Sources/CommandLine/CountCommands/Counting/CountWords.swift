import CommandKit
import CountReport
import Counting

/// A count in words: numbers, without words of confidence.
enum CountWords {
  /// The text `24 objects (23 to 26)`.
  ///
  /// Without an interval, or with one that has only the count, it is `24 objects`.
  static func count(_ result: CountingResult) -> String {
    Sentence.count(result.count, "object", "objects") + interval(of: result)
  }

  /// The same, but `no objects` for 0; a person's number comes before the machine's.
  static func headline(_ result: CountingResult, corrected: CorrectedCount? = nil) -> String {
    if let corrected {
      return Sentence.count(corrected.count, "object", "objects")
        + ", corrected by a person (the machine counted \(result.count))"
    }
    return result.count > 0 ? count(result) : "no objects" + interval(of: result)
  }

  private static func interval(of result: CountingResult) -> String {
    guard let confidence = result.confidence,
      confidence.least != result.count || confidence.greatest != result.count
    else { return "" }
    return " (\(confidence.least) to \(confidence.greatest))"
  }

  /// The probabilities: `0.82 that the count is right to 5 %, 0.9 that it is 23 to 26`.
  static func chance(_ confidence: CountConfidence) -> String {
    let numbers =
      confidence.least == confidence.greatest
      ? "\(confidence.least)" : "\(confidence.least) to \(confidence.greatest)"
    // No count is certain, and rounding must not make it so.
    let value =
      confidence.value >= 0.995
      ? "over 0.99"
      : confidence.value < 0.005
        ? "under 0.01" : NumberText.fixed(confidence.value, digits: 2)
    return "\(value) that the count is right to 5 %, 0.9 that it is \(numbers)"
  }

  /// The other divisions of the objects into kinds: `5 kinds: 11, 5, 3, 1, 1`; empty if there are
  /// none.
  static func otherKinds(_ result: CountingResult) -> [String] {
    guard let readings = result.kindsAt else { return [] }
    let taken = result.clusterSizes.values.sorted(by: >)
    let others = [readings.coarser, readings.finer] + readings.ties
    return others.map(\.sizes).filter { $0 != taken }.map { sizes in
      "\(Sentence.count(sizes.count, "kind", "kinds")): "
        + sizes.map(String.init).joined(separator: ", ")
    }
  }

  /// The note for a drawn box without an object; nil if it has one.
  static func note(on exemplar: ExemplarFinding) -> String? {
    guard exemplar.basis == .drawing else { return nil }
    return "the box \(PhotoGuide.text(of: exemplar.drawn)) has no object that the detector sees; "
      + (exemplar.isLike
        ? "what looks like its pixels was looked for, and the box counts only if something does"
        : "what looks like its pixels was left out")
  }
}
