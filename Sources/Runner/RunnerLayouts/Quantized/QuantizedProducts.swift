import RunnerGraph
import RunnerNetworkOperators
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Matrix products and convolutions of integers.
  package static let quantizedProducts: [Operator] = [
    Operator(
      "MatMulInteger", versions: [10], inputs: 2...4, types: ElementTypes([.int8, .uint8]),
      shape: .integerProduct, cost: .matrixProduct
    ) { node in
      QuantizedMatMul(node, isRequantized: false)
    },
    Operator(
      "QLinearMatMul", versions: [10, 21], inputs: 8...8, types: ElementTypes([.int8, .uint8]),
      shape: .quantizedProduct, cost: .matrixProduct, limits: "A result with one scale."
    ) { node in
      QuantizedMatMul(node, isRequantized: true)
    },
    Operator(
      "QGemm", domain: OperatorDomain.runtime, versions: [1], inputs: 6...9,
      types: ElementTypes([.int8, .uint8]),
      attributes: ["alpha": .float, "transA": .int, "transB": .int], shape: .quantizedGemm,
      limits: "Of ONNX Runtime's domain; with an alpha of 1 and a quantized result."
    ) { try QuantizedGemm($0) },
    Operator(
      "ConvInteger", versions: [10], inputs: 2...4, types: ElementTypes([.int8, .uint8]),
      attributes: .convolution, shape: .integerConvolution, cost: .convolution(weights: 1),
      limits: "One and two spatial dimensions."
    ) { node in
      try QuantizedConvolution(node, isRequantized: false)
    },
    Operator(
      "QLinearConv", versions: [10], inputs: 8...9, types: ElementTypes([.int8, .uint8]),
      attributes: .convolution, shape: .quantizedConvolution, cost: .convolution(weights: 3),
      limits: "One and two spatial dimensions; a result with one scale."
    ) { node in
      try QuantizedConvolution(node, isRequantized: true)
    },
  ]
}

extension OperatorFamilies {
  /// The operators with which ``QuantizationFusion`` replaces float operators; files cannot use
  /// them.
  package static let fusedQuantization: [Operator] = [
    Operator(
      "MatMul", domain: OperatorDomain.quantized, versions: [1], inputs: 8...9,
      types: ElementTypes([.int8, .uint8]), shape: .seenInRun, cost: .matrixProduct
    ) { node in QuantizedMatMul(node, isRequantized: true) },
    Operator(
      "Lookup", domain: OperatorDomain.quantized, versions: [1], inputs: 2...2,
      types: ElementTypes([.int8, .uint8]), shape: .seenInRun
    ) { _ in Lookup() },
  ]
}

extension ShapeRule {
  static let quantizedConvolution = ShapeRule { query in
    [ValueFact(try query.input(7).type, try convolved(query, weights: 3))]
  }

  static let integerConvolution = ShapeRule { [ValueFact(.int32, try convolved($0, weights: 1))] }

  static let quantizedGemm = ShapeRule {
    [ValueFact(try $0.input(8).type, try gemm($0, right: 3))]
  }

  static let quantizedProduct = ShapeRule { query in
    [ValueFact(try query.input(7).type, try product(query.shape(0), query.shape(3), query))]
  }

  static let integerProduct = ShapeRule { query in
    [ValueFact(.int32, try product(query.shape(0), query.shape(1), query))]
  }
}

/// The common part of quantised products: the places of scales and zero points in the inputs.
struct QuantizedOperands {
  let left: Tensor
  let right: Tensor
  let leftZero: Tensor?
  let rightZero: Tensor?
  /// The scales of both, and scale and zero point of the result.
  let scales: (left: Tensor, right: Tensor, result: Tensor, zero: Tensor)?

  init(_ inputs: [Tensor?], isRequantized: Bool, in context: KernelContext) throws {
    left = try context.input(0, of: inputs)
    if isRequantized {
      right = try context.input(3, of: inputs)
      leftZero = try context.input(2, of: inputs)
      rightZero = try context.input(5, of: inputs)
      scales = (
        try context.input(1, of: inputs), try context.input(4, of: inputs),
        try context.input(6, of: inputs), try context.input(7, of: inputs)
      )
    } else {
      right = try context.input(1, of: inputs)
      leftZero = context.optionalInput(2, of: inputs)
      rightZero = context.optionalInput(3, of: inputs)
      scales = nil
    }
    for (tensor, zero) in [(left, leftZero), (right, rightZero)] {
      guard tensor.elementType == .int8 || tensor.elementType == .uint8 else {
        throw context.unsupported("elements of type \(tensor.elementType)")
      }
      if let zero { try context.requireSameType([tensor, zero]) }
    }
  }

