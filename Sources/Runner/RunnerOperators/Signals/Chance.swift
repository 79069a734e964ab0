import Foundation
import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Numbers by chance, which are the same in each run.
  package static let chance: [Operator] = [
    Operator(
      "RandomNormal", versions: [1, 22], inputs: 0...0, types: .real,
      attributes: normalAttributes + ["shape": .ints], shape: .givenShape, traits: [.random],
      limits: seedNote
    ) { RandomTensor(try Randomness(normal: $0), try TensorForm($0)) },
    Operator(
      "RandomNormalLike", versions: [1, 22], inputs: 1...1, types: .any,
      attributes: normalAttributes, shape: .likeInput, traits: [.random], limits: seedNote
    ) { RandomTensor(try Randomness(normal: $0), try TensorForm(like: $0)) },
    Operator(
      "RandomUniform", versions: [1, 22], inputs: 0...0, types: .real,
      attributes: uniformAttributes + ["shape": .ints], shape: .givenShape, traits: [.random],
      limits: seedNote
    ) { RandomTensor(try Randomness(uniform: $0), try TensorForm($0)) },
    Operator(
      "RandomUniformLike", versions: [1, 22], inputs: 1...1, types: .any,
      attributes: uniformAttributes, shape: .likeInput, traits: [.random], limits: seedNote
    ) { RandomTensor(try Randomness(uniform: $0), try TensorForm(like: $0)) },
    Operator(
      "Bernoulli", versions: [15, 22], inputs: 1...1, types: .real,
      attributes: ["dtype": .int, "seed": .float], shape: .likeInput, traits: [.random],
      limits: seedNote
    ) { Bernoulli(seed: try Seed($0), type: try $0.elementType("dtype")) },
    Operator(
      "Multinomial", versions: [7, 22], inputs: 1...1, types: .real,
      attributes: ["dtype": .int, "sample_size": .int, "seed": .float], shape: .samples,
      traits: [.random], limits: seedNote
    ) { try Multinomial($0) },
  ]

  private static let normalAttributes: AttributeKinds = [
    "dtype": .int, "mean": .float, "scale": .float, "seed": .float,
  ]

  private static let uniformAttributes: AttributeKinds = [
    "dtype": .int, "high": .float, "low": .float, "seed": .float,
  ]

  private static let seedNote =
    "A seed means the same numbers in each run, on any number of threads, which are not ONNX Runtime's. "
    + "Without one it is made of the node's name."
}

extension ShapeRule {
  fileprivate static let givenShape = ShapeRule { query in
    let form = try TensorForm(query.info)
    guard let shape = form.shape, let type = form.type else { throw ShapeQuery.Unknown() }
    return [ValueFact(type, shape)]
  }

  fileprivate static let likeInput = ShapeRule { query in
    let input = try query.input(0)
    return [ValueFact(try query.info.elementType("dtype") ?? input.type, input.shape)]
  }

  fileprivate static let samples = ShapeRule { query in
    let shape = try query.shape(0)
    guard shape.count == 2 else { throw ShapeQuery.Unknown() }
    return [
      ValueFact(
        try query.info.elementType("dtype") ?? .int32,
        [shape[0], try query.info.int("sample_size", default: 1)])
    ]
  }
}

/// Where numbers of a node start.
private struct Seed: Sendable {
  private let value: UInt64

  /// The node's seed, or one made of its name by FNV-1a (Fowler, Noll and Vo).
  init(_ node: NodeInfo) throws {
    if let seed = try node.float("seed") {
      value = Self.mixed(UInt64(seed.bitPattern))
    } else {
      value = node.name.utf8.reduce(0xCBF2_9CE4_8422_2325) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
    }
  }

  /// The number at a place, in 0 ..< 1, whichever others are asked for: SplitMix64 (Steele, Lea and Flood,
  /// "Fast splittable pseudorandom number generators", 2014) of a counter.
  func uniform(_ place: Int) -> Double {
    let state = value &+ UInt64(truncatingIfNeeded: place) &* 0x9E37_79B9_7F4A_7C15
    return Double(Self.mixed(state) >> 11) * 0x1p-53
  }

  /// A number of the normal distribution with mean 0 and deviation 1 (Box and Muller, "A note on the
  /// generation of random normal deviates", 1958).
  func normal(_ place: Int) -> Double {
    let (first, second) = (uniform(2 &* place), uniform(2 &* place &+ 1))
    return (-2 * log(1 - first)).squareRoot() * cos(2 * Double.pi * second)
  }

