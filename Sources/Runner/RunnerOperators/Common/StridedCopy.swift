import RunnerGraph
import RunnerTensors
import _RunnerKernels

extension KernelContext {
  /// Copies elements of `bytesEach` bytes between two strided tensors.
  ///
  /// The layout's first tensor is the target, its second the source. Whether every element lies
  /// within its memory is not checked here: callers check shapes before.
  package func copy(
    _ layout: StridedLayout, bytesEach: Int, from source: UnsafeRawPointer,
    to target: UnsafeMutableRawPointer
  ) {
    switch bytesEach {
    case 1: copy(layout, UInt8.self, source, target)
    case 2: copy(layout, UInt16.self, source, target)
    case 4:
      if !transpose(layout, source, target) { copy(layout, UInt32.self, source, target) }
    default: copy(layout, UInt64.self, source, target)
    }
  }

  private func copy<Element: BitwiseCopyable>(
    _ layout: StridedLayout, _: Element.Type, _ source: UnsafeRawPointer,
    _ target: UnsafeMutableRawPointer
  ) {
    let from = source.assumingMemoryBound(to: Element.self)
    let to = target.assumingMemoryBound(to: Element.self)
    let length = layout.rowLength
    let targetStep = layout.rowStep[0]
    let sourceStep = layout.rowStep[1]
    if layout.extents.count == 1, targetStep == 1, sourceStep == 1 {
      // One long run: split it by elements.
      parallel(length, grain: 1 << 16) { range in
        (to + range.lowerBound).update(from: from + range.lowerBound, count: range.count)
      }
      return
    }
    parallelRows(layout) { rows in
      layout.forEachRow(in: rows) { _, starts in
        let to = to + starts[0]
        let from = from + starts[1]
        if targetStep == 1, sourceStep == 1 {
          if length < 8 {
            for index in 0..<length { to[index] = from[index] }
          } else {
            to.update(from: from, count: length)
          }
        } else if targetStep == 1, sourceStep == 0 {
          to.update(repeating: from[0], count: length)
        } else {
          for index in 0..<length { to[index &* targetStep] = from[index &* sourceStep] }
        }
      }
    }
  }

  /// Copies in blocks if the two innermost dimensions change places; false if they do not.
  private func transpose(
    _ layout: StridedLayout, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer
  ) -> Bool {
    let rank = layout.extents.count
    guard rank >= 2, layout.rowStep[0] == 1, layout.steps[rank - 2][1] == 1,
      layout.rowStep[1] > 0, layout.steps[rank - 2][0] > 0
    else { return false }
    let rows = layout.extents[rank - 1]
    let columns = layout.extents[rank - 2]
    // A layout of the dimensions outside, each of its elements one matrix.
    let slabs = StridedLayout(
      shape: Array(layout.extents.dropLast(2)),
      strides: [0, 1].map { tensor in layout.steps.dropLast(2).map { $0[tensor] } })
    let from = source.assumingMemoryBound(to: Float.self)
    let to = target.assumingMemoryBound(to: Float.self)
    let blocks = (columns - 1) / 64 + 1
    let inner = slabs.rowLength
    parallel(slabs.rowCount * inner * blocks, grain: max(1, 16_384 / (rows * 64))) { range in
      for item in range {
        let slab = item / blocks
        let first = item % blocks * 64
        slabs.forEachRow(in: slab / inner..<slab / inner + 1) { _, starts in
          let place = starts &+ slabs.rowStep &* (slab % inner)
          vk_transpose_f32(
            from + place[1] + first, to + place[0] + first * layout.steps[rank - 2][0], rows,
            min(64, columns - first), layout.rowStep[1], layout.steps[rank - 2][0])
        }
      }
    }
    return true
  }

  /// A tensor of `shape` read from `tensor` with `strides`, from element `start` on.
  ///
  /// Elements that lie together already are shared, not copied.
  package func gathered(
    _ tensor: Tensor, shape: [Int], strides: [Int], start: Int = 0
  ) throws -> Tensor {
    let bytesEach = tensor.elementType.byteCount
    // An impossible shape is `allocate`'s to report.
    guard let count = try? Tensor.elementCount(of: shape, bytesEach: max(bytesEach, 1)), count > 0
    else { return try allocate(tensor.elementType, shape) }
    let layout = StridedLayout(shape: shape, strides: [Shapes.strides(of: shape), strides])
    if layout.extents.count == 1, layout.rowStep[0] == 1, layout.rowStep[1] == 1,
      bytesEach > 0
    {
      return Tensor(
        elementType: tensor.elementType, shape: shape, count: count,
        storage: tensor.storage, byteOffset: tensor.byteOffset + start * bytesEach)
    }
    let output = try allocate(tensor.elementType, shape)
    copy(
      layout, bytesEach: bytesEach, from: tensor.bytes + start * bytesEach,
      to: output.mutableBytes)
    return output
  }

  /// The tensor with its dimensions in another order.
  package func transposed(_ tensor: Tensor, _ order: [Int]) throws -> Tensor {
    let strides = Shapes.strides(of: tensor.shape)
    return try gathered(
      tensor, shape: order.map { tensor.shape[$0] }, strides: order.map { strides[$0] })
  }
}
