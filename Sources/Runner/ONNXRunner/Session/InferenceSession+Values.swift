import RunnerTensors

extension InferenceSession {
  /// Runs a model whose inputs or outputs may be sequences of tensors, or options.
  ///
  /// Otherwise it is like ``run(_:options:)``. If an input is an option and is not given, it is
  /// empty.
  ///
  /// - Throws: ``/RunnerTensors/ModelError``, or `CancellationError` if the options' hook requests
  ///   it.
  public func run(
    values: [String: ModelValue], options: RunOptions = .init()
  ) throws -> [String: ModelValue] {
    let names = inputs.map(\.name)
    if let unknown = values.keys.filter({ !names.contains($0) }).min() {
      throw ModelError.unknownInput(name: unknown, expected: names)
    }
    let arguments = try inputs.map { description in
      guard let value = values[description.name] ?? (description.kind == .optional ? .absent : nil)
      else { throw ModelError.missingInput(name: description.name, expected: names) }
      try description.check(value)
      return value
    }
    let results = try run(arguments, options)
    return Dictionary(
      zip(outputs.map(\.name), results), uniquingKeysWith: { first, _ in first })
  }
}

extension ValueDescription {
  /// Throws if `value` cannot be this input.
  fileprivate func check(_ value: ModelValue) throws {
    switch (kind, value) {
    case (.tensor, .tensor(let tensor)): try check(tensor)
    case (.optional, .tensor(let tensor)): try checkType(of: tensor)
    case (.sequence, .sequence(let tensors)), (.optional, .sequence(let tensors)):
      for tensor in tensors { try checkType(of: tensor) }
    case (.optional, .absent): break
    default:
      throw ModelError.invalidTensor(reason: "input '\(name)' is \(value.kind), not as declared")
    }
  }

  private func checkType(of tensor: Tensor) throws {
    guard tensor.elementType == elementType else {
      throw ModelError.inputType(name: name, got: tensor.elementType, expected: elementType)
    }
  }
}
