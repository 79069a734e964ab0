import RunnerGraph
import RunnerTensors

extension KernelContext {
  /// A tensor of `Output` elements, each made from one of `tensor`'s.
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
  package func combined<A: TensorScalar, B: TensorScalar, Output: TensorScalar>(
    _ a: Tensor, _ b: Tensor, _ transform: (A, B) -> Output
  ) throws -> Tensor {
    let output = try allocate(Output.elementType, broadcastShape([a, b]))
    guard output.count > 0 else { return output }
    let layout = layout(output.shape, broadcasting: [a, b])
    let from = (a.pointer(to: A.self), b.pointer(to: B.self))
    let to = output.mutablePointer(to: Output.self)
    let length = layout.rowLength
    let step = layout.rowStep
    parallelRows(layout) { rows in
      layout.forEachRow(in: rows) { _, starts in
        let to = to + starts[0]
        let first = from.0 + starts[1]
        let second = from.1 + starts[2]
        // Steps that the compiler knows let it work on several elements at a time.
        if step[1] == 1, step[2] == 1 {
          for index in 0..<length { to[index] = transform(first[index], second[index]) }
        } else if step[1] == 1, step[2] == 0 {
          let value = second[0]
          for index in 0..<length { to[index] = transform(first[index], value) }
        } else if step[1] == 0, step[2] == 1 {
          let value = first[0]
          for index in 0..<length { to[index] = transform(value, second[index]) }
        } else {
          for index in 0..<length {
            to[index] = transform(first[index &* step[1]], second[index &* step[2]])
          }
        }
      }
    }
    return output
  }
}
