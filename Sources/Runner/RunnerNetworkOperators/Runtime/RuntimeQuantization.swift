import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Products of ONNX Runtime with narrow integers.
  package static let runtimeQuantization: [Operator] = [
    Operator(
      "DynamicQuantizeMatMul", domain: OperatorDomain.runtime, inputs: 3...5, types: .float32
    ) { node in
      let quantized = node.add(
        "DynamicQuantizeLinear", [try node.required(0)], since: 11, outputs: 3)
      let scale = node.add("Mul", [quantized[1], try node.required(2)])
      var result = try node.integerProduct(
        quantized[0], try node.required(1), zeros: (quantized[2], node.input(3)), scale: scale,
        type: .float32)
      if let bias = node.input(4) { result = node.add("Add", [result, bias]) }
      node.give(result)
    },
    Operator(
      "MatMulIntegerToFloat", domain: OperatorDomain.runtime, inputs: 4...7,
      types: ElementTypes([.int8, .uint8])
    ) { node in
      let scale = node.add("Mul", [try node.required(2), try node.required(3)])
      var result = try node.integerProduct(
        try node.required(0), try node.required(1), zeros: (node.input(4), node.input(5)),
        scale: scale, type: node.type(2))
      if let bias = node.input(6) { result = node.add("Add", [result, bias]) }
      node.give(result)
    },
    Operator(
      "DynamicQuantizeLSTM", domain: OperatorDomain.runtime, inputs: 3...12, outputs: 1...3,
      types: .float32,
      attributes: [
        "activation_alpha": .floats, "activation_beta": .floats, "activations": .strings,
        "clip": .float, "direction": .string, "hidden_size": .int, "input_forget": .int,
      ],
      limits:
        "Weights must be known. The input is not rounded to 8 bits, so that results are nearer "
        + "to the layer before it was quantised."
    ) { node in
      let attributes = try node.info.values(of: [
        "activation_alpha", "activation_beta", "activations", "clip", "direction", "hidden_size",
        "input_forget",
      ])
      var inputs = (0..<8).map { node.input($0) }
      inputs[1] = node.known(try node.recurrentWeights(1, scale: 8))
      inputs[2] = node.known(try node.recurrentWeights(2, scale: 10))
      let results = node.add("LSTM", inputs, attributes, outputs: 3)
      for (index, result) in results.enumerated() { node.give(result, as: index) }
    },
    Operator(
      "MatMulNBits", domain: OperatorDomain.runtime, versions: [1], inputs: 3...6, types: .real,
      attributes: [
        "K": .int, "N": .int, "accuracy_level": .int, "bits": .int, "block_size": .int,
      ],
      shape: .narrowProduct, traits: [.widens],
      expansion: { node in
        let weights = try NarrowWeights(node.info)
        guard let bytes = node.info.constant(1), let scales = node.info.constant(2),
          node.input(3) == nil || node.info.constant(3) != nil, node.input(4) == nil,
          weights.count <= node.room / 4
        else { return }
        // Once for all runs, and packed as any other weights.
        let matrix = try weights.matrix(
          bytes, scales, zeros: node.info.constant(3), node.info)
        node.room -= weights.count * 4
        let right = node.known(try matrix.converted(to: scales.elementType))
        var result = node.add("MatMul", [try node.required(0), right])
        if let bias = node.input(5) { result = node.add("Add", [result, bias]) }
        node.give(result)
      }, limits: "Weights of 4 or 8 bits, without groups in another order (`g_idx`)."
    ) { MatMulNBits(weights: try NarrowWeights($0)) },
  ]
}

extension NodeExpansion {
  /// Writes the product of integers, each perhaps less a zero point, times a scale.
  mutating func integerProduct(
    _ a: Graph.Value, _ b: Graph.Value, zeros: (Graph.Value?, Graph.Value?), scale: Graph.Value,
    type: ElementType
  ) throws -> Graph.Value {
    let product = add("MatMulInteger", [a, b, zeros.0, zeros.1], since: 10)
    return add("Mul", [add("Cast", [product], ["to": .int(type.rawValue)]), scale])
  }

