import RunnerTensors

/// A computation on values that need not be tensors: sequences, options, and graphs that pass them
/// on.
package protocol ValueKernel: Kernel {
  /// Like ``Kernel/run(_:in:)``, for values of any kind.
  func run(values: [ModelValue?], in context: KernelContext) throws -> [ModelValue]
}

extension ValueKernel {
  /// The same if all values are tensors.
  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    try run(values: inputs.map { $0.map(ModelValue.tensor) }, in: context).map { value in
      guard case .tensor(let tensor) = value else {
        throw context.unsupported("its result is \(value.kind)")
      }
      return tensor
    }
  }
}

extension KernelContext {
  /// The value at `index`, which must be given.
  package func value(_ index: Int, of values: [ModelValue?]) throws -> ModelValue {
    guard index < values.count, let value = values[index] else {
      throw failure("input \(index) is missing")
    }
    return value
  }

  /// The tensor at `index`, which must be given.
  package func tensor(_ index: Int, of values: [ModelValue?]) throws -> Tensor {
    let value = try value(index, of: values)
    guard case .tensor(let tensor) = value else {
      throw failure("input \(index) is \(value.kind), expected a tensor")
    }
    return tensor
  }

  /// The tensor at `index`, or nil if none is given.
  package func optionalTensor(_ index: Int, of values: [ModelValue?]) throws -> Tensor? {
    guard index < values.count, values[index] != nil else { return nil }
    return try tensor(index, of: values)
  }

  /// The sequence at `index`, which must be given.
  package func sequence(_ index: Int, of values: [ModelValue?]) throws -> [Tensor] {
    let value = try value(index, of: values)
    guard case .sequence(let tensors) = value else {
      throw failure("input \(index) is \(value.kind), expected a sequence")
    }
    return tensors
  }

  /// The single truth value that a tensor holds.
  package func isTrue(_ tensor: Tensor) throws -> Bool {
    guard tensor.elementType == .bool, tensor.count == 1 else {
      throw failure(
        "the condition must be one bool, got \(tensor.elementType)\(tensor.shape)")
    }
    return tensor.pointer(to: Bool.self)[0]
  }

  /// The single integer that a tensor holds.
  package func integer(_ tensor: Tensor) throws -> Int {
    guard tensor.count == 1 else {
      throw failure("expected one integer, got shape \(tensor.shape)")
    }
    return try integers(tensor)[0]
  }
}
