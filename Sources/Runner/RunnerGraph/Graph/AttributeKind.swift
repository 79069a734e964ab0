/// The kind of an attribute, in ONNX's order; raw values are for messages.
package enum AttributeKind: String, CaseIterable, Sendable {
  case float = "a number"
  case int = "an integer"
  case string = "text"
  case tensor = "a tensor"
  case graph = "a graph"
  case floats = "numbers"
  case ints = "integers"
  case strings = "texts"
  case tensors
  case graphs

  /// ONNX's number for it.
  package var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}

/// The attributes of an operator and their kinds.
package typealias AttributeKinds = [String: AttributeKind]

extension AttributeKinds {
  package static func + (a: Self, b: Self) -> Self { a.merging(b) { _, kind in kind } }
}
