import Foundation
import RunnerGraph
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Functions of one number, element by element.
  package static let unary: [Operator] = [
    plain(
      "Abs", [6, 13], types: .numeric, traits: [.elementwise, .widens], { abs($0) }, { abs($0) },
      { $0 < 0 ? 0 &- $0 : $0 }, { $0 }),
    plain(
      "Neg", [6, 13], types: .real + ElementTypes([.int8, .int16, .int32, .int64]),
      traits: [.elementwise, .widens], { -$0 }, { -$0 }, { 0 &- $0 }, { 0 &- $0 }),
    plain("Sign", [9, 13], types: .numeric, sign, sign, { $0.signum() }, { $0.signum() }),
    plain("Floor", [6, 13], { $0.rounded(.down) }, { $0.rounded(.down) }),
    plain("Ceil", [6, 13], { $0.rounded(.up) }, { $0.rounded(.up) }),
    plain("Round", [11, 22], { $0.rounded(.toNearestOrEven) }, { $0.rounded(.toNearestOrEven) }),
    plain("Reciprocal", [6, 13], traits: [.widens], { 1 / $0 }, { 1 / $0 }),
    plain(
      "Sqrt", [6, 13], memory: .inPlace, traits: [.elementwise, .widens], { $0.squareRoot() },
      { $0.squareRoot() }),
    plain("Log", [6, 13], traits: [.widens], { log($0) }, { log($0) }),
    plain("Sin", [7, 22], { sin($0) }, { sin($0) }),
    plain("Cos", [7, 22], { cos($0) }, { cos($0) }),
    plain("Tan", [7, 22], { tan($0) }, { tan($0) }),
    plain("Asin", [7, 22], { asin($0) }, { asin($0) }),
    plain("Acos", [7, 22], { acos($0) }, { acos($0) }),
    plain("Atan", [7, 22], { atan($0) }, { atan($0) }),
    plain("Sinh", [9, 22], { sinh($0) }, { sinh($0) }),
    plain("Cosh", [9, 22], { cosh($0) }, { cosh($0) }),
    plain("Asinh", [9, 22], { asinh($0) }, { asinh($0) }),
    plain("Acosh", [9, 22], { acosh($0) }, { acosh($0) }),
    plain("Atanh", [9, 22], { atanh($0) }, { atanh($0) }),
    fast("Exp", [6, 13], { _ in vk_activation(kind: VK_EXP, alpha: 0, beta: 0) }) { exp($0) },
    fast("Erf", [9, 13], { _ in vk_activation(kind: VK_ERF, alpha: 0, beta: 0) }) { erf($0) },
    fast("Tanh", [6, 13], { _ in vk_activation(kind: VK_TANH, alpha: 0, beta: 0) }) { tanh($0) },
    fast("Sigmoid", [6, 13], { _ in vk_activation(kind: VK_SIGMOID, alpha: 0, beta: 0) }) {
      1 / (1 + exp(-$0))
    },
  ]

  /// Activations of neural networks, with their attributes.
  package static let activations: [Operator] = [
    activation(
      "Relu", [6, 13, 14], types: .real + ElementTypes([.int8, .int16, .int32, .int64]),
      memory: .inPlace
    ) { _ in
      UnaryKernel(
        kernel: vk_activation(kind: VK_RELU, alpha: 0, beta: 0),
        float64: { $0 < 0 ? 0 : $0 }, int64: { max($0, 0) }, uint64: { $0 })
    },
    activation("HardSwish", [14, 22], memory: .inPlace) { _ in
      UnaryKernel(kernel: vk_activation(kind: VK_HARD_SWISH, alpha: 0, beta: 0)) {
        $0 * min(max($0 / 6 + 0.5, 0), 1)
      }
    },
    activation("HardSigmoid", [6, 22], ["alpha": .float, "beta": .float], memory: .inPlace) {
      node in
      let alpha = try node.float("alpha", default: 0.2)
      let beta = try node.float("beta", default: 0.5)
      return UnaryKernel(kernel: vk_activation(kind: VK_HARD_SIGMOID, alpha: alpha, beta: beta)) {
        min(max($0 * Double(alpha) + Double(beta), 0), 1)
      }
    },
    activation("LeakyRelu", [6, 16], ["alpha": .float], memory: .inPlace) { node in
      let alpha = try node.float("alpha", default: 0.01)
      return UnaryKernel(kernel: vk_activation(kind: VK_LEAKY_RELU, alpha: alpha, beta: 0)) {
        $0 < 0 ? $0 * Double(alpha) : $0
      }
    },
    activation("Gelu", [20], ["approximate": .string], memory: .inPlace) {
      try UnaryKernel.gelu($0)
    },
    activation("Elu", [6, 22], ["alpha": .float], memory: .inPlace) { node in
      let alpha = try node.float("alpha", default: 1)
      return UnaryKernel(kernel: vk_activation(kind: VK_ELU, alpha: alpha, beta: 1)) {
        $0 < 0 ? Double(alpha) * expm1($0) : $0
      }
    },
    activation("Celu", [12], ["alpha": .float], traits: []) { node in
      let alpha = Double(try node.float("alpha", default: 1))
      return UnaryKernel(float64: { max(0, $0) + min(0, alpha * expm1($0 / alpha)) })
    },
    activation("Selu", [6, 22], ["alpha": .float, "gamma": .float], traits: []) { node in
      let alpha = try node.float("alpha", default: 1.673_263_2)
      let gamma = try node.float("gamma", default: 1.050_701)
      return UnaryKernel(kernel: vk_activation(kind: VK_ELU, alpha: alpha, beta: gamma)) {
        Double(gamma) * ($0 > 0 ? $0 : Double(alpha) * expm1($0))
      }
    },
    activation("Softplus", [1, 22]) { _ in
      UnaryKernel(float64: softplus)
    },
    activation("Softsign", [1, 22], traits: []) { _ in
      UnaryKernel(float64: { $0 / (1 + abs($0)) })
    },
    activation("Mish", [18, 22]) { _ in
      UnaryKernel(float64: { $0 * tanh(softplus($0)) })
    },
    activation("Swish", [24], ["alpha": .float], traits: []) { node in
      let alpha = try node.float("alpha", default: 1)
      let silu = alpha == 1 ? vk_activation(kind: VK_SILU, alpha: 0, beta: 0) : nil
      return UnaryKernel(kernel: silu) { $0 / (1 + exp(-Double(alpha) * $0)) }
    },
    activation("ThresholdedRelu", [10, 22], ["alpha": .float], traits: []) { node in
      let alpha = Double(try node.float("alpha", default: 1))
      return UnaryKernel(float64: { $0 > alpha ? $0 : 0 })
    },
    activation("Shrink", [9], types: .numeric, ["bias": .float, "lambd": .float], traits: []) {
      node in
      let bias = Double(try node.float("bias", default: 0))
      let bound = Double(try node.float("lambd", default: 0.5))
      let shrink: @Sendable (Double) -> Double = {
        $0 < -bound ? $0 + bias : $0 > bound ? $0 - bias : 0
      }
      return UnaryKernel(
        float64: shrink, int64: { Int64(clampingValue: shrink(Double($0))) },
        uint64: { UInt64(clamping: Int64(clampingValue: shrink(Double($0)))) })
    },
  ]

  /// A function that may have attributes.
  private static func activation(
    _ name: String, _ versions: [Int], types: ElementTypes = .real,
    _ attributes: AttributeKinds = [:], memory: MemoryTrait = .fresh,
    traits: OperatorTraits = [.elementwise, .widens],
    make: @escaping @Sendable (NodeInfo) throws -> any Kernel
  ) -> Operator {
    Operator(
      name, versions: versions, inputs: 1...1, types: types, attributes: attributes,
      shape: .likeFirst, memory: memory, traits: traits, make: make)
  }

  /// A function with no attributes, the same in both precisions.
  private static func plain(
    _ name: String, _ versions: [Int], types: ElementTypes = .real, memory: MemoryTrait = .fresh,
    traits: OperatorTraits = [], _ float32: @escaping @Sendable (Float) -> Float,
    _ float64: @escaping @Sendable (Double) -> Double,
    _ int64: (@Sendable (Int64) -> Int64)? = nil, _ uint64: (@Sendable (UInt64) -> UInt64)? = nil
  ) -> Operator {
    Operator(
      name, versions: versions, inputs: 1...1, types: types, shape: .likeFirst, memory: memory,
      traits: traits
    ) { _ in
      UnaryKernel(float32: float32, float64: float64, int64: int64, uint64: uint64)
    }
  }

  /// A function with a kernel of its own for `float32`.
  private static func fast(
    _ name: String, _ versions: [Int],
    _ kernel: @escaping @Sendable (NodeInfo) throws -> vk_activation,
    _ float64: @escaping @Sendable (Double) -> Double
  ) -> Operator {
    Operator(
      name, versions: versions, inputs: 1...1, types: .real, shape: .likeFirst, memory: .inPlace,
      traits: [.elementwise, .widens]
    ) { node in
      UnaryKernel(kernel: try kernel(node), float64: float64)
    }
  }
}