  /// The known weights of a recurrent layer, of 8 bits and each row for an input, as ONNX has them.
  fileprivate mutating func recurrentWeights(_ index: Int, scale: Int) throws -> Tensor {
    guard let bytes = info.constant(index), let scales = info.constant(scale),
      let zeros = info.constant(scale + 1)
    else { throw info.unsupported("weights that are not known when the model is loaded") }
    guard bytes.rank == 3, bytes.elementType == .int8 || bytes.elementType == .uint8,
      zeros.elementType == bytes.elementType, scales.elementType == .float32,
      zeros.shape == scales.shape,
      scales.shape == [bytes.shape[0]] || scales.shape == [bytes.shape[0], bytes.shape[2]],
      bytes.count <= .max / 4
    else {
      throw info.failure(
        "weights of \(bytes.elementType)\(bytes.shape), scales of \(scales.shape) and zero points "
          + "of \(zeros.elementType)\(zeros.shape)")
    }
    room -= bytes.count * 4
    let (inputs, rows) = (bytes.shape[1], bytes.shape[2])
    let numbers = try bytes.converted(to: .float32).array(of: Float.self)
    let factors = try scales.array(of: Float.self)
    let shifts = try zeros.converted(to: .float32).array(of: Float.self)
    let isByRow = scales.rank == 2
    return try Tensor(shape: [bytes.shape[0], rows, inputs], of: Float.self) { elements in
      for index in elements.indices {
        let direction = index / (rows * inputs)
        let (row, input) = (index / inputs % rows, index % inputs)
        let place = isByRow ? direction * rows + row : direction
        let number = numbers[(direction * inputs + input) * rows + row]
        elements[index] = (number - shifts[place]) * factors[place]
      }
    }
  }
}

extension ShapeRule {
  fileprivate static let narrowProduct = ShapeRule { query in
    let input = try query.input(0)
    guard !input.shape.isEmpty else { throw ShapeQuery.Unknown() }
    return [ValueFact(input.type, input.shape.dropLast() + [try NarrowWeights(query.info).columns])]
  }
}

/// A matrix in blocks of a few bits a number, each with a scale and perhaps a zero point.
///
/// It lies by columns: [column, block, byte], the lowest bits of a byte first.
private struct NarrowWeights: Sendable {
  let depth: Int
  let columns: Int
  private let bits: Int
  private let block: Int
  private let blocks: Int

  init(_ node: NodeInfo) throws {
    depth = try node.int("K", default: 0)
    columns = try node.int("N", default: 0)
    bits = try node.int("bits", default: 4)
    block = try node.int("block_size", default: 0)
    // How precise the sum may be; it is float32 always.
    _ = try node.int("accuracy_level")
    guard bits == 4 || bits == 8 else { throw node.unsupported("\(bits) bits") }
    let extents = 1...1 << 24
    guard extents.contains(depth), extents.contains(columns), extents.contains(block),
      block >= 16, block & (block - 1) == 0
    else { throw node.failure("a matrix of \(depth) x \(columns) in blocks of \(block)") }
    blocks = (depth - 1) / block + 1
  }

  /// How many numbers there are.
  var count: Int { depth * columns }

  private var bytesOfBlock: Int { block * bits / 8 }

  /// How many bytes the zero points of a column take.
  private var bytesOfZeros: Int { (blocks * bits + 7) / 8 }

  /// Throws if the tensors do not hold the matrix.
  func check(
    _ bytes: Tensor, _ scales: Tensor, zeros: Tensor?, _ node: some NodeFailures
  ) throws {
    guard bytes.elementType == .uint8, bytes.count == columns * blocks * bytesOfBlock,
      scales.elementType.isFloatingPoint, scales.count == columns * blocks
    else {
      throw node.failure(
        "weights of \(bytes.elementType)\(bytes.shape) and scales of "
          + "\(scales.elementType)\(scales.shape) for \(columns) columns of \(blocks) blocks")
    }
    guard let zeros else { return }
    let expected = zeros.elementType == .uint8 ? columns * bytesOfZeros : columns * blocks
    guard zeros.count == expected, zeros.elementType == .uint8 || zeros.elementType.isFloatingPoint
    else { throw node.failure("zero points of \(zeros.elementType)\(zeros.shape)") }
  }

  /// One number, as it is stored.
  private func code(_ bytes: UnsafePointer<UInt8>, _ index: Int) -> Int {
    bits == 8 ? Int(bytes[index]) : Int(bytes[index / 2] >> (index % 2 == 0 ? 0 : 4) & 15)
  }

