extension ShapeRules {
  /// Convolutions and poolings.
  static let windows: [String: Rule] = [
    "Conv": { [ValueFact(try $0.input(0).type, try convolution($0, weights: 1))] },
    "ConvTranspose": { query in
      let input = try query.input(0)
      let weights = try query.shape(1)
      let kernel = try TransposedConvolution(query.info)
      guard weights.count == input.shape.count, input.shape.count >= 3 else {
        throw ShapeQuery.Unknown()
      }
      let axes = try kernel.axes(
        over: Array(input.shape[2...]), kernel: Array(weights[2...]), query.context)
      return [
        ValueFact(
          input.type, [input.shape[0], weights[1] * kernel.group] + axes.map(\.input))
      ]
    },
    "MaxPool": { query in
      let shape = try pooling(query)
      return [ValueFact(try query.input(0).type, shape), ValueFact(.int64, shape)]
    },
    "AveragePool": { [ValueFact(try $0.input(0).type, try pooling($0))] },
    "LpPool": { [ValueFact(try $0.input(0).type, try pooling($0))] },
    "GlobalAveragePool": { [ValueFact(try $0.input(0).type, try global($0))] },
    "GlobalMaxPool": { [ValueFact(try $0.input(0).type, try global($0))] },
    "GlobalLpPool": { [ValueFact(try $0.input(0).type, try global($0))] },
    "Resize": { try resampled($0) },
    "Upsample": { try resampled($0) },
  ]

  /// Matrix products.
  static let products: [String: Rule] = [
    "MatMul": { query in
      [ValueFact(try query.input(0).type, try product(query.shape(0), query.shape(1), query))]
    },
    "Gemm": { query in
      let a = try query.shape(0)
      let b = try query.shape(1)
      guard a.count == 2, b.count == 2 else { throw ShapeQuery.Unknown() }
      return [
        ValueFact(
          try query.input(0).type,
          [a[try query.info.flag("transA") ? 1 : 0], b[try query.info.flag("transB") ? 0 : 1]])
      ]
    },
  ]

  /// The result of a convolution with the weights at the given input.
  static func convolution(_ query: ShapeQuery, weights index: Int) throws -> [Int] {
    let input = try query.shape(0)
    let weights = try query.shape(index)
    guard input.count >= 3, weights.count == input.count else { throw ShapeQuery.Unknown() }
    let axes = try SlidingWindow(query.info).axes(
      over: Array(input[2...]), kernel: Array(weights[2...]), in: query.context)
    return [input[0], weights[0]] + axes.map(\.output)
  }

  private static func pooling(_ query: ShapeQuery) throws -> [Int] {
    let input = try query.shape(0)
    let window = try SlidingWindow(query.info)
    guard input.count >= 3, let kernel = window.kernel else { throw ShapeQuery.Unknown() }
    let axes = try window.axes(over: Array(input[2...]), kernel: kernel, in: query.context)
    return Array(input[..<2]) + axes.map(\.output)
  }

  private static func global(_ query: ShapeQuery) throws -> [Int] {
    let input = try query.shape(0)
    guard input.count >= 3 else { throw ShapeQuery.Unknown() }
    return Array(input[..<2]) + [Int](repeating: 1, count: input.count - 2)
  }

  /// NumPy's rules for `matmul`.
  static func product(_ a: [Int], _ b: [Int], _ query: ShapeQuery) throws -> [Int] {
    guard let aLast = a.last, !b.isEmpty else { throw ShapeQuery.Unknown() }
    let bDepth = b.count == 1 ? b[0] : b[b.count - 2]
    guard aLast == bDepth else { throw ShapeQuery.Unknown() }
    let outer = try query.broadcast([Array(a.dropLast(2)), Array(b.dropLast(2))])
    let rows = a.count == 1 ? [] : [a[a.count - 2]]
    let columns = b.count == 1 ? [] : [b[b.count - 1]]
    return outer + rows + columns
  }

  private static func resampled(_ query: ShapeQuery) throws -> [ValueFact?] {
    let input = try query.input(0)
    let rank = input.shape.count
    let axes = try (query.info.ints("axes") ?? Array(0..<rank)).map {
      try query.axis($0, rank: rank)
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
        let extent = (Double(shape[axis]) * Double(scale)).rounded(.down)
        guard extent >= 0, extent <= Double(GEMM.maximumExtent) else { throw ShapeQuery.Unknown() }
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
