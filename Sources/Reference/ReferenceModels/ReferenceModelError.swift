/// The reason why a model cannot do the task it was loaded for.
///
/// Errors of a file itself are `ModelError`, from the runner.
public enum ReferenceModelError: Error, Equatable, CustomStringConvertible {
  /// The model is not a YOLOX detector; `found` lists its inputs and outputs.
  case notYOLOX(reason: String, found: String)
  /// The model is not a detector, or not one of the head that was named; `found` lists its inputs
  /// and outputs.
  case notDetector(head: String?, reason: String, found: String)
  /// The model could be a detector of several heads: one of them has to be named.
  case openHead(heads: [String], reason: String, found: String)
  /// The model is not an image embedder; `found` lists its inputs and outputs.
  case notEmbedder(reason: String, found: String)
  /// The model does not read text; `found` lists its inputs and outputs, `expected` the right ones.
  case notTextModel(part: String, reason: String, found: String, expected: String)
  /// The model does not segment spines; the reason, and its inputs and outputs.
  case notSpineSegmenter(reason: String, found: String)
  /// A setting of a text reader is out of range.
  case textSetting(field: String, value: String, range: String)
  /// The model leaves the size of its input open, and none was named.
  case openInputSize(found: String)
  /// An input size was named that is not the model's.
  case inputSize(asked: String, found: String)
  /// The model answered an output of another shape than it declares or its input calls for.
  case outputShape(name: String, got: [Int], expected: String)
  /// A model that comes with the package is not beside the program.
  case missingResource(name: String, searched: [String])

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .notYOLOX(let reason, let found):
      "not a YOLOX detector: \(reason); it has \(found); a YOLOX takes float [1, 3, H, W] and "
        + "answers [1, N, 5 + C]"
    case .notDetector(let head?, let reason, let found):
      "not a detector of the head \(head): \(reason); it has \(found)"
    case .notDetector(nil, let reason, let found):
      "not a detector: \(reason); it has \(found)"
    case .openHead(let heads, let reason, let found):
      "the head of this detector is not certain: \(reason); name one of "
        + heads.joined(separator: ", ") + "; it has \(found)"
    case .notEmbedder(let reason, let found):
      "not an image embedder: \(reason); it has \(found); an embedder takes float [N, 3, S, S] and "
        + "answers [N, D] or [N, D, 1, 1]"
    case .notTextModel(let part, let reason, let found, let expected):
      "not \(part): \(reason); it has \(found); it should be one that takes \(expected)"
    case .notSpineSegmenter(let reason, let found):
      "not a network that finds spines: \(reason); it has \(found); it should be one that takes float "
        + "[1, 3, H, W] and answers [1, 7, H/2, W/2]"
    case .textSetting(let field, let value, let range):
      "\(field) is \(value); it must be in \(range)"
    case .openInputSize(let found):
      "the model leaves its input size open: name one; it has \(found)"
    case .inputSize(let asked, let found):
      "an input size of \(asked) was asked for; the model has \(found)"
    case .outputShape(let name, let got, let expected):
      "output '\(name)' has shape \(got), expected \(expected)"
    case .missingResource(let name, let searched):
      "the bundled model \(name) is not beside the program; searched "
        + searched.joined(separator: ", ")
    }
  }
}