  /// Zero points and scales by column and block, as numbers; after ``check(_:_:zeros:_:)``.
  func parameters(_ scales: Tensor, zeros: Tensor?) throws -> (scales: [Float], zeros: [Float]) {
    let factors = try scales.converted(to: .float32).array(of: Float.self)
    guard let zeros else {
      return (factors, [Float](repeating: bits == 8 ? 128 : 8, count: factors.count))
    }
    guard zeros.elementType == .uint8 else {
      return (factors, try zeros.converted(to: .float32).array(of: Float.self))
    }
    return try zeros.withElements(of: UInt8.self) { packed in
      guard let base = packed.baseAddress else { return (factors, []) }
      return (
        factors,
        (0..<columns * blocks).map {
          Float(code(base + $0 / blocks * bytesOfZeros, $0 % blocks))
        }
      )
    }
  }

  /// The numbers of one column, the next one `step` elements behind each.
  func write(
    column: Int, _ bytes: UnsafePointer<UInt8>, _ parameters: (scales: [Float], zeros: [Float]),
    to target: UnsafeMutablePointer<Float>, step: Int
  ) {
    for number in 0..<blocks {
      let place = column * blocks + number
      let (scale, zero) = (parameters.scales[place], parameters.zeros[place])
      let codes = bytes + place * bytesOfBlock
      for index in 0..<min(block, depth - number * block) {
        target[(number * block + index) * step] = (Float(code(codes, index)) - zero) * scale
      }
    }
  }

  /// The matrix, [depth, column].
  func matrix(
    _ bytes: Tensor, _ scales: Tensor, zeros: Tensor?, _ node: some NodeFailures
  ) throws -> Tensor {
    try check(bytes, scales, zeros: zeros, node)
    let parameters = try parameters(scales, zeros: zeros)
    return try Tensor(shape: [depth, columns], of: Float.self) { elements in
      guard let target = elements.baseAddress else { return }
      try bytes.withElements(of: UInt8.self) { packed in
        guard let base = packed.baseAddress else { return }
        for column in 0..<columns {
          write(column: column, base, parameters, to: target + column, step: columns)
        }
      }
    }
  }
}

/// A product with a matrix of a few bits a number, which becomes `float32` piece by piece in each run.
private struct MatMulNBits: Kernel {
  let weights: NarrowWeights

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    let bytes = try context.input(1, of: inputs)
    let scales = try context.input(2, of: inputs)
    let zeros = context.optionalInput(3, of: inputs)
    guard context.optionalInput(4, of: inputs) == nil else { throw context.unsupported("g_idx") }
    try weights.check(bytes, scales, zeros: zeros, context)
    guard given.elementType.isFloatingPoint, given.shape.last == weights.depth else {
      throw context.failure(
        "cannot multiply \(given.elementType)\(given.shape) by \(weights.depth) rows")
    }
    let left = try context.converted(given, to: .float32)
    let (depth, columns) = (weights.depth, weights.columns)
    let rows = left.count / depth
    guard rows <= GEMM.maximumExtent else { throw context.failure("\(rows) rows are too many") }
    var output = try context.allocate(.float32, given.shape.dropLast() + [columns])
    if rows > 0 {
      let parameters = try weights.parameters(scales, zeros: zeros)
      let packed = bytes.pointer(to: UInt8.self)
      let target = output.mutablePointer(to: Float.self)
      let piece = 64
      try context.parallel((columns - 1) / piece + 1, scratch: piece * depth) { item, scratch in
        let first = item * piece
        let count = min(piece, columns - first)
        for column in 0..<count {
          weights.write(
            column: first + column, packed, parameters, to: scratch + column * depth, step: 1)
        }
        GEMM.multiply(
          rows: rows, columns: count, depth: depth,
          .init(pointer: left.pointer(to: Float.self), stride: depth),
          .init(pointer: scratch, stride: depth, isTransposed: true), into: target + first,
          stride: columns)
      }
    }
    if let bias = context.optionalInput(5, of: inputs) {
      output = try context.perform("Add", [output, context.converted(bias, to: .float32)])
    }
    return [try context.converted(output, to: given.elementType)]
  }
}
