import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Poolings.
  package static let pooling: [Operator] = [
    Operator(
      "MaxPool", versions: [1, 8, 10, 11, 12, 22], inputs: 1...1, outputs: 1...2,
      types: .real + ElementTypes([.int8, .uint8]), attributes: .pooling + ["storage_order": .int],
      shape: .maximumPool, traits: [.widens]
    ) {
      try MaxPool($0)
    },
    Operator(
      "AveragePool", versions: [1, 7, 10, 11, 19, 22], inputs: 1...1, types: .real,
      attributes: .averagePooling, shape: .pool, traits: [.widens]
    ) {
      try AveragePool($0)
    },
    Operator(
      "LpPool", versions: [1, 2, 11, 18, 22], inputs: 1...1, types: .real,
      attributes: .pooling + ["p": .int], shape: .pool
    ) {
      try LpPool($0)
    },
    Operator(
      "GlobalAveragePool", versions: [1, 22], inputs: 1...1, types: .real, shape: .globalPool,
      traits: [.widens]
    ) { _ in
      GlobalPool(kind: .average)
    },
    Operator(
      "GlobalMaxPool", versions: [1, 22], inputs: 1...1, types: .real, shape: .globalPool,
      traits: [.widens]
    ) { _ in
      GlobalPool(kind: .max)
    },
    Operator(
      "GlobalLpPool", versions: [1, 2, 22], inputs: 1...1, types: .real, attributes: ["p": .int],
      shape: .globalPool
    ) {
      let power = try $0.int("p", default: 2)
      guard power >= 1 else { throw $0.failure("p is \(power), must be at least 1") }
      return GlobalPool(kind: .power(power))
    },
  ]
}

extension ShapeRule {
  package static let maximumPool = ShapeRule { query in
    let shape = try pooling(query)
    return [ValueFact(try query.input(0).type, shape), ValueFact(.int64, shape)]
  }

  package static let pool = ShapeRule { [ValueFact(try $0.input(0).type, try pooling($0))] }

  package static let globalPool = ShapeRule { [ValueFact(try $0.input(0).type, try global($0))] }

  private static func pooling(_ query: ShapeQuery) throws -> [Int] {
    let input = try query.shape(0)
    let window = try SlidingWindow(query.info)
    guard input.count >= 3, let kernel = window.kernel else { throw ShapeQuery.Unknown() }
    let axes = try window.axes(over: Array(input[2...]), kernel: kernel, in: query.info)
    return Array(input[..<2]) + axes.map(\.output)
  }

  private static func global(_ query: ShapeQuery) throws -> [Int] {
    let input = try query.shape(0)
    guard input.count >= 3 else { throw ShapeQuery.Unknown() }
    return Array(input[..<2]) + [Int](repeating: 1, count: input.count - 2)
  }
}

/// What the poolings share: the window and the shapes that follow from it.
struct PoolingFrame {
  let planes: Int
  let axes: [SlidingWindow.Axis]
  let output: [Int]

  init(_ input: Tensor, _ window: SlidingWindow, _ context: KernelContext) throws {
    guard input.rank >= 3, let kernel = window.kernel else {
      throw context.failure(
        "kernel_shape must be given and the input have at least 3 dimensions, got \(input.shape)")
    }
    axes = try window.axes(over: Array(input.shape[2...]), kernel: kernel, in: context)
    planes = input.shape[0] * input.shape[1]
    output = Array(input.shape[..<2]) + axes.map(\.output)
    guard try Tensor.elementCount(of: output) <= GEMM.maximumExtent else {
      throw context.failure("output \(output) is too large")
    }
  }

  var inputPixels: Int { axes.reduce(1) { $0 * $1.input } }
  var outputPixels: Int { axes.reduce(1) { $0 * $1.output } }

  /// Calls a C kernel for pieces of the planes.
  func forEachPiece(_ context: KernelContext, _ body: (_ planes: Range<Int>) -> Void) {
    context.parallel(planes, grain: max(1, 16_384 / max(inputPixels, 1)), body)
  }
}

