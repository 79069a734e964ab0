import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Operators that read elements where an index tensor says.
  package static let gathering: [Operator] = [
    Operator(
      "Gather", versions: [1, 11, 13], inputs: 2...2, types: .any, attributes: ["axis": .int],
      shape: .gather, traits: [.widens]
    ) { node in
      TextMover(Gather(axis: try node.int("axis", default: 0)))
    },
    Operator(
      "GatherElements", versions: [11, 13], inputs: 2...2, types: .any, attributes: ["axis": .int],
      shape: .gatherElements
    ) { node in
      TextMover(GatherElements(axis: try node.int("axis", default: 0)))
    },
    Operator(
      "GatherND", versions: [11, 12, 13], inputs: 2...2, types: .any,
      attributes: ["batch_dims": .int], shape: .gatherND
    ) {
      node in
      TextMover(GatherND(batchDimensions: try node.int("batch_dims", default: 0)))
    },
    Operator(
      "Compress", versions: [9, 11], inputs: 2...2, types: .any, attributes: ["axis": .int],
      shape: .dependsOnData
    ) {
      node in
      TextMover(Compress(axis: try node.int("axis")))
    },
    Operator(
      "ReverseSequence", versions: [10], inputs: 2...2, types: .any,
      attributes: ["batch_axis": .int, "time_axis": .int], shape: .likeFirst
    ) {
      node in
      TextMover(
        ReverseSequence(
          batchAxis: try node.int("batch_axis", default: 1),
          timeAxis: try node.int("time_axis", default: 0)))
    },
    Operator(
      "NonZero", versions: [9, 13], inputs: 1...1, types: .numeric + .bool, shape: .dependsOnData
    ) { _ in NonZero() },
  ]
}

extension ShapeRule {
  package static let gather = ShapeRule { query in
    let input = try query.input(0)
    let indices = try query.shape(1)
    let axis = try query.normalizedAxis(query.info.int("axis", default: 0), rank: input.shape.count)
    return [
      ValueFact(input.type, input.shape[..<axis] + indices + input.shape[(axis + 1)...])
    ]
  }

  static let gatherElements = ShapeRule { [ValueFact(try $0.input(0).type, try $0.shape(1))] }

  static let gatherND = ShapeRule { query in
    let input = try query.input(0)
    let indices = try query.shape(1)
    let batch = try query.info.int("batch_dims", default: 0)
    guard let depth = indices.last, batch >= 0, depth >= 0, batch + depth <= input.shape.count
    else { throw ShapeQuery.Unknown() }
    return [ValueFact(input.type, indices.dropLast() + input.shape[(batch + depth)...])]
  }
}

extension KernelContext {
  /// Indices below `extent`; ONNX lets them count from the back as negative numbers.
  package func indices(_ tensor: Tensor, below extent: Int) throws -> [Int] {
    try integers(tensor).map { try index($0, below: extent) }
  }

  /// One index below `extent`.
  package func index(_ index: Int, below extent: Int) throws -> Int {
    guard index >= -extent, index < extent else {
      throw failure("index \(index) is out of range for extent \(extent)")
    }
    return index < 0 ? index + extent : index
  }
}

/// Copies of `bytesEach` bytes, small sizes without a call.
@inline(__always)
private func move(
  _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ bytes: Int
) {
  switch bytes {
  case 4: target.copyMemory(from: source, byteCount: 4)
  case 8: target.copyMemory(from: source, byteCount: 8)
  default: target.copyMemory(from: source, byteCount: bytes)
  }
}

/// Slices along one axis.
package struct Gather: Kernel {
  package let axis: Int

  package init(
    axis: Int
  ) {
    self.axis = axis
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let positions = try context.input(1, of: inputs)
    guard input.rank > 0 else { throw context.failure("a scalar has nothing to gather") }
    let axis = try context.normalizedAxis(axis, rank: input.rank)
    let extent = input.shape[axis]
    let indices = try context.indices(positions, below: extent)
    let output = try context.allocate(
      input.elementType,
      Array(input.shape[..<axis]) + positions.shape + Array(input.shape[(axis + 1)...]))
    guard output.count > 0 else { return [output] }
    let outer = input.shape[..<axis].reduce(1, *)
    let bytes = input.shape[(axis + 1)...].reduce(1, *) * input.elementType.byteCount
    let count = indices.count
    let (from, to) = (input.bytes, output.mutableBytes)
    context.parallel(outer * count, grain: max(1, 65_536 / max(bytes, 1))) { range in
      for item in range {
        let source = item / count * extent + indices[item % count]
        move(to + item * bytes, from + source * bytes, bytes)
      }
    }
    return [output]
  }
}