  /// `tensor` minus its zero points as `int32`; there is one, or one per slice along `axis`.
  static func centered(
    _ tensor: Tensor, _ zeros: Tensor?, axis: Int, in context: KernelContext
  ) throws -> Tensor {
    guard let zeros else { return try context.converted(tensor, to: .int32) }
    let zero = try spread(zeros, axis: axis, rank: tensor.rank, tensor.shape, in: context)
    let result = try context.combined(
      context.converted(tensor, to: .int64), context.converted(zero, to: .int64), .subtract)
    return try context.converted(result, to: .int32)
  }

  /// One number, or numbers along one axis, in a shape that broadcasts.
  static func spread(
    _ parameters: Tensor, axis: Int, rank: Int, _ shape: [Int], in context: KernelContext
  ) throws -> Tensor {
    if parameters.count == 1 { return parameters.viewed(as: []) }
    // A zero point may also have a shape that broadcasts without change.
    let isSpread = parameters.rank == rank && rank > 1
    guard
      isSpread
        ? Shapes.broadcast([parameters.shape, shape]) == shape
        : axis < rank && parameters.count == shape[axis]
    else {
      throw context.failure("\(parameters.count) scales or zero points for shape \(shape)")
    }
    if isSpread { return parameters }
    var view = [Int](repeating: 1, count: rank)
    view[axis] = parameters.count
    return parameters.viewed(as: view)
  }

  /// The kernels' conversion of sums with `columns` outputs, and the type of the result; nil if it
  /// is not supported.
  func finish(columns: Int) -> (ElementType, ProductFinish.Result)? {
    guard let scales else { return (.int32, .sums) }
    let type = scales.zero.elementType
    guard scales.left.count == 1, scales.result.count == 1, scales.zero.count == 1,
      scales.right.count == 1 || (scales.right.rank == 1 && scales.right.count == columns),
      [scales.left, scales.right, scales.result].allSatisfy({ $0.elementType == .float32 }),
      type == .int8 || type == .uint8
    else { return nil }
    let right = scales.right.pointer(to: Float.self)
    let (left, result) = (scales.left.pointer(to: Float.self)[0], scales.result)
    let factors = (0..<(columns + 15) / 16 * 16).map { column -> Float in
      guard column < columns else { return 0 }
      return left * right[scales.right.count == 1 ? 0 : column] / result.pointer(to: Float.self)[0]
    }
    return (
      type,
      .bytes(
        scale: TensorStorage(copying: factors), zero: Tensor.zeroPoints(scales.zero)[0],
        range: type == .int8 ? -128...127 : 0...255)
    )
  }

  /// An `int32` result, scaled and quantised again if this is needed.
  func requantized(
    _ sums: Tensor, leftAxis: Int, rightAxis: Int, in context: KernelContext
  ) throws -> Tensor {
    guard let scales else { return sums }
    guard scales.result.count == 1, scales.zero.count == 1 else {
      throw context.unsupported("a result with several scales")
    }
    func spread(_ scale: Tensor, _ axis: Int) throws -> Tensor {
      try Self.spread(
        context.converted(scale, to: .float32), axis: axis, rank: sums.rank, sums.shape,
        in: context)
    }
    // One factor, as the kernels have it: rounded one after the other, a half may become less.
    let product = try context.combined(
      spread(scales.left, leftAxis), spread(scales.right, rightAxis), .multiply)
    let factor = try context.combined(product, spread(scales.result, 0), .divide)
    let value = try context.combined(context.converted(sums, to: .float32), factor, .multiply)
    return try context.quantized(
      value, scale: Tensor(scalar: Float(1)), zeroPoint: scales.zero.viewed(as: []),
      to: scales.zero.elementType)
  }
}

/// Products of 8-bit matrices.
///
/// Special kernels need one scale and zero point for the left matrix and for the result, and at
/// most one per column for the right one. All other cases use the direct method.
private struct QuantizedMatMul: Kernel {
  let isRequantized: Bool
  /// The right matrix, if it is known at load.
  private let packed: PackedBytes?

  init(isRequantized: Bool) {
    self.isRequantized = isRequantized
    packed = nil
  }

  init(_ node: NodeInfo, isRequantized: Bool) {
    self.isRequantized = isRequantized
    let (matrix, zero) = isRequantized ? (3, 5) : (1, 3)
    let hasZero = node.hasInput.indices.contains(zero) && node.hasInput[zero]
    if let right = node.constant(matrix), !hasZero || node.constant(zero) != nil {
      packed = Self.packed(right, zeros: node.constant(zero))
    } else {
      packed = nil
    }
  }

  /// A matrix of 8-bit numbers in the kernels' form; nil if they cannot use it.
  private static func packed(_ right: Tensor, zeros: Tensor?) -> PackedBytes? {
    guard right.rank == 2, right.elementType == .int8 || right.elementType == .uint8,
      zeros.map({
        $0.elementType == right.elementType
          && ($0.count == 1 || ($0.rank == 1 && $0.count == right.shape[1]))
      }) ?? true
    else { return nil }
    return packed(right, offset: 0, right.shape[0], right.shape[1], zeros)
  }

