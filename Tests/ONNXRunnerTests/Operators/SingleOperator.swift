import TestSupport

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Runs one operator by itself, without a model around it.
///
/// The inputs at `constants` are known when its kernel is made.
func run(
  _ operation: String, domain: String = "", opset: Int = 24,
  attributes: [String: AttributeValue] = [:],
  outputs: Int = 1, memoryLimit: Int = 1 << 30, threads: Int = 1,
  constants: Set<Int> = [], _ inputs: [Tensor?]
) throws -> [Tensor] {
  guard let definition = OperatorTable.definition(of: operation, domain: domain) else {
    throw ModelError.missingOperators([
      MissingOperator(
        name: operation, domain: domain, opset: opset, nodeCount: 1, firstNode: "n")
    ])
  }
  let node = NodeInfo(
    name: "n", operation: operation, domain: domain, opset: opset,
    hasInput: inputs.map { $0 != nil },
    hasOutput: [Bool](repeating: true, count: outputs), attributes: attributes,
    constants: Dictionary(
      uniqueKeysWithValues: inputs.enumerated().compactMap { index, input in
        constants.contains(index) ? input.map { (index, $0) } : nil
      }),
    subgraphs: [:])
  let context = KernelContext(
    nodeName: "n", operation: operation, pool: BufferPool(limit: memoryLimit),
    threads: ThreadPool(threadCount: threads), isCancelled: nil)
  return try definition.kernel(for: node).run(inputs, in: context)
}

/// A `float32` tensor.
func floats(_ shape: [Int], _ values: [Float]) -> Tensor { tensor(shape, values) }

/// An `int64` tensor.
func ints(_ shape: [Int], _ values: [Int64]) -> Tensor { tensor(shape, values) }

/// A tensor of seeded numbers.
func noise(_ shape: [Int], seed: UInt64) -> Tensor {
  tensor(shape, noise(shape.reduce(1, *), seed: seed))
}

/// A tensor whose shape is known to fit.
func tensor<Scalar: TensorScalar>(_ shape: [Int], _ values: [Scalar]) -> Tensor {
  do {
    return try Tensor(shape: shape, values)
  } catch {
    preconditionFailure("\(error)")
  }
}