/// For each element of the indices, the element at the same place except one axis.
private struct GatherElements: Kernel {
  let axis: Int

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let positions = try context.input(1, of: inputs)
    let axis = try context.normalizedAxis(axis, rank: input.rank)
    try context.requireWithin(positions, input, except: axis)
    let indices = try context.indices(positions, below: input.shape[axis])
    let output = try context.allocate(input.elementType, positions.shape)
    guard output.count > 0 else { return [output] }
    let bytes = input.elementType.byteCount
    let (from, to) = (input.bytes, output.mutableBytes)
    context.forEachElementPlace(of: positions.shape, in: input.shape, except: axis) {
      item, start, stride in
      move(to + item * bytes, from + (start + indices[item] * stride) * bytes, bytes)
    }
    return [output]
  }
}

extension KernelContext {
  /// Checks that an index tensor lies within `data` along all axes but one.
  func requireWithin(_ positions: Tensor, _ data: Tensor, except axis: Int) throws {
    guard positions.rank == data.rank,
      data.shape.indices.allSatisfy({ $0 == axis || positions.shape[$0] <= data.shape[$0] })
    else {
      throw failure(
        "indices of shape \(positions.shape) for data of shape \(data.shape), axis \(axis)")
    }
  }

  /// For each element of `shape`, where its place starts in `data` with index 0 along `axis`, and the
  /// step along that axis.
  func forEachElementPlace(
    of shape: [Int], in data: [Int], except axis: Int,
    _ body: (_ item: Int, _ start: Int, _ stride: Int) -> Void
  ) {
    var strides = Shapes.strides(of: data)
    let stride = strides[axis]
    strides[axis] = 0
    let layout = StridedLayout(shape: shape, strides: [Shapes.strides(of: shape), strides])
    let length = layout.rowLength
    let step = layout.rowStep
    layout.forEachRow(in: 0..<layout.rowCount) { _, starts in
      for index in 0..<length {
        body(starts[0] &+ index &* step[0], starts[1] &+ index &* step[1], stride)
      }
    }
  }
}

/// Slices addressed by the last dimension of the indices.
private struct GatherND: Kernel {
  let batchDimensions: Int

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let positions = try context.input(1, of: inputs)
    let batch = batchDimensions
    guard batch >= 0, positions.rank > batch, input.rank > batch,
      input.shape[..<batch] == positions.shape[..<batch],
      let depth = positions.shape.last, depth <= input.rank - batch
    else {
      throw context.failure(
        "indices of shape \(positions.shape) for data of shape \(input.shape), \(batch) batch "
          + "dimensions")
    }
    let tail = Array(input.shape[(batch + depth)...])
    let output = try context.allocate(input.elementType, positions.shape.dropLast() + tail)
    let starts = try context.sliceStarts(positions, in: input.shape, batchDimensions: batch)
    guard output.count > 0 else { return [output] }
    let bytes = tail.reduce(1, *) * input.elementType.byteCount
    let (from, to) = (input.bytes, output.mutableBytes)
    let each = input.elementType.byteCount
    for (item, start) in starts.enumerated() {
      move(to + item * bytes, from + start * each, bytes)
    }
    return [output]
  }
}

extension KernelContext {
  /// The element at which each slice starts that `positions`, whose last dimension holds coordinates,
  /// names in a tensor of `shape`.
  func sliceStarts(
    _ positions: Tensor, in shape: [Int], batchDimensions: Int = 0
  ) throws -> [Int] {
    let depth = positions.shape[positions.rank - 1]
    let strides = Shapes.strides(of: shape)
    let all = try integers(positions)
    let count = positions.shape.dropLast().reduce(1, *)
    let batches = shape[..<batchDimensions].reduce(1, *)
    guard count > 0, batches > 0 else { return [] }
    let perBatch = count / batches
    let batchStride = shape[batchDimensions...].reduce(1, *)
    return try (0..<count).map { item in
      var start = item / perBatch * batchStride
      for coordinate in 0..<depth {
        let dimension = batchDimensions + coordinate
        start +=
          try index(all[item * depth + coordinate], below: shape[dimension]) * strides[dimension]
      }
      return start
    }
  }
}

