import RunnerGraph
import RunnerTensors

extension KernelContext {
  // Two of these are inlined so that the compiler knows the function in the loop. A call for each
  // element takes several times as long.

  /// A tensor of `Output` elements, each made from one of `tensor`'s.
  @inline(__always)
  package func mapped<Input: TensorScalar, Output: TensorScalar>(
    _ tensor: Tensor, _ transform: (Input) -> Output
  ) throws -> Tensor {
    let output = try allocate(Output.elementType, tensor.shape)
    let from = tensor.pointer(to: Input.self)
    let to = output.mutablePointer(to: Output.self)
    parallel(tensor.count, grain: 1 << 14) { range in
      for index in range { to[index] = transform(from[index]) }
    }
    return output
  }

  /// A tensor of `Output` elements, each made from one of `a` and one of `b`, broadcast.
  @inline(__always)
  package func combined<A: TensorScalar, B: TensorScalar, Output: TensorScalar>(
    _ a: Tensor, _ b: Tensor, _ transform: (A, B) -> Output
  ) throws -> Tensor {
    try combinedByRows(a, b) {
      (
        first: UnsafePointer<A>, firstStep, second: UnsafePointer<B>, secondStep,
        to: UnsafeMutablePointer<Output>, length
      ) in
      // Steps that the compiler knows let it work on several elements at a time.
      if firstStep == 1, secondStep == 1 {
        for index in 0..<length { to[index] = transform(first[index], second[index]) }
      } else if firstStep == 1, secondStep == 0 {
        let value = second[0]
        for index in 0..<length { to[index] = transform(first[index], value) }
      } else if firstStep == 0, secondStep == 1 {
        let value = first[0]
        for index in 0..<length { to[index] = transform(value, second[index]) }
      } else {
        for index in 0..<length {
          to[index] = transform(first[index &* firstStep], second[index &* secondStep])
        }
      }
    }
  }

  /// Computes `length` elements from those of two tensors, walked with a step each.
  typealias PairRow<A, B, Output> = (
    _ a: UnsafePointer<A>, _ aStep: Int, _ b: UnsafePointer<B>, _ bStep: Int,
    _ to: UnsafeMutablePointer<Output>, _ length: Int
  ) -> Void

  /// A tensor of `Output` elements that `row` computes from `a` and `b`, broadcast.
  ///
  /// If one row is not all, `rows` may fill the tensor by its layout instead.
  func combinedByRows<A: TensorScalar, B: TensorScalar, Output: TensorScalar>(
    _ a: Tensor, _ b: Tensor, _ row: PairRow<A, B, Output>,
    rows: ((_ output: Tensor, _ layout: StridedLayout) -> Void)? = nil
  ) throws -> Tensor {
    let (first, second) = (a.pointer(to: A.self), b.pointer(to: B.self))
    /// Fills `output`, walking each tensor with one step.
    func combine(into output: Tensor, _ firstStep: Int, _ secondStep: Int) -> Tensor {
      let to = output.mutablePointer(to: Output.self)
      parallel(output.count, grain: 1 << 14) { range in
        let start = range.lowerBound
        row(
          first + start * firstStep, firstStep, second + start * secondStep, secondStep,
          to + start, range.count)
      }
      return output
    }
    if let (shape, steps) = flatPair(a, b) {
      return combine(into: try allocate(Output.elementType, shape), steps.a, steps.b)
    }
    let output = try allocate(Output.elementType, broadcastShape([a, b]))
    guard output.count > 0 else { return output }
    let layout = layout(output.shape, broadcasting: [a, b])
    let step = layout.rowStep
    if layout.rowCount == 1 { return combine(into: output, step[1], step[2]) }
    if let rows {
      rows(output, layout)
      return output
    }
    let to = output.mutablePointer(to: Output.self)
    parallelRows(layout) { rows in
      layout.forEachRow(in: rows) { _, starts in
        row(
          first + starts[1], step[1], second + starts[2], step[2], to + starts[0],
          layout.rowLength)
      }
    }
    return output
  }
}
