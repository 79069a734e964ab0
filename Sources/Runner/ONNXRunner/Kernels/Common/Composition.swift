extension KernelContext {
  /// Runs another operator, for those that are made of others.
  ///
  /// Errors name the node that this context belongs to.
  func perform(
    _ operation: String, attributes: [String: AttributeValue] = [:], _ inputs: [Tensor?]
  ) throws -> Tensor {
    guard let definition = OperatorTable.definition(of: operation, domain: "") else {
      throw unsupported("it needs \(operation)")
    }
    let node = NodeInfo(
      name: nodeName, operation: self.operation, domain: "",
      opset: OperatorTable.opsets.upperBound, hasInput: inputs.map { $0 != nil },
      hasOutput: [true], attributes: attributes, constants: [:], subgraphs: [:])
    guard let result = try definition.make(node).run(inputs, in: self).first else {
      throw unsupported("\(operation) gives nothing")
    }
    return result
  }

  /// A list of axes as a tensor.
  func axes(_ axes: [Int]) throws -> Tensor {
    try Tensor(shape: [axes.count], axes.map { Int64($0) })
  }
}
