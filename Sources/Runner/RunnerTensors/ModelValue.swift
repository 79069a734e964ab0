/// A value of a model that need not be a tensor.
///
/// Nearly all values are tensors. Some models pass lists of tensors, and options that may be empty.
/// An option that is not empty is the value in it.
public enum ModelValue: Sendable {
  /// An array.
  case tensor(Tensor)
  /// Tensors in order, of one element type, each of any shape.
  case sequence([Tensor])
  /// An empty option.
  case absent

  /// The tensor, if it is one.
  public var tensor: Tensor? {
    if case .tensor(let tensor) = self { return tensor }
    return nil
  }

  /// The tensors, if it is a sequence.
  public var sequence: [Tensor]? {
    if case .sequence(let tensors) = self { return tensors }
    return nil
  }

  /// Its kind, for messages.
  package var kind: String {
    switch self {
    case .tensor: return "a tensor"
    case .sequence: return "a sequence"
    case .absent: return "an empty option"
    }
  }
}