/// Slices for which a condition holds.
private struct Compress: Kernel {
  let axis: Int?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    var input = try context.input(0, of: inputs)
    let condition = try context.truths(context.input(1, of: inputs))
    if axis == nil { input = input.viewed(as: [input.count]) }
    let axis = try context.normalizedAxis(axis ?? 0, rank: input.rank)
    guard condition.count <= input.shape[axis] else {
      throw context.failure("\(condition.count) conditions for \(input.shape[axis]) slices")
    }
    let truths = condition.pointer(to: UInt8.self)
    let kept = (0..<condition.count).filter { truths[$0] != 0 }.map { Int64($0) }
    return try Gather(axis: axis).run([input, Tensor(shape: [kept.count], kept)], in: context)
  }
}

/// Reverses the first time steps of each sequence; an input gives their number.
private struct ReverseSequence: Kernel {
  let batchAxis: Int
  let timeAxis: Int

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let lengths = try context.integers(context.input(1, of: inputs))
    guard input.rank >= 2, Set([batchAxis, timeAxis]) == [0, 1] else {
      throw context.failure(
        "batch_axis \(batchAxis) and time_axis \(timeAxis) for shape \(input.shape)")
    }
    let (batch, time) = (input.shape[batchAxis], input.shape[timeAxis])
    guard lengths.count == batch, lengths.allSatisfy({ $0 >= 0 && $0 <= time }) else {
      throw context.failure("lengths \(lengths) for \(batch) sequences of \(time) steps")
    }
    let output = try context.allocate(input.elementType, input.shape)
    guard output.count > 0 else { return [output] }
    let bytes = input.shape[2...].reduce(1, *) * input.elementType.byteCount
    for (sequence, length) in lengths.enumerated() {
      for step in 0..<time {
        let other = step < length ? length - 1 - step : step
        func place(_ step: Int) -> Int {
          (batchAxis == 0 ? sequence * time + step : step * batch + sequence) * bytes
        }
        move(output.mutableBytes + place(step), input.bytes + place(other), bytes)
      }
    }
    return [output]
  }
}

/// The coordinates of all elements that are not 0, a column each.
private struct NonZero: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let truths = try context.converted(input, to: .bool)
    let values = truths.pointer(to: UInt8.self)
    let columns = input.shape.last ?? 1
    let rows = columns > 0 ? truths.count / columns : 0
    var counts = [Int](repeating: 0, count: rows + 1)
    counts.withUnsafeMutableBufferPointer { counts in
      let counts = counts
      context.parallel(rows, grain: max(1, 65_536 / max(columns, 1))) { range in
        for row in range {
          let line = values + row * columns
          var count = 0
          for column in 0..<columns { count &+= line[column] == 0 ? 0 : 1 }
          counts[row + 1] = count
        }
      }
    }
    for row in 0..<rows { counts[row + 1] += counts[row] }
    let found = counts[rows]
    let output = try context.allocate(.int64, [input.rank, found])
    let to = output.mutablePointer(to: Int64.self)
    // How many rows one step in each dimension but the last takes.
    let steps = Shapes.strides(of: Array(input.shape.dropLast()))
    for row in 0..<rows where counts[row + 1] > counts[row] {
      let range = counts[row]..<counts[row + 1]
      for (dimension, step) in steps.enumerated() {
        (to + dimension * found + range.lowerBound).update(
          repeating: Int64(row / step % input.shape[dimension]), count: range.count)
      }
      guard !input.shape.isEmpty else { continue }
      let line = values + row * columns
      var target = to + (input.rank - 1) * found + range.lowerBound
      for start in stride(from: 0, to: columns, by: 8) {
        // Most are zeros.
        if start + 8 <= columns,
          UnsafeRawPointer(line + start).loadUnaligned(as: UInt64.self) == 0
        {
          continue
        }
        for column in start..<min(start + 8, columns) where line[column] != 0 {
          target.pointee = Int64(column)
          target += 1
        }
      }
    }
    return [output]
  }
}
