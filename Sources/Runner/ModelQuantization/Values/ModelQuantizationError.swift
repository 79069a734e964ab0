import ONNXRunner

/// Why a model cannot be quantised.
public enum ModelQuantizationError: Error, Equatable, CustomStringConvertible {
  /// No example was observed.
  case noExamples
  /// No node of the model can be computed in 8 bits; the reason is that of the first that was
  /// looked at.
  case nothingToQuantize(reason: String)
  /// Outputs stay too far from those of the float model whatever nodes are kept.
  case tooInaccurate(decibels: Double)
  /// The model computes in 8 bits already, at a node.
  case alreadyQuantized(node: String, operation: String)
  /// A node that is to be kept is not in the model.
  case unknownNode(name: String, known: [String])
  /// A value of the network is infinite or not a number on an example.
  case notFinite(value: String)
  /// The model is written for a set of operators that scales of single channels cannot be written
  /// in.
  case opset(version: Int, least: Int)
  /// The result would be larger than any file of this format may be.
  case tooLarge(byteCount: Int)
  /// A setting is out of range.
  case setting(name: String, reason: String)

  /// What was wrong, and what would be right.
  public var description: String {
    switch self {
    case .noExamples: return "no example was observed, so that no range is known"
    case .nothingToQuantize(let reason): return "nothing can be quantised: \(reason)"
    case .tooInaccurate(let decibels):
      return
        "with no node in 8 bits the outputs keep a signal-to-noise ratio of \(decibels) dB; ask "
        + "for less"
    case .alreadyQuantized(let node, let operation):
      return "the model is quantised already: node '\(node)' (\(operation)); take the float one"
    case .unknownNode(let name, let known):
      let shown = known.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
      return "the model has no node '\(name)' that could be quantised; it has \(shown)"
        + (known.count > 5 ? " and \(known.count - 5) more" : "")
    case .notFinite(let value):
      return "value '\(value)' is infinite or not a number on an example"
    case .opset(let version, let least):
      return "the model is written for opset \(version); convert it to \(least) or later first"
    case .tooLarge(let byteCount):
      return "the result takes \(byteCount) bytes, and an ONNX file at most 2147483647"
    case .setting(let name, let reason): return "\(name) \(reason)"
    }
  }
}