/// The sign of a number as -1, 0 or 1; NaN stays NaN.
private func sign<Real: BinaryFloatingPoint>(_ value: Real) -> Real {
  value > 0 ? 1 : value < 0 ? -1 : value
}

/// ln(1 + e^x), without overflow.
private func softplus(_ value: Double) -> Double {
  max(value, 0) + log1p(exp(-abs(value)))
}

extension Int64 {
  /// The integer below or above `value` towards zero, kept within range; 0 for NaN.
  package init(clampingValue value: Double) {
    if value.isNaN {
      self = 0
    } else if value >= 0x1p63 {
      self = .max
    } else {
      self = value < -0x1p63 ? .min : Int64(value)
    }
  }
}

/// A function of one number: by a C kernel or a `float32` closure if there is one, else in
/// `float64`; integers only where the operator has them.
package struct UnaryKernel: Kernel {
  var kernel: vk_activation?
  var float32: (@Sendable (Float) -> Float)?
  let float64: @Sendable (Double) -> Double
  var int64: (@Sendable (Int64) -> Int64)?
  var uint64: (@Sendable (UInt64) -> UInt64)?

  package init(
    kernel: vk_activation? = nil, float32: (@Sendable (Float) -> Float)? = nil,
    float64: @escaping @Sendable (Double) -> Double,
    int64: (@Sendable (Int64) -> Int64)? = nil, uint64: (@Sendable (UInt64) -> UInt64)? = nil
  ) {
    self.kernel = kernel
    self.float32 = float32
    self.float64 = float64
    self.int64 = int64
    self.uint64 = uint64
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType != .bool else { throw context.failure("elements are truth values") }
    let value = try context.widened(input)
    let result: Tensor
    switch try context.computeType(of: input) {
    case .float32:
      if let kernel {
        result = try context.activated(value, kernel)
      } else if let float32 {
        result = try context.mapped(value, float32)
      } else {
        result = try context.mapped(value) { (x: Float) in Float(float64(Double(x))) }
      }
    case .float64: result = try context.mapped(value, float64)
    case .int64:
      guard let int64 else { throw context.unsupported("elements of type \(input.elementType)") }
      result = try context.mapped(value, int64)
    case .uint64:
      guard let uint64 else { throw context.unsupported("elements of type \(input.elementType)") }
      result = try context.mapped(value, uint64)
    }
    return [try context.converted(result, to: input.elementType)]
  }
}

