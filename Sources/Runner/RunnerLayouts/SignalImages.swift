import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// What ``SignalLifting`` puts between signals and images.
  ///
  /// Files cannot use them.
  package static let signals: [Operator] = [
    ("ToImages", SignalImages(rank: 3, change: SignalImages.lifted)),
    ("FromImages", SignalImages(rank: 4, change: SignalImages.lowered)),
  ].map { name, kernel in
    Operator(
      name, domain: OperatorDomain.signals, versions: [1], inputs: 1...1, types: .float32,
      shape: ShapeRule { query in
        let input = try query.input(0)
        return [ValueFact(input.type, try kernel.change(input.shape))]
      }, memory: .view
    ) { _ in kernel }
  }
}

/// A signal [N, C, L] as an image [N, C, 1, L], or the reverse; the memory is the same.
package struct SignalImages: Kernel {
  fileprivate let rank: Int
  fileprivate let change: @Sendable (_ shape: [Int]) throws -> [Int]

  /// The shape of the image that a signal of this shape is.
  package static func lifted(_ shape: [Int]) throws -> [Int] {
    guard shape.count == 3 else { throw ShapeQuery.Unknown() }
    return [shape[0], shape[1], 1, shape[2]]
  }

  fileprivate static func lowered(_ shape: [Int]) throws -> [Int] {
    guard shape.count == 4, shape[2] == 1 else { throw ShapeQuery.Unknown() }
    return [shape[0], shape[1], shape[3]]
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard let shape = try? change(input.shape) else {
      throw context.failure("expected rank \(rank), got \(input.shape)")
    }
    return [input.viewed(as: shape)]
  }
}
