import RunnerGraph
import RunnerTensors

extension KernelContext {
  // Both are inlined so that the compiler knows the function in the loop. A call for each element
  // takes several times as long.

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
    let from = (a.pointer(to: A.self), b.pointer(to: B.self))
    /// One row, walking each tensor with one step.
    @inline(__always)
    func combine(
      _ to: UnsafeMutablePointer<Output>, _ first: UnsafePointer<A>, _ firstStep: Int,
      _ second: UnsafePointer<B>, _ secondStep: Int, _ length: Int
    ) {
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
    if let (shape, steps) = flatPair(a, b) {
      let output = try allocate(Output.elementType, shape)
      let to = output.mutablePointer(to: Output.self)
      parallel(output.count, grain: 1 << 14) { range in
        let start = range.lowerBound
        combine(
          to + start, from.0 + start * steps.a, steps.a, from.1 + start * steps.b, steps.b,
          range.count)
      }
      return output
    }
    let output = try allocate(Output.elementType, broadcastShape([a, b]))
    guard output.count > 0 else { return output }
    let layout = layout(output.shape, broadcasting: [a, b])
    let to = output.mutablePointer(to: Output.self)
    let step = layout.rowStep
    parallelRows(layout) { rows in
      layout.forEachRow(in: rows) { _, starts in
        combine(
          to + starts[0], from.0 + starts[1], step[1], from.1 + starts[2], step[2],
          layout.rowLength)
      }
    }
    return output
  }
}
