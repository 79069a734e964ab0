import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// What puts the parts of an image back where they came from.
  package static let unfolding: [Operator] = [
    Operator(
      "Col2Im", versions: [18], inputs: 3...3, types: .numeric + .bool,
      attributes: ["dilations": .ints, "pads": .ints, "strides": .ints], shape: .columnsToImage
    ) {
      try ColumnsToImage($0)
    },
    Operator(
      "MaxUnpool", versions: [9, 11, 22], inputs: 2...3, types: .numeric + .bool,
      attributes: ["kernel_shape": .ints, "pads": .ints, "strides": .ints], shape: .unpool
    ) { try MaxUnpool($0) },
  ]
}

extension ShapeRule {
  fileprivate static let columnsToImage = ShapeRule { query in
    let input = try query.input(0)
    guard input.shape.count == 3, let image = try query.integers(1),
      let size = try query.integers(2).map(query.product), size > 0
    else { throw ShapeQuery.Unknown() }
    return [ValueFact(input.type, [input.shape[0], input.shape[1] / size] + image)]
  }

  fileprivate static let unpool = ShapeRule { query in
    let input = try query.input(0)
    let shape = try query.integers(2) ?? MaxUnpool(query.info).pooled(input.shape, query.info)
    return [ValueFact(input.type, shape)]
  }
}

/// Sums the columns of a matrix, each a block of pixels, into an image.
private struct ColumnsToImage: Kernel {
  let dilations: [Int]?
  let pads: [Int]?
  let strides: [Int]?

  init(_ node: NodeInfo) throws {
    dilations = try node.ints("dilations")
    pads = try node.ints("pads")
    strides = try node.ints("strides")
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    let image = try context.integers(try context.input(1, of: inputs))
    let block = try context.integers(try context.input(2, of: inputs))
    let axes = image.count
    let dilations = dilations ?? [Int](repeating: 1, count: axes)
    let strides = strides ?? [Int](repeating: 1, count: axes)
    let pads = pads ?? [Int](repeating: 0, count: 2 * axes)
    // Extents that no sum of a few of them can overflow; a tensor is no larger anyway.
    let extents = 1...1 << 40
    guard axes > 0, block.count == axes, dilations.count == axes, strides.count == axes,
      pads.count == 2 * axes,
      (image + block + dilations + strides).allSatisfy(extents.contains),
      pads.allSatisfy({ $0 == 0 || extents.contains($0) })
    else { throw context.failure("an image of \(image) from blocks of \(block)") }
    var steps: [Int] = []
    for axis in 0..<axes {
      let (reach, overflow) = (block[axis] - 1).multipliedReportingOverflow(by: dilations[axis])
      let room = image[axis] + pads[axis] + pads[axes + axis] - 1
      guard !overflow, reach <= room else {
        throw context.failure("blocks of \(block) do not fit an image of \(image)")
      }
      steps.append((room - reach) / strides[axis] + 1)
    }
    let blockSize = try Tensor.elementCount(of: block)
    let columns = try Tensor.elementCount(of: steps)
    guard given.rank == 3, given.shape[1] % blockSize == 0, given.shape[2] == columns else {
      throw context.failure(
        "shape \(given.shape) for \(columns) blocks of \(blockSize) elements")
    }
    let channels = given.shape[1] / blockSize
    let input = try context.widened(given)
    let output = try context.allocate(input.elementType, [given.shape[0], channels] + image)
    output.mutableBytes.initializeMemory(as: UInt8.self, repeating: 0, count: output.byteCount)
    let places = Places(
      image: image, block: block, steps: steps, strides: strides, dilations: dilations, pads: pads)
    switch try context.computeType(of: given) {
    case .float32: add(input, output, places, blockSize, columns) { (a: Float, b) in a + b }
    case .float64: add(input, output, places, blockSize, columns) { (a: Double, b) in a + b }
    case .int64: add(input, output, places, blockSize, columns) { (a: Int64, b) in a &+ b }
    case .uint64: add(input, output, places, blockSize, columns) { (a: UInt64, b) in a &+ b }
    }
    return [try context.converted(output, to: given.elementType)]
  }