  private static func packed(
    _ right: Tensor, offset: Int, _ depth: Int, _ columns: Int, _ zeros: Tensor?
  ) -> PackedBytes {
    PackedBytes(
      right.pointer(to: UInt8.self) + offset, isSigned: right.elementType == .int8,
      steps: .init(output: 1, input: columns, tap: 0), zeros: Tensor.zeroPoints(zeros),
      outputs: columns, inputs: depth, taps: 1)
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let operands = try QuantizedOperands(inputs, isRequantized: isRequantized, in: context)
    // Only QuantizationFusion gives a bias, and then the kernels support the node.
    let bias = context.optionalInput(8, of: inputs)
    if let result = try product(operands, bias: bias, in: context) { return [result] }
    guard bias == nil else { throw context.unsupported("a bias with these scales") }
    // Rows of the left and columns of the right matrix may have their own zero points.
    let left = try QuantizedOperands.centered(
      operands.left, operands.leftZero, axis: max(operands.left.rank - 2, 0), in: context)
    let right = try QuantizedOperands.centered(
      operands.right, operands.rightZero, axis: max(operands.right.rank - 1, 0), in: context)
    // The plain matrix product multiplies integers exactly.
    let sums = try context.perform("MatMul", of: OperatorFamilies.matrixProduct, [left, right])
    return [
      try operands.requantized(
        sums, leftAxis: max(sums.rank - 2, 0), rightAxis: max(sums.rank - 1, 0), in: context)
    ]
  }

  /// The product by its kernels; nil if they do not support it.
  private func product(
    _ operands: QuantizedOperands, bias: Tensor?, in context: KernelContext
  ) throws -> Tensor? {
    let (left, right) = (operands.left, operands.right)
    guard left.rank >= 2, right.rank >= 2, operands.leftZero.map({ $0.count == 1 }) ?? true
    else { return nil }
    let shape = try ProductShape(left.shape, right.shape, context)
    let zeros = operands.rightZero
    guard shape.depth > 0, shape.columns > 0,
      bias.map({ $0.elementType == .int32 && $0.shape == [shape.columns] }) ?? true,
      zeros.map({ $0.count == 1 || (right.rank == 2 && $0.rank == 1) }) ?? true
    else { return nil }
    if let zeros, zeros.count > 1, zeros.count != shape.columns { return nil }
    guard let (type, result) = operands.finish(columns: shape.columns) else { return nil }
    let output = try context.allocate(type, shape.output)
    guard output.count > 0 else { return output }
    let zero = Tensor.zeroPoints(operands.leftZero)[0] + left.unsignedShift
    for (index, offset) in shape.offsets.enumerated() {
      try context.checkCancellation()
      let weights =
        packed ?? Self.packed(right, offset: offset.b, shape.depth, shape.columns, zeros)
      let rows = try IntegerMatrixProduct.Rows(
        left, offset: offset.a, count: shape.rows, depth: shape.depth, in: context)
      IntegerMatrixProduct.run(
        rows, weights,
        ProductFinish(
          result: result,
          offsets: TensorStorage(
            copying: weights.offsets(inputZero: zero, bias: bias?.pointer(to: Int32.self))),
          weightZeros: weights.zeros),
        into: output.mutableBytes + index * shape.rows * shape.columns * type.byteCount,
        elementSize: type.byteCount, in: context)
    }
    return output
  }
}

/// ONNX Runtime's matrix product with a bias: with scales of the result, and with an alpha of 1.
private struct QuantizedGemm: Kernel {
  private let product: QuantizedMatMul
  private let transposesA: Bool
  private let transposesB: Bool

  init(_ node: NodeInfo) throws {
    guard try node.float("alpha", default: 1) == 1 else {
      throw node.unsupported("an alpha other than 1")
    }
    transposesA = try node.flag("transA")
    transposesB = try node.flag("transB")
    product = QuantizedMatMul(isRequantized: true)
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    guard inputs.count > 8 else { throw context.unsupported("a result that is not quantized") }
    func matrix(_ index: Int, isTransposed: Bool) throws -> Tensor {
      let matrix = try context.input(index, of: inputs)
      guard matrix.rank == 2 else {
        throw context.failure("expected a matrix, got \(matrix.shape)")
      }
      return isTransposed ? try context.perform("Transpose", [matrix]) : matrix
    }
    let a = try matrix(0, isTransposed: transposesA)
    let b = try matrix(3, isTransposed: transposesB)
    return try product.run(
      [a, inputs[1], inputs[2], b, inputs[4], inputs[5], inputs[7], inputs[8], inputs[6]],
      in: context)
  }
}
