import Foundation
import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Normalizations that are made of other operators.
  package static let furtherNormalization: [Operator] = [
    Operator(
      "LpNormalization", versions: [1, 22], inputs: 1...1, types: .real,
      attributes: ["axis": .int, "p": .int], shape: .likeFirst
    ) {
      node in
      let p = try node.int("p", default: 2)
      guard p == 1 || p == 2 else { throw node.failure("attribute 'p' is \(p), expected 1 or 2") }
      return LpNormalization(axis: try node.int("axis", default: -1), isFirst: p == 1)
    },
    Operator(
      "MeanVarianceNormalization", versions: [9, 13], inputs: 1...1, types: .real,
      attributes: ["axes": .ints], shape: .likeFirst
    ) { node in
      MeanVarianceNormalization(axes: try node.ints("axes") ?? [0, 2, 3])
    },
    Operator(
      "RMSNormalization", versions: [23], inputs: 2...2, types: .real,
      attributes: ["axis": .int, "epsilon": .float], shape: .likeFirst
    ) {
      node in
      RMSNormalization(
        axis: try node.int("axis", default: -1), epsilon: try node.float("epsilon", default: 1e-5))
    },
    Operator(
      "LRN", versions: [1, 13], inputs: 1...1, types: .real,
      attributes: ["alpha": .float, "beta": .float, "bias": .float, "size": .int], shape: .likeFirst
    ) { node in
      guard let size = try node.int("size"), size > 0 else {
        throw node.failure("attribute 'size' is missing or not positive")
      }
      return LocalResponseNormalization(
        size: size, alpha: try node.float("alpha", default: 1e-4),
        beta: try node.float("beta", default: 0.75), bias: try node.float("bias", default: 1))
    },
  ]
}

/// Divided by the norm along an axis; zeros stay zeros.
private struct LpNormalization: Kernel {
  let axis: Int
  let isFirst: Bool

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType.isFloatingPoint else {
      throw context.failure("elements are \(input.elementType)")
    }
    let axis = try context.normalizedAxis(axis, rank: input.rank)
    let value = try context.converted(input, to: .float32)
    let norm = try context.perform(
      isFirst ? "ReduceL1" : "ReduceL2", [value, context.axes([axis])])
    let result = try context.combined(value, norm) { (x: Float, norm: Float) in
      norm == 0 ? 0 : x / norm
    }
    return [try context.converted(result, to: input.elementType)]
  }
}

/// Mean 0 and deviation 1 over some axes.
private struct MeanVarianceNormalization: Kernel {
  let axes: [Int]

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType.isFloatingPoint else {
      throw context.failure("elements are \(input.elementType)")
    }
    let value = try context.converted(input, to: .float32)
    let axes = try context.axes(axes)
    let mean = try context.perform("ReduceMean", [value, axes])
    let centered = try context.combined(value, mean, .subtract)
    let squares = try context.combined(centered, centered, .multiply)
    let variance = try context.perform("ReduceMean", [squares, axes])
    let result = try context.combined(centered, variance) { (x: Float, variance: Float) in
      x / (variance.squareRoot() + 1e-9)
    }
    return [try context.converted(result, to: input.elementType)]
  }
}

/// Divided by the root of the mean square over the last axes (Zhang and Sennrich, 2019).
private struct RMSNormalization: Kernel {
  let axis: Int
  let epsilon: Float

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let scale = try context.converted(context.input(1, of: inputs), to: .float32)
    guard input.elementType.isFloatingPoint else {
      throw context.failure("elements are \(input.elementType)")
    }
    let axis = try context.normalizedAxis(axis, rank: input.rank)
    let value = try context.converted(input, to: .float32)
    let squares = try context.combined(value, value, .multiply)
    let mean = try context.perform(
      "ReduceMean", [squares, context.axes(Array(axis..<input.rank))])
    let normalized = try context.combined(value, mean) { (x: Float, mean: Float) in
      x / (mean + epsilon).squareRoot()
    }
    let result = try context.combined(normalized, scale, .multiply)
    guard result.shape == input.shape else {
      throw context.failure("scale \(scale.shape) for input \(input.shape)")
    }
    return [try context.converted(result, to: input.elementType)]
  }
}

/// Divided by a power of the sum of squares over neighbouring channels (Krizhevsky et al., 2012).
private struct LocalResponseNormalization: Kernel {
  let size: Int
  let alpha: Float
  let beta: Float
  let bias: Float

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.rank >= 2, input.elementType.isFloatingPoint else {
      throw context.failure("input \(input.elementType)\(input.shape)")
    }
    let value = try context.converted(input, to: .float32)
    let squares = try context.combined(value, value, .multiply)
    let sums = try context.allocate(.float32, input.shape)
    let lines = AxisLines(input.shape, axis: 1)
    let from = squares.pointer(to: Float.self)
    let to = sums.mutablePointer(to: Float.self)
    let before = (size - 1) / 2
    context.parallel(lines.count, grain: 256) { range in
      for line in range {
        let start = lines.start(line)
        for channel in 0..<lines.extent {
          let first = max(0, channel - before)
          let last = min(lines.extent - 1, channel - before + min(size, 1 << 32) - 1)
          var sum: Float = 0
          for other in first...max(first, last) { sum += from[start + other * lines.stride] }
          to[start + channel * lines.stride] = sum
        }
      }
    }
    let factor = alpha / Float(size)
    let result = try context.combined(value, sums) { (x: Float, sum: Float) in
      x / pow(bias + factor * sum, beta)
    }
    return [try context.converted(result, to: input.elementType)]
  }
}
