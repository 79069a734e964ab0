import RunnerGraph
import RunnerTensors

extension KernelContext {
  /// Runs another operator, for those that are made of others.
  ///
  /// Errors name the node that this context belongs to. The operator is one of `family`, or one of this module's if there
  /// is none.
  package func perform(
    _ operation: String, of family: [Operator]? = nil,
    attributes: [String: AttributeValue] = [:], _ inputs: [Tensor?]
  ) throws -> Tensor {
    let found =
      if let family {
        family.first { $0.name == operation }
      } else {
        ComposedOperators.byName[operation]
      }
    guard let definition = found else {
      throw unsupported("it needs \(operation)")
    }
    let node = NodeInfo(
      name: nodeName, operation: self.operation, domain: "",
      opset: Operator.opsets.upperBound, hasInput: inputs.map { $0 != nil },
      hasOutput: [true], attributes: attributes, constants: [:], subgraphs: [:])
    guard let result = try definition.kernel(for: node).run(inputs, in: self).first else {
      throw unsupported("\(operation) gives nothing")
    }
    return result
  }

  /// A list of axes as a tensor.
  package func axes(_ axes: [Int]) throws -> Tensor {
    try Tensor(shape: [axes.count], axes.map { Int64($0) })
  }
}

/// What other operators may be made of, without naming a family.
private enum ComposedOperators {
  static let byName: [String: Operator] = {
    let families = [
      OperatorFamilies.movement, OperatorFamilies.gathering, OperatorFamilies.padding,
      OperatorFamilies.reduction, OperatorFamilies.unary, OperatorFamilies.activations,
      OperatorFamilies.binary, OperatorFamilies.softmax, OperatorFamilies.normalization,
    ]
    return Dictionary(families.joined().map { ($0.name, $0) }) { first, _ in first }
  }()
}
