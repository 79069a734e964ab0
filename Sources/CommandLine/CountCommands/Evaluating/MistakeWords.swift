import CommandKit
import Evaluation

extension CountMistakes.Kind {
  /// Its name in tables.
  var words: String {
    switch self {
    case .part: "part"
    case .merged: "merged"
    case .duplicate: "duplicate"
    case .loose: "loose"
    case .nothing: "on nothing"
    case .missed: "missed"
    case .splitKind: "split kind"
    case .mixedKind: "mixed kind"
    }
  }
}

extension EvaluatedPhoto {
  /// The mistakes in words, such as `3 missed, 1 part`, most first; empty if there are none.
  ///
  /// If only the objects' centres are known, a box is right or on no object.
  var mistakesInWords: String {
    guard let mistakes else {
      let parts = [
        (mainScore?.falseNegatives ?? 0, "missed"), (mainScore?.falsePositives ?? 0, "wrong"),
      ]
      return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
    return CountMistakes.Kind.allCases.map { ($0, mistakes.count(of: $0)) }
      .filter { $0.1 > 0 }
      .sorted { $0.1 > $1.1 }
      .map { "\($0.1) \($0.0.words)" }.joined(separator: ", ")
  }
}

extension [EvaluatedPhoto] {
  /// The total number of mistakes of each kind, in the order of the kinds.
  var mistakeSums: [Int] {
    CountMistakes.Kind.allCases.map { kind in
      reduce(0) { $0 + ($1.mistakes?.count(of: kind) ?? 0) }
    }
  }
}