/// The greatest value under the window; also where it was, if asked for.
private struct MaxPool: Kernel {
  let window: SlidingWindow
  let givesIndices: Bool
  let isColumnMajor: Bool

  init(_ node: NodeInfo) throws {
    window = try SlidingWindow(node)
    givesIndices = node.outputCount > 1 && node.hasOutput[1]
    isColumnMajor = try node.flag("storage_order")
    guard window.kernel != nil else { throw node.failure("kernel_shape must be given") }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let frame = try PoolingFrame(input, window, context)
    if input.elementType == .float32, !givesIndices, frame.axes.count <= 2 {
      let output = try context.allocate(.float32, frame.output)
      let plane = SlidingWindow.plane(frame.axes)
      let source = input.pointer(to: Float.self)
      let target = output.mutablePointer(to: Float.self)
      frame.forEachPiece(context) { planes in
        withUnsafePointer(to: plane) { window in
          rk_max_pool_f32(
            source + planes.lowerBound * frame.inputPixels,
            target + planes.lowerBound * frame.outputPixels, planes.count, window)
        }
      }
      return [output]
    }
    if input.elementType == .float32, !givesIndices, frame.axes.count == 3 {
      return [try frame.pooledVolumes(input, .maximum, context)]
    }
    switch input.elementType {
    case .float32: return try pool(input, frame, Float.self, context)
    case .float64: return try pool(input, frame, Double.self, context)
    case .int8: return try pool(input, frame, Int8.self, context)
    case .uint8: return try pool(input, frame, UInt8.self, context)
    case .float16, .bfloat16:
      let results = try run([input.converted(to: .float32)], in: context)
      return [try results[0].converted(to: input.elementType)] + results.dropFirst()
    default: throw context.failure("cannot pool \(input.elementType)")
    }
  }

  private func pool<Scalar: TensorScalar & Comparable>(
    _ input: Tensor, _ frame: PoolingFrame, _: Scalar.Type, _ context: KernelContext
  ) throws -> [Tensor] {
    let output = try context.allocate(input.elementType, frame.output)
    let places = try context.allocate(.int64, frame.output)
    let source = input.pointer(to: Scalar.self)
    let target = output.mutablePointer(to: Scalar.self)
    let indices = places.mutablePointer(to: Int64.self)
    let walk = WindowWalk(axes: frame.axes)
    frame.forEachPiece(context) { planes in
      for plane in planes {
        let first = plane * frame.inputPixels
        for pixel in 0..<frame.outputPixels {
          var best = -1
          walk.forEachTap(of: pixel) { _, place in
            if best < 0 || source[first + place] > source[first + best] { best = place }
          }
          let index = plane * frame.outputPixels + pixel
          // A window wholly in the padding, which only odd paddings give, repeats the first pixel.
          target[index] = source[first + max(best, 0)]
          indices[index] = Int64(first + place(max(best, 0), frame.axes))
        }
      }
    }
    return givesIndices ? [output, places] : [output]
  }

  /// A pixel's number in the order that the indices are counted in.
  private func place(_ pixel: Int, _ axes: [SlidingWindow.Axis]) -> Int {
    guard isColumnMajor else { return pixel }
    var rest = pixel
    var place = 0
    var stride = axes.reduce(1) { $0 * $1.input }
    for axis in axes.reversed() {
      stride /= axis.input
      place += rest % axis.input * stride
      rest /= axis.input
    }
    return place
  }
}

/// The mean of the values under the window.
private struct AveragePool: Kernel {
  let window: SlidingWindow
  let countsPadding: Bool

