import RunnerTensors

/// The value of a node's attribute.
package enum AttributeValue: Sendable {
  case float(Float)
  case int(Int)
  case string(String)
  case tensor(Tensor)
  case graph(Graph)
  case floats([Float])
  case ints([Int])
  case strings([String])
  case tensors([Tensor])
  case graphs([Graph])

  /// Its kind.
  package var kind: AttributeKind {
    switch self {
    case .float: return .float
    case .int: return .int
    case .string: return .string
    case .tensor: return .tensor
    case .graph: return .graph
    case .floats: return .floats
    case .ints: return .ints
    case .strings: return .strings
    case .tensors: return .tensors
    case .graphs: return .graphs
    }
  }

  /// The integer, if it is one.
  package var int: Int? {
    if case .int(let value) = self { return value }
    return nil
  }

  /// The number, if it is one.
  package var float: Float? {
    if case .float(let value) = self { return value }
    return nil
  }

  /// The text, if it is one.
  package var string: String? {
    if case .string(let value) = self { return value }
    return nil
  }

  /// The integers, if there are several.
  package var ints: [Int]? {
    if case .ints(let values) = self { return values }
    return nil
  }
}

/// An activation that a kernel applies when it writes its output.
package enum Activation: Sendable, Equatable {
  case relu
  case sigmoid
  case silu
  /// `x * sigmoid(alpha * x)`
  case scaledSilu(alpha: Float)
  case hardSwish
  /// `scale * hardSwish(x) + shift`
  case scaledHardSwish(scale: Float, shift: Float)
  case hardSigmoid(alpha: Float, beta: Float)
  case leakyRelu(slope: Float)
  case clip(minimum: Float, maximum: Float)
  case gelu
  /// GELU with tanh in the place of the error function.
  case tanhGELU
  case tanh
  /// `scale * (x < 0 ? alpha * (e^x - 1) : x)`
  case elu(alpha: Float, scale: Float)
}

extension AttributeValue {
  /// Whether the value is a graph or contains one.
  package var holdsGraph: Bool {
    switch self {
    case .graph, .graphs: return true
    default: return false
    }
  }
}
