import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Resampling.
  package static let resampling: [Operator] = [
    Operator(
      "Resize", versions: [10, 11, 13, 18, 19], inputs: 1...4, types: .numeric,
      attributes: .resampling, shape: .resample, traits: [.widens]
    ) {
      try Resize($0)
    },
    Operator(
      "Upsample", versions: [7, 9], lastOpset: 9, inputs: 1...2, types: .numeric + .bool,
      attributes: .resampling, shape: .resample, traits: [.widens]
    ) {
      try Resize($0)
    },
  ]
}

extension AttributeKinds {
  /// What the rule reads where pixels are only repeated.
  package static let repetition: Self = [
    "axes": .ints, "keep_aspect_ratio_policy": .string, "scales": .floats,
  ]
  static let resampling =
    repetition + [
      "antialias": .int, "coordinate_transformation_mode": .string, "cubic_coeff_a": .float,
      "exclude_outside": .int, "extrapolation_value": .float, "mode": .string,
      "nearest_mode": .string,
    ]
}

extension ShapeRule {
  package static let resample = ShapeRule { try resampled($0) }

  private static func resampled(_ query: ShapeQuery) throws -> [ValueFact?] {
    let input = try query.input(0)
    let rank = input.shape.count
    let axes = try (query.info.ints("axes") ?? Array(0..<rank)).map {
      try query.normalizedAxis($0, rank: rank)
    }
    guard try query.info.string("keep_aspect_ratio_policy", default: "stretch") == "stretch",
      Set(axes).count == axes.count
    else { throw ShapeQuery.Unknown() }
    // Opset 10, Upsample and what is made of them have the scales where others have a region.
    let isEarly =
      query.info.operation == "Upsample"
      || (query.info.domain.isEmpty && query.info.opset < 11)
    let place = isEarly ? 1 : 2
    var scales = try query.info.floats("scales")
    if scales == nil, query.isGiven(place) {
      guard let tensor = query.constants[place] else { throw ShapeQuery.Unknown() }
      scales = try tensor.converted(to: .float32).array(of: Float.self)
    }
    var shape = input.shape
    if let scales, !scales.isEmpty {
      guard scales.count == axes.count else { throw ShapeQuery.Unknown() }
      for (axis, scale) in zip(axes, scales) {
        let extent = scaledExtent(shape[axis], scale)
        guard extent >= 0, extent < Float(GEMM.maximumExtent) else { throw ShapeQuery.Unknown() }
        shape[axis] = Int(extent)
      }
    } else {
      guard !isEarly, let sizes = try query.integers(3), sizes.count == axes.count,
        sizes.allSatisfy({ $0 >= 0 })
      else { throw ShapeQuery.Unknown() }
      for (axis, size) in zip(axes, sizes) { shape[axis] = size }
    }
    return [ValueFact(input.type, shape)]
  }
}

/// How long an axis becomes.
///
/// The product is a `Float`, as the scale is: converters divide the sizes that they want, and 20 times the nearest
/// `Float` of 31 / 20 is a little below 31.
private func scaledExtent(_ extent: Int, _ scale: Float) -> Float {
  (Float(extent) * scale).rounded(.down)
}

/// Resamples along any of the dimensions, one after the other.
private struct Resize: Kernel {
  let rule: ResamplingRule
  let opset: Int
  let isUpsample: Bool
  /// Upsample's factors if they are an attribute.
  let givenScales: [Float]?
  let axes: [Int]?
  let policy: String

