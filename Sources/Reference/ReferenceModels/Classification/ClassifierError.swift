/// Why a model is not a classifier, or its answer no classification.
public enum ClassifierError: Error, Equatable, CustomStringConvertible {
  /// The model is not an image classifier; `found` lists its inputs and outputs.
  case notClassifier(reason: String, found: String)
  /// An input size was named that is not the model's.
  case inputSize(asked: String, found: String)
  /// The numbers of labels and of the model's classes differ.
  case labelCount(labels: Int, classes: Int, source: String)
  /// The model's metadata under a key is not a list of labels.
  case metadata(key: String, reason: String)
  /// The model answered an output of another shape than it declares or its input calls for.
  case outputShape(name: String, got: [Int], expected: String)
  /// The model answered a NaN or an infinity for a class.
  case nonFinite(name: String, index: Int)
  /// Outputs that are said to be probabilities are not in 0...1.
  case notProbability(name: String, index: Int, value: Float)
  /// The share of the shorter side that a crop keeps is out of its range.
  case cropShare(Double)
  /// A count or threshold of a question is out of its range.
  case outOfRange(name: String, value: String, range: String)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .notClassifier(let reason, let found):
      "not an image classifier: \(reason); it has \(found); a classifier takes [N, 3, H, W] or "
        + "[N, H, W, 3] and answers [N, classes]"
    case .inputSize(let asked, let found):
      "an input size of \(asked) was asked for; the model has \(found)"
    case .labelCount(let labels, let classes, let source):
      "\(source): \(labels) labels, and the model has \(classes) classes; there must be one for each"
    case .metadata(let key, let reason):
      "the model's metadata '\(key)' names no classes: \(reason); give labels of your own"
    case .outputShape(let name, let got, let expected):
      "output '\(name)' has shape \(got), expected \(expected)"
    case .nonFinite(let name, let index):
      "output '\(name)' holds a value for class \(index) that is not a finite number"
    case .notProbability(let name, let index, let value):
      "output '\(name)' is \(value) for class \(index), and a probability is in 0...1; the outputs "
        + "may be logits"
    case .cropShare(let share): "the crop's share is \(share); it must be in 0.1...1"
    case .outOfRange(let name, let value, let range): "\(name) is \(value); it must be \(range)"
    }
  }
}