  private static func mixed(_ state: UInt64) -> UInt64 {
    var z = state &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// How numbers are spread.
private struct Randomness: Sendable {
  private let seed: Seed
  private let start: Double
  private let width: Double
  private let isNormal: Bool

  init(normal node: NodeInfo) throws {
    seed = try Seed(node)
    start = Double(try node.float("mean", default: 0))
    width = Double(try node.float("scale", default: 1))
    isNormal = true
  }

  init(uniform node: NodeInfo) throws {
    seed = try Seed(node)
    let low = Double(try node.float("low", default: 0))
    start = low
    width = Double(try node.float("high", default: 1)) - low
    isNormal = false
  }

  func number(_ place: Int) -> Double {
    start + width * (isNormal ? seed.normal(place) : seed.uniform(place))
  }
}

/// The type and shape of what is made; nil is like the input.
private struct TensorForm: Sendable {
  let type: ElementType?
  let shape: [Int]?

  init(_ node: NodeInfo) throws {
    guard let shape = try node.ints("shape") else { throw node.failure("shape must be given") }
    self.shape = shape
    type = try Self.type(node) ?? .float32
  }

  init(like node: NodeInfo) throws {
    shape = nil
    type = try Self.type(node)
  }

  private static func type(_ node: NodeInfo) throws -> ElementType? {
    let type = try node.elementType("dtype")
    guard type?.isFloatingPoint ?? true else {
      throw node.failure("dtype is \(type?.description ?? ""), expected floating point")
    }
    return type
  }
}

private struct RandomTensor: Kernel {
  let randomness: Randomness
  let form: TensorForm

  init(_ randomness: Randomness, _ form: TensorForm) {
    self.randomness = randomness
    self.form = form
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = context.optionalInput(0, of: inputs)
    guard let shape = form.shape ?? input?.shape, let type = form.type ?? input?.elementType,
      type.isFloatingPoint
    else { throw context.failure("elements are \(input.map { "\($0.elementType)" } ?? "unknown")") }
    let output = try context.allocate(.float64, shape)
    let to = output.mutablePointer(to: Double.self)
    context.parallel(output.count, grain: 1 << 12) { range in
      for index in range { to[index] = randomness.number(index) }
    }
    return [try context.converted(output, to: type)]
  }
}

/// 1 with the probability that the input says, or else 0.
private struct Bernoulli: Kernel {
  let seed: Seed
  let type: ElementType?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType.isFloatingPoint, type != .string else {
      throw context.failure("probabilities are \(input.elementType)")
    }
    let chances = try context.converted(input, to: .float64)
    let output = try context.allocate(.int64, input.shape)
    let (from, to) = (chances.pointer(to: Double.self), output.mutablePointer(to: Int64.self))
    context.parallel(output.count, grain: 1 << 12) { range in
      for index in range { to[index] = seed.uniform(index) < from[index] ? 1 : 0 }
    }
    return [
      try withExtendedLifetime(chances) {
        try context.converted(output, to: type ?? input.elementType)
      }
    ]
  }
}

/// Classes by chance, each row of the input being logarithms of their probabilities up to a constant.
private struct Multinomial: Kernel {
  private let seed: Seed
  private let type: ElementType
  private let count: Int

  init(_ node: NodeInfo) throws {
    seed = try Seed(node)
    type = try node.elementType("dtype") ?? .int32
    count = try node.int("sample_size", default: 1)
    guard type == .int32 || type == .int64, count >= 0 else {
      throw node.failure("\(count) samples of type \(type)")
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.rank == 2, input.elementType.isFloatingPoint, input.shape[1] > 0 else {
      throw context.failure("probabilities are \(input.elementType)\(input.shape)")
    }
    let weights = try context.converted(
      context.perform(
        "Softmax", attributes: ["axis": .int(1)], [context.converted(input, to: .float32)]),
      to: .float64)
    let classes = input.shape[1]
    let output = try context.allocate(.int64, [input.shape[0], count])
    let (from, to) = (weights.pointer(to: Double.self), output.mutablePointer(to: Int64.self))
    for row in 0..<input.shape[0] where count > 0 {
      try context.checkCancellation()
      var sums: [Double] = []
      sums.reserveCapacity(classes)
      var sum = 0.0
      for index in 0..<classes {
        sum += from[row * classes + index]
        sums.append(sum)
      }
      for place in row * count..<(row + 1) * count {
        let limit = seed.uniform(place) * sum
        var (low, high) = (0, classes - 1)
        while low < high {
          let middle = (low + high) / 2
          if sums[middle] > limit { high = middle } else { low = middle + 1 }
        }
        to[place] = Int64(low)
      }
    }
    return [try withExtendedLifetime(weights) { try context.converted(output, to: type) }]
  }
}
