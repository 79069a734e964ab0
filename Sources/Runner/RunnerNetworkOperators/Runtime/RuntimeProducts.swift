import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Convolutions and products of ONNX Runtime, with what it fuses to them.
  package static let runtimeProducts: [Operator] = [
    Operator(
      "FusedConv", domain: OperatorDomain.runtime, inputs: 2...4,
      attributes: convolutionAttributes + [
        "activation": .string, "activation_params": .floats,
      ]
    ) { node in
      let name = try node.info.string("activation", default: "")
      let parameters = try node.info.floats("activation_params") ?? []
      let attributes = try node.info.values(of: Array(convolutionAttributes.keys))
      let bias = node.input(2).map { [$0] } ?? []
      var result = node.add(
        "Conv", [try node.required(0), try node.required(1)] + bias, attributes)
      if let other = node.input(3) { result = node.add("Add", [result, other]) }
      node.give(try node.activate(result, name, parameters: parameters))
    },
    Operator(
      "FusedGemm", domain: OperatorDomain.runtime, inputs: 2...3,
      attributes: gemmAttributes + [
        "activation": .string, "activation_alpha": .float, "activation_beta": .float,
        "activation_gamma": .float,
      ]
    ) { node in
      let name = try node.info.string("activation", default: "")
      var parameters = try ["alpha", "beta"].map { try node.info.float("activation_" + $0) }
      if let gamma = try node.info.float("activation_gamma") { parameters[1] = gamma }
      let attributes = try node.info.values(of: Array(gemmAttributes.keys))
      let addend = node.input(2).map { [$0] } ?? []
      let result = node.add(
        "Gemm", [try node.required(0), try node.required(1)] + addend, attributes)
      node.give(try node.activate(result, name, parameters: parameters))
    },
    fusedMatMul("FusedMatMul"),
    // What it was called before.
    fusedMatMul("TransposeMatMul"),
  ]

  private static let convolutionAttributes: AttributeKinds = [
    "auto_pad": .string, "dilations": .ints, "group": .int, "kernel_shape": .ints, "pads": .ints,
    "strides": .ints,
  ]

  private static let gemmAttributes: AttributeKinds = [
    "alpha": .float, "beta": .float, "transA": .int, "transB": .int,
  ]

  private static func fusedMatMul(_ name: String) -> Operator {
    Operator(
      name, domain: OperatorDomain.runtime, versions: [1], inputs: 2...2, types: .real,
      attributes: [
        "alpha": .float, "transA": .int, "transB": .int, "transBatchA": .int, "transBatchB": .int,
      ],
      shape: .fusedProduct, traits: [.product],
      expansion: { node in
        let product = try FusedMatMul(node.info)
        var operands = [try node.required(0), try node.required(1)]
        for index in 0..<2 where product.isMoved[index] {
          guard let rank = node.rank(index) else { return }
          let order = product.order(index, rank: rank)
          if order != Array(0..<rank) {
            operands[index] = node.add("Transpose", [operands[index]], ["perm": .ints(order)])
          }
        }
        var result = node.add("MatMul", operands)
        if product.alpha != 1 {
          result = node.add("Mul", [result, try node.number(product.alpha, node.type(0))])
        }
        node.give(result)
      }
    ) { try FusedMatMul($0) }
  }
}

extension ShapeRule {
  fileprivate static let fusedProduct = ShapeRule { query in
    let product = try FusedMatMul(query.info)
    let shapes = try (0..<2).map { index in
      let shape = try query.shape(index)
      return product.order(index, rank: shape.count).map { shape[$0] }
    }
    guard shapes.allSatisfy({ !$0.isEmpty }) else { throw ShapeQuery.Unknown() }
    return [ValueFact(try query.input(0).type, try ShapeRule.product(shapes[0], shapes[1], query))]
  }
}

/// `alpha a b` with the last two dimensions of a factor exchanged, or its first one moved behind the
/// batches.
private struct FusedMatMul: Kernel {
  let alpha: Float
  private let transposes: [Bool]
  private let transposesBatch: [Bool]

  init(_ node: NodeInfo) throws {
    alpha = try node.float("alpha", default: 1)
    transposes = [try node.flag("transA"), try node.flag("transB")]
    transposesBatch = [try node.flag("transBatchA"), try node.flag("transBatchB")]
  }

  /// Whether the dimensions of each factor are moved.
  var isMoved: [Bool] { (0..<2).map { transposes[$0] || transposesBatch[$0] } }

  /// The dimensions of a factor in the order in which they are multiplied.
  func order(_ index: Int, rank: Int) -> [Int] {
    var order = Array(0..<rank)
    guard rank >= 2 else { return order }
    if transposesBatch[index] {
      let first = order.removeFirst()
      order.insert(first, at: rank - 2)
    }
    if transposes[index] { order.swapAt(rank - 2, rank - 1) }
    return order
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let factors = try (0..<2).map { index -> Tensor in
      let factor = try context.input(index, of: inputs)
      guard factor.elementType.isFloatingPoint else {
        throw context.failure("cannot multiply \(factor.elementType)")
      }
      let order = order(index, rank: factor.rank)
      return order == Array(0..<factor.rank) ? factor : try context.transposed(factor, order)
    }
    let product = try context.perform("MatMul", of: OperatorFamilies.matrixProduct, factors)
    guard alpha != 1 else { return [product] }
    let factor = try Tensor(scalar: alpha).converted(to: product.elementType)
    return [try context.perform("Mul", [product, factor])]
  }
}