  private func add<Scalar: TensorScalar>(
    _ input: Tensor, _ output: Tensor, _ places: Places, _ blockSize: Int, _ columns: Int,
    _ sum: (Scalar, Scalar) -> Scalar
  ) {
    guard input.count > 0 else { return }
    let from = input.pointer(to: Scalar.self)
    let to = output.mutablePointer(to: Scalar.self)
    let pixels = places.image.reduce(1, *)
    for row in 0..<input.count / columns {
      for column in 0..<columns {
        guard let pixel = places.pixel(element: row % blockSize, column: column) else { continue }
        let place = row / blockSize * pixels + pixel
        to[place] = sum(to[place], from[row * columns + column])
      }
    }
  }

  private struct Places {
    let image: [Int]
    let block: [Int]
    let steps: [Int]
    let strides: [Int]
    let dilations: [Int]
    let pads: [Int]

    /// The pixel at which an element of a block comes to lie; nil for the padding.
    func pixel(element: Int, column: Int) -> Int? {
      var element = element
      var column = column
      var pixel = 0
      var step = 1
      for axis in image.indices.reversed() {
        let place =
          column % steps[axis] * strides[axis] - pads[axis]
          + element % block[axis] * dilations[axis]
        guard place >= 0, place < image[axis] else { return nil }
        pixel += place * step
        step *= image[axis]
        element /= block[axis]
        column /= steps[axis]
      }
      return pixel
    }
  }
}

/// Puts each maximum back where a pooling found it, and zeros elsewhere.
private struct MaxUnpool: Kernel {
  let kernel: [Int]
  let pads: [Int]
  let strides: [Int]

  init(_ node: NodeInfo) throws {
    guard let kernel = try node.ints("kernel_shape") else {
      throw node.failure("kernel_shape must be given")
    }
    self.kernel = kernel
    pads = try node.ints("pads") ?? [Int](repeating: 0, count: 2 * kernel.count)
    strides = try node.ints("strides") ?? [Int](repeating: 1, count: kernel.count)
    let sizes = 0...1 << 30
    guard pads.count == 2 * kernel.count, strides.count == kernel.count,
      (kernel + pads + strides).allSatisfy(sizes.contains)
    else { throw node.failure("kernel \(kernel), strides \(strides) and pads \(pads)") }
  }

  /// The shape of what was pooled to a tensor of `input`, at least.
  func pooled(_ input: [Int], _ context: some NodeFailures) throws -> [Int] {
    var shape = Array(input.prefix(2))
    for (axis, extent) in input.dropFirst(2).prefix(kernel.count).enumerated() {
      let (length, overflow) = (extent - 1).multipliedReportingOverflow(by: strides[axis])
      guard !overflow, length.magnitude < 1 << 60 else {
        throw context.failure("the result is too large")
      }
      shape.append(length + kernel[axis] - pads[axis] - pads[kernel.count + axis])
    }
    return shape
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let places = try context.input(1, of: inputs)
    guard input.rank == kernel.count + 2, places.shape == input.shape,
      places.elementType == .int64
    else {
      throw context.failure(
        "values of \(input.shape) and places \(places.elementType)\(places.shape) "
          + "for a kernel of \(kernel)")
    }
    let shape = try pooled(input.shape, context)
    let whole = try context.optionalInput(2, of: inputs).map { try context.integers($0) } ?? shape
    guard input.elementType != .string, whole.count == shape.count,
      zip(whole, shape).allSatisfy({ $0 >= $1 })
    else { throw context.failure("a result of \(whole) around one of \(shape)") }
    let count = try Tensor.elementCount(of: shape)
    let output = try context.allocate(input.elementType, whole)
    output.mutableBytes.initializeMemory(as: UInt8.self, repeating: 0, count: output.byteCount)
    let size = input.elementType.byteCount
    let steps = Shapes.strides(of: whole)
    let indices = places.pointer(to: Int64.self)
    for index in 0..<input.count {
      guard indices[index] >= 0, indices[index] < count else {
        throw context.failure("place \(indices[index]) in a result of \(count) elements")
      }
      var rest = Int(indices[index])
      var place = 0
      for axis in shape.indices.reversed() {
        place += rest % shape[axis] * steps[axis]
        rest /= shape[axis]
      }
      (output.mutableBytes + place * size).copyMemory(
        from: input.bytes + index * size, byteCount: size)
    }
    return [output]
  }
}
