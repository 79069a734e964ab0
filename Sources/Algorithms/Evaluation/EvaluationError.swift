import Geometry

/// The reason why an evaluation is impossible.
public enum EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The numbers of two sorts of values differ.
  case countMismatch(what: String, expected: Int, got: Int)
  /// A parameter is NaN or outside its range.
  case parameterOutOfRange(name: String, value: Double, range: String)
  /// A coordinate of a box is infinite or NaN.
  case boxIsNotFinite(what: String, index: Int)
  /// The score of the prediction at this index is NaN.
  case scoreIsNotANumber(index: Int)
  /// A true point has a coordinate that is not finite, or a radius that is negative or not finite.
  case invalidPoint(index: Int)
  /// A number of objects is negative.
  case negativeCount(what: String, index: Int, value: Int)
  /// A frame has two boxes with one number.
  case repeatedID(what: String, frame: Int, id: Int)
  /// Two runs have different stages at this index; nil if one has fewer.
  case stageMismatch(index: Int, found: String?, expected: String?)
  /// The ranking of the query at this index has an item twice.
  case repeatedItem(query: Int, item: String)
  /// The relevance of an item for the query at this index is negative or not finite.
  case invalidRelevance(query: Int, item: String, value: Double)

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .countMismatch(let what, let expected, let got):
      "\(got) \(what) where \(expected) are needed"
    case .parameterOutOfRange(let name, let value, let range):
      "\(name) is \(value); it must be \(range)"
    case .boxIsNotFinite(let what, let index):
      "\(what) \(index) has a coordinate that is not finite"
    case .scoreIsNotANumber(let index):
      "the score of prediction \(index) is not a number"
    case .invalidPoint(let index):
      "point \(index) has a coordinate that is not finite, or a radius that is not finite or below 0"
    case .negativeCount(let what, let index, let value):
      "\(what) \(index) is \(value); it must be at least 0"
    case .repeatedID(let what, let frame, let id):
      "frame \(frame): a \(what) with the number \(id) occurs twice; each may occur once"
    case .stageMismatch(let index, let found, let expected):
      "stage \(index) is \(found.map { "\"\($0)\"" } ?? "missing"); "
        + "in the reference run it is \(expected.map { "\"\($0)\"" } ?? "missing")"
    case .repeatedItem(let query, let item):
      "query \(query): \"\(item)\" occurs twice in the ranking; each item may occur once"
    case .invalidRelevance(let query, let item, let value):
      "query \(query): the relevance of \"\(item)\" is \(value); it must be finite and at least 0"
    }
  }
}

/// Throws for coordinates that are not finite, because their overlaps are not defined.
func requireFinite(_ boxes: some Sequence<Box>, named what: String) throws(EvaluationError) {
  for (index, box) in boxes.enumerated() where !box.isFinite {
    throw .boxIsNotFinite(what: what, index: index)
  }
}

/// Throws for thresholds outside 0...1.
func requireShare(_ value: Double, named name: String) throws(EvaluationError) {
  guard value >= 0, value <= 1 else {
    throw .parameterOutOfRange(name: name, value: value, range: "in 0...1")
  }
}

/// Throws for a number of first places below 1.
func requireDepth(_ k: Int) throws(EvaluationError) {
  guard k >= 1 else {
    throw .parameterOutOfRange(name: "k", value: Double(k), range: "at least 1")
  }
}