extension UnaryKernel {
  /// The Gaussian error linear unit that a node's attribute `approximate` names.
  package static func gelu(_ node: NodeInfo) throws -> UnaryKernel {
    switch try node.string("approximate", default: "none") {
    case "none":
      return UnaryKernel(kernel: Activation.gelu.kernelForm) {
        $0 / 2 * (1 + erf($0 / 2.0.squareRoot()))
      }
    case "tanh":
      let scale = (2 / Double.pi).squareRoot()
      return UnaryKernel(kernel: Activation.tanhGELU.kernelForm) {
        $0 / 2 * (1 + tanh(scale * ($0 + 0.044715 * $0 * $0 * $0)))
      }
    case let other:
      throw node.failure("attribute 'approximate' is '\(other)', expected 'none' or 'tanh'")
    }
  }
}

extension KernelContext {
  /// A `float32` tensor through an activation.
  func activated(_ tensor: Tensor, _ activation: vk_activation) throws -> Tensor {
    let output = try allocate(.float32, tensor.shape)
    let from = tensor.pointer(to: Float.self)
    let to = output.mutablePointer(to: Float.self)
    parallel(tensor.count, grain: 1 << 14) { range in
      rk_activate_f32(
        from + range.lowerBound, to + range.lowerBound, range.count, activation)
    }
    return output
  }
}