  init(_ node: NodeInfo) throws {
    window = try SlidingWindow(node)
    countsPadding = try node.flag("count_include_pad")
    guard window.kernel != nil else { throw node.failure("kernel_shape must be given") }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType.isFloatingPoint else {
      throw context.failure("cannot average \(input.elementType)")
    }
    if input.elementType != .float32 {
      let results = try run([input.converted(to: .float32)], in: context)
      return [try results[0].converted(to: input.elementType)]
    }
    let frame = try PoolingFrame(input, window, context)
    let output = try context.allocate(.float32, frame.output)
    let source = input.pointer(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    if frame.axes.count <= 2 {
      let plane = SlidingWindow.plane(frame.axes)
      let counts: Int32 = countsPadding ? 1 : 0
      frame.forEachPiece(context) { planes in
        withUnsafePointer(to: plane) { window in
          rk_average_pool_f32(
            source + planes.lowerBound * frame.inputPixels,
            target + planes.lowerBound * frame.outputPixels, planes.count, window, counts)
        }
      }
      return [output]
    }
    if frame.axes.count == 3 {
      return [try frame.pooledVolumes(input, .average(countsPadding: countsPadding), context)]
    }
    let walk = WindowWalk(axes: frame.axes)
    frame.forEachPiece(context) { planes in
      for plane in planes {
        for pixel in 0..<frame.outputPixels {
          var sum = 0.0
          var count = 0
          walk.forEachTap(of: pixel) { _, place in
            sum += Double(source[plane * frame.inputPixels + place])
            count += 1
          }
          if countsPadding { count = paddedTaps(pixel, frame.axes) }
          target[plane * frame.outputPixels + pixel] = count > 0 ? Float(sum / Double(count)) : 0
        }
      }
    }
    return [output]
  }

  /// Taps on the input or its padding; a rounded-up last window may reach past both.
  private func paddedTaps(_ pixel: Int, _ axes: [SlidingWindow.Axis]) -> Int {
    var rest = pixel
    var taps = 1
    for axis in axes.reversed() {
      taps *= axis.paddedTaps(of: rest % axis.output)
      rest /= axis.output
    }
    return taps
  }
}

/// The p-norm of the values under the window.
private struct LpPool: Kernel {
  let window: SlidingWindow
  let power: Int

  init(_ node: NodeInfo) throws {
    window = try SlidingWindow(node)
    power = try node.int("p", default: 2)
    guard power >= 1 else { throw node.failure("p is \(power), must be at least 1") }
    guard window.kernel != nil else { throw node.failure("kernel_shape must be given") }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs).converted(to: .float32)
    let frame = try PoolingFrame(input, window, context)
    let output = try context.allocate(.float32, frame.output)
    let source = input.pointer(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    let walk = WindowWalk(axes: frame.axes)
    frame.forEachPiece(context) { planes in
      for plane in planes {
        for pixel in 0..<frame.outputPixels {
          var norm = PowerSum(power: power)
          walk.forEachTap(of: pixel) { _, place in
            norm.add(source[plane * frame.inputPixels + place])
          }
          target[plane * frame.outputPixels + pixel] = norm.root
        }
      }
    }
    return [try output.converted(to: context.input(0, of: inputs).elementType)]
  }
}

/// Pools each plane to one value.
private struct GlobalPool: Kernel {
  enum Kind { case average, max, power(Int) }

  let kind: Kind

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.rank >= 2, input.elementType.isFloatingPoint else {
      throw context.failure(
        "expected floating point with at least 2 dimensions, got \(input.elementType)\(input.shape)"
      )
    }
    if input.elementType != .float32 {
      let results = try run([input.converted(to: .float32)], in: context)
      return [try results[0].converted(to: input.elementType)]
    }
    let shape = Array(input.shape[..<2]) + [Int](repeating: 1, count: input.rank - 2)
    let output = try context.allocate(.float32, shape)
    guard output.count > 0 else { return [output] }
    let pixels = input.count / output.count
    let source = input.pointer(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    context.parallel(output.count, grain: max(1, 65_536 / max(pixels, 1))) { planes in
      for plane in planes {
        let values = source + plane * pixels
        switch kind {
        case .average: target[plane] = rk_sum_f32(values, pixels) / Float(pixels)
        case .max: target[plane] = rk_max_f32(values, pixels)
        case .power(let power):
          var norm = PowerSum(power: power)
          for pixel in 0..<pixels { norm.add(values[pixel]) }
          target[plane] = norm.root
        }
      }
    }
    return [output]
  }
}
