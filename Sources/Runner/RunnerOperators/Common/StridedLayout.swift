import RunnerGraph
import RunnerTensors

/// How a kernel walks several tensors at once: common extents, and for each tensor how many elements
/// one step along each dimension is.
///
/// One description serves broadcasting (steps of 0), transposition, slices (steps may be negative) and
/// tiles. Dimensions of one element are dropped, and neighbours that every tensor walks as one are
/// merged, so that the last dimension (the "row") is as long as it can be.
package struct StridedLayout: Sendable {
  /// Steps of up to four tensors; lanes that are not used stay 0.
  typealias Steps = SIMD4<Int>

  /// The merged extents, outermost first; never empty.
  let extents: [Int]

  /// For each dimension the step of each tensor.
  let steps: [Steps]

  /// A layout over `shape`, where `strides[t][d]` is the step of tensor `t` along dimension `d`.
  ///
  /// The product of `shape` must fit an `Int`, and there must be at most four tensors.
  init(shape: [Int], strides: [[Int]]) {
    var extents: [Int] = []
    var steps: [Steps] = []
    for dimension in shape.indices where shape[dimension] != 1 {
      var step = Steps()
      for tensor in strides.indices { step[tensor] = strides[tensor][dimension] }
      if let outer = steps.last, outer == step &* shape[dimension] {
        extents[extents.count - 1] *= shape[dimension]
        steps[steps.count - 1] = step
      } else {
        extents.append(shape[dimension])
        steps.append(step)
      }
    }
    self.extents = extents.isEmpty ? [1] : extents
    self.steps = steps.isEmpty ? [Steps()] : steps
  }

  /// How many elements a row has.
  var rowLength: Int { extents[extents.count - 1] }

  /// What one step along a row is for each tensor.
  var rowStep: Steps { steps[steps.count - 1] }

  /// How many rows there are.
  var rowCount: Int { extents.dropLast().reduce(1, *) }

  /// Calls `body` with the number of each row in `rows`, ascending, and where it starts in each tensor.
  func forEachRow(in rows: Range<Int>, _ body: (_ row: Int, _ starts: Steps) -> Void) {
    guard !rows.isEmpty, rowLength > 0 else { return }
    let outer = extents.count - 1
    var position = [Int](repeating: 0, count: outer)
    var starts = Steps()
    var rest = rows.lowerBound
    for dimension in stride(from: outer - 1, through: 0, by: -1) {
      position[dimension] = rest % extents[dimension]
      rest /= extents[dimension]
      starts &+= steps[dimension] &* position[dimension]
    }
    for row in rows {
      body(row, starts)
      var dimension = outer - 1
      while dimension >= 0 {
        position[dimension] += 1
        starts &+= steps[dimension]
        if position[dimension] < extents[dimension] { break }
        starts &-= steps[dimension] &* extents[dimension]
        position[dimension] = 0
        dimension -= 1
      }
    }
  }
}

extension KernelContext {
  /// The shape of two tensors broadcast, and one step through each, if nothing else is needed to
  /// walk them: both have that shape, or one of them has a single element.
  ///
  /// Most pairs in networks are such, and the work on small ones is less than that on a layout.
  func flatPair(_ a: Tensor, _ b: Tensor) -> (shape: [Int], steps: (a: Int, b: Int))? {
    if a.shape == b.shape { return (a.shape, (1, 1)) }
    if b.count == 1, b.rank <= a.rank { return (a.shape, (1, 0)) }
    if a.count == 1, a.rank <= b.rank { return (b.shape, (0, 1)) }
    return nil
  }

  /// The shape that tensors broadcast to.
  package func broadcastShape(_ tensors: [Tensor]) throws -> [Int] {
    guard let shape = Shapes.broadcast(tensors.map { $0.shape }) else {
      let shapes = tensors.map { "\($0.shape)" }.joined(separator: " and ")
      throw failure("shapes \(shapes) do not broadcast")
    }
    return shape
  }

  /// A layout for `output`, the first tensor, and `inputs` broadcast to it.
  package func layout(_ output: [Int], broadcasting inputs: [Tensor]) -> StridedLayout {
    StridedLayout(
      shape: output,
      strides: [Shapes.strides(of: output)]
        + inputs.map { Shapes.strides(of: $0.shape, broadcastTo: output) })
  }

  /// Calls `body` for pieces of the rows of `layout` of some 16,000 elements, on any thread.
  func parallelRows(_ layout: StridedLayout, _ body: (Range<Int>) -> Void) {
    parallel(layout.rowCount, grain: max(1, 16_384 / max(layout.rowLength, 1)), body)
  }
}