  init(_ node: NodeInfo) throws {
    opset = node.opset
    isUpsample = node.operation == "Upsample"
    rule = try ResamplingRule(node)
    givenScales = try node.floats("scales")
    axes = try node.ints("axes")
    policy = try node.string("keep_aspect_ratio_policy", default: "stretch")
    guard ["stretch", "not_larger", "not_smaller"].contains(policy) else {
      throw node.failure(
        "keep_aspect_ratio_policy '\(policy)' is none of stretch, not_larger, not_smaller")
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    var resampled = try self.axes(given.rank, inputs, context)
    // What keeps its size stays as it is, whatever the scale, as ONNX Runtime has it.
    if rule.coordinates != .cropAndResize, resampled.allSatisfy({ $0.input == $0.output }) {
      resampled = []
    }
    guard !resampled.isEmpty, given.count > 0 else {
      var shape = given.shape
      for axis in resampled { shape[axis.index] = axis.output }
      guard shape != given.shape else { return [given] }
      guard try Tensor.elementCount(of: shape) == 0 else {
        throw context.failure("cannot resize an empty input to \(shape)")
      }
      return [try context.allocate(given.elementType, shape)]
    }
    if rule.mode == .nearest {
      return [try nearest(given, resampled, context)]
    }
    guard given.elementType != .string, given.elementType != .bool else {
      throw context.failure("cannot interpolate \(given.elementType)")
    }
    var tensor = try given.converted(to: .float32)
    for axis in Self.ordered(resampled) { tensor = try interpolated(tensor, axis, context) }
    if given.elementType == .float32 { return [tensor] }
    return [try tensor.converted(to: given.elementType)]
  }

  /// The dimensions that change, and how.
  private func axes(
    _ rank: Int, _ inputs: [Tensor?], _ context: KernelContext
  ) throws -> [ResampledAxis] {
    let shape = try context.input(0, of: inputs).shape
    let indices = try (self.axes ?? Array(0..<rank)).map {
      try context.normalizedAxis($0, rank: rank)
    }
    guard Set(indices).count == indices.count else {
      throw context.failure("axes \(indices) name one twice")
    }
    // Opset 10 and Upsample have no region of interest, and the scales in its place.
    let isEarly = isUpsample || opset < 11
    let region = isEarly ? nil : try floats(context.optionalInput(1, of: inputs), context)
    let scalesInput = context.optionalInput(isEarly ? 1 : 2, of: inputs)
    let sizesInput = isEarly ? nil : context.optionalInput(3, of: inputs)
    if let region, rule.coordinates == .cropAndResize, region.count != 2 * indices.count {
      throw context.failure("roi must have \(2 * indices.count) numbers, got \(region.count)")
    }
    var scales = try givenScales ?? floats(scalesInput, context)
    if scales?.isEmpty == true { scales = nil }
    let sizes = try sizesInput.map { try context.integers($0) }
    if scales == nil, let sizes, !sizes.isEmpty {
      return try bySizes(sizes, indices, shape, region, context)
    }
    guard let scales, scales.count == indices.count else {
      throw context.failure(
        "one of scales and sizes must be given, with \(indices.count) numbers")
    }
    return try indices.enumerated().compactMap { place, index in
      let scale = scales[place]
      let extent = scaledExtent(shape[index], scale)
      guard scale > 0, scale.isFinite, extent < Float(GEMM.maximumExtent) else {
        throw context.failure("scale \(scale) is not a usable positive number")
      }
      return axis(index, place, shape, Int(extent), scale, region, indices.count)
    }
  }

  private func bySizes(
    _ sizes: [Int], _ indices: [Int], _ shape: [Int], _ region: [Float]?, _ context: KernelContext
  ) throws -> [ResampledAxis] {
    guard sizes.count == indices.count,
      sizes.allSatisfy({ $0 >= 0 && $0 <= GEMM.maximumExtent })
    else { throw context.failure("sizes \(sizes) should be \(indices.count) extents") }
    var sizes = sizes
    var scales = zip(sizes, indices).map { Float($0) / Float(max(shape[$1], 1)) }
    if policy != "stretch" {
      let common = (policy == "not_larger" ? scales.min() : scales.max()) ?? 1
      scales = scales.map { _ in common }
      sizes = indices.map { Int((Float(shape[$0]) * common).rounded()) }
    }
    return indices.enumerated().compactMap { place, index in
      axis(index, place, shape, sizes[place], scales[place], region, indices.count)
    }
  }

  private func axis(
    _ index: Int, _ place: Int, _ shape: [Int], _ output: Int, _ scale: Float, _ region: [Float]?,
    _ count: Int
  ) -> ResampledAxis? {
    // Antialiased, each axis is a pass of its own, and ONNX Runtime makes none if a side stays as long.
    if output == shape[index], scale == 1 || rule.isAntialiased,
      rule.coordinates != .cropAndResize
    {
      return nil
    }
    var start: Float = 0
    var end: Float = 1
    if let region, rule.coordinates == .cropAndResize {
      (start, end) = (region[place], region[place + count])
      if start == 0, end == 1, output == shape[index] { return nil }
    }
    return ResampledAxis(
      index: index, input: shape[index], output: output, scale: scale, start: start, end: end)
  }

  private func floats(_ tensor: Tensor?, _ context: KernelContext) throws -> [Float]? {
    guard let tensor else { return nil }
    guard tensor.elementType.isFloatingPoint else {
      throw context.failure("scales and roi must be numbers, got \(tensor.elementType)")
    }
    return try tensor.converted(to: .float32).array(of: Float.self)
  }

  /// Values are only moved, so any type will do.
  private func nearest(
    _ input: Tensor, _ axes: [ResampledAxis], _ context: KernelContext
  ) throws -> Tensor {
    var shape = input.shape
    for axis in axes { shape[axis.index] = axis.output }
    guard input.elementType != .string else { throw context.failure("cannot resize text") }
    let output = try context.allocate(input.elementType, shape)
    guard output.count > 0 else { return output }
    var places = try axes.map { try rule.nearestPlaces($0) }
    if doubles(axes, places, input) {
      let planes = input.count / (input.shape[input.rank - 1] * input.shape[input.rank - 2])
      let (height, width) = (input.shape[input.rank - 2], input.shape[input.rank - 1])
      let source = input.pointer(to: Float.self)
      let target = output.mutablePointer(to: Float.self)
      context.parallel(planes, grain: max(1, 16_384 / (height * width))) { range in
        rk_upsample_nearest2_f32(
          source + range.lowerBound * height * width,
          target + range.lowerBound * height * width * 4, range.count, height, width)
      }
      return output
    }
    // For each dimension, where each output index comes from, in elements.
    var steps: [[Int]] = []
    var stride = 1
    for axis in shape.indices.reversed() {
      let changed = axes.firstIndex { $0.index == axis }
      let indices = changed.map { places.remove(at: $0) } ?? Array(0..<shape[axis])
      steps.append(indices.map { $0 < 0 ? -1 : $0 * stride })
      if let changed { places.insert([], at: changed) }
      stride *= input.shape[axis]
    }
    steps.reverse()
    move(input, output, steps, context)
    return output
  }

  /// Whether just the last two dimensions are doubled, each value to a block of two by two.
  private func doubles(_ axes: [ResampledAxis], _ places: [[Int]], _ input: Tensor) -> Bool {
    guard input.elementType == .float32, axes.count == 2, input.rank >= 2,
      Set(axes.map(\.index)) == [input.rank - 2, input.rank - 1]
    else { return false }
    return zip(axes, places).allSatisfy { axis, places in
      axis.output == axis.input * 2 && places.enumerated().allSatisfy { $1 == $0 / 2 }
    }
  }

  private func move(
    _ input: Tensor, _ output: Tensor, _ steps: [[Int]], _ context: KernelContext
  ) {
    let size = input.elementType.byteCount
    let columns = steps[steps.count - 1]
    let rows = output.count / max(columns.count, 1)
    let source = input.bytes
    let target = output.mutableBytes
    context.parallel(rows, grain: max(1, 16_384 / columns.count)) { range in
      for row in range {
        var rest = row
        var offset = 0
        var isOutside = false
        for axis in steps.indices.dropLast().reversed() {
          let step = steps[axis][rest % steps[axis].count]
          isOutside = isOutside || step < 0
          offset += step
          rest /= steps[axis].count
        }
        let line = target + row * columns.count * size
        for (index, step) in columns.enumerated() {
          if isOutside || step < 0 {
            rule.storeOutside(line + index * size, input.elementType)
          } else {
            (line + index * size).copyMemory(from: source + (offset + step) * size, byteCount: size)
          }
        }
      }
    }
  }

  /// The dimensions in the order in which least is to be done: first those that shrink, then from within,
  /// as rows take longest.
  private static func ordered(_ axes: [ResampledAxis]) -> [ResampledAxis] {
    let shrinking = axes.filter { $0.output < $0.input }
    let growing = axes.filter { $0.output >= $0.input }
    return shrinking + growing.sorted { $0.index > $1.index }
  }

  /// A weighted sum of a few values along one dimension.
  private func interpolated(
    _ input: Tensor, _ axis: ResampledAxis, _ context: KernelContext
  ) throws -> Tensor {
    var shape = input.shape
    shape[axis.index] = axis.output
    let output = try context.allocate(.float32, shape)
    guard output.count > 0 else { return output }
    let taps = try rule.taps(axis)
    let inner = input.shape[(axis.index + 1)...].reduce(1, *)
    let outer = input.shape[..<axis.index].reduce(1, *)
    let source = input.pointer(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    let pairs = inner == 1 ? TapPairs(taps) : nil
    context.parallel(outer, grain: max(1, 16_384 / max(axis.output * inner, 1))) { range in
      if let pairs {
        pairs.sum(
          source + range.lowerBound * axis.input, axis.input,
          into: target + range.lowerBound * axis.output, rows: range.count)
        return
      }
      for item in range {
        let from = source + item * axis.input * inner
        let to = target + item * axis.output * inner
        for (index, taps) in taps.enumerated() {
          let line = to + index * inner
          guard !taps.isOutside else {
            line.update(repeating: rule.outside, count: inner)
            continue
          }
          if inner == 1 {
            var sum: Float = 0
            for (place, weight) in zip(taps.places, taps.weights) { sum += from[place] * weight }
            line[0] = sum
          } else if taps.places.count == 2 {
            rk_blend_f32(
              taps.weights[0], from + taps.places[0] * inner, taps.weights[1],
              from + taps.places[1] * inner, line, inner)
          } else {
            line.update(repeating: 0, count: inner)
            for (place, weight) in zip(taps.places, taps.weights) {
              rk_axpy_f32(weight, from + place * inner, line, inner)
            }
          }
        }
      }
    }
    return output
  }
}

/// Taps along rows, two at most for each place, as linear interpolation has them.
private struct TapPairs {
  private let first: [Int32]
  private let second: [Int32]
  private let weight: [Float]
  /// 0 if there is but one tap.
  private let secondWeight: [Float]

  /// Nil if some place has more of them, or lies outside.
  init?(_ taps: [ResamplingRule.Taps]) {
    guard taps.allSatisfy({ !$0.isOutside && (1...2).contains($0.places.count) }),
      taps.allSatisfy({ $0.places.allSatisfy { $0 <= Int32.max } })
    else { return nil }
    first = taps.map { Int32($0.places[0]) }
    second = taps.map { Int32($0.places[$0.places.count - 1]) }
    weight = taps.map { $0.weights[0] }
    secondWeight = taps.map { $0.places.count == 2 ? $0.weights[1] : 0 }
  }

  /// Rows of the sums from rows `stride` apart.
  func sum(
    _ source: UnsafePointer<Float>, _ stride: Int, into target: UnsafeMutablePointer<Float>,
    rows: Int
  ) {
    rk_blend_places_f32(
      source, stride, first, second, weight, secondWeight, target, rows, first.count)
  }
}
