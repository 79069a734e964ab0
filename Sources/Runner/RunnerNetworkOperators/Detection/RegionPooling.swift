import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Pooling of regions.
  package static let regionPooling: [Operator] = [
    Operator(
      "MaxRoiPool", versions: [1, 22], inputs: 2...2, types: .real,
      attributes: ["pooled_shape": .ints, "spatial_scale": .float], shape: .pooledRegions
    ) { try MaxRoiPool($0) }
  ]
}

extension ShapeRule {
  fileprivate static let pooledRegions = ShapeRule { query in
    let input = try query.input(0)
    let pool = try MaxRoiPool(query.info)
    guard input.shape.count == 4, let count = try query.shape(1).first else {
      throw ShapeQuery.Unknown()
    }
    return [ValueFact(input.type, [count, input.shape[1], pool.rows, pool.columns])]
  }
}

/// The maximum of each bin of each region (Girshick, "Fast R-CNN", 2015).
private struct MaxRoiPool: Kernel {
  let rows: Int
  let columns: Int
  private let scale: Float

  init(_ node: NodeInfo) throws {
    let shape = try node.ints("pooled_shape") ?? []
    scale = try node.float("spatial_scale", default: 1)
    guard shape.count == 2, shape.allSatisfy({ $0 > 0 && $0 < 1 << 24 }) else {
      throw node.failure("pooled_shape is \(shape), expected two sides")
    }
    (rows, columns) = (shape[0], shape[1])
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    let regions = try context.input(1, of: inputs)
    guard given.rank == 4, given.elementType.isFloatingPoint, regions.rank == 2,
      regions.shape[1] == 5, regions.elementType.isFloatingPoint
    else {
      throw context.failure(
        "an input of \(given.elementType)\(given.shape) and regions of \(regions.shape)")
    }
    let input = try context.converted(given, to: .float32)
    let corners = try context.converted(regions, to: .float32).array(of: Float.self)
    let (channels, height, width) = (given.shape[1], given.shape[2], given.shape[3])
    let output = try context.allocate(.float32, [regions.shape[0], channels, rows, columns])
    let (from, to) = (input.pointer(to: Float.self), output.mutablePointer(to: Float.self))
    let count = rows * columns
    for region in 0..<regions.shape[0] {
      try context.checkCancellation()
      let values = Array(corners[region * 5..<region * 5 + 5])
      guard let image = Int(exactly: values[0]), image >= 0, image < given.shape[0] else {
        throw context.failure("region \(region) is of image \(values[0]) of \(given.shape[0])")
      }
      // Far outside of any map, but where no sum overflows.
      // In float32 like ONNX Runtime: 5 times the nearest `Float` of 0.7 is a little below 3.5.
      func place(_ value: Float) -> Int {
        let scaled = (value * scale).rounded(.toNearestOrAwayFromZero)
        return scaled.isNaN ? 0 : Int(min(max(scaled, -1e9), 1e9))
      }
      let (left, top) = (place(values[1]), place(values[2]))
      let wide = max(place(values[3]) - left + 1, 1)
      let high = max(place(values[4]) - top + 1, 1)
      func bin(_ index: Int, of count: Int, _ start: Int, _ size: Int, limit: Int) -> Range<Int> {
        let each = Float(size) / Float(count)
        let first = Int((Float(index) * each).rounded(.down)) + start
        let last = Int((Float(index + 1) * each).rounded(.up)) + start
        let low = min(max(first, 0), limit)
        return low..<max(min(max(last, 0), limit), low)
      }
      context.parallel(channels) { range in
        for channel in range {
          let plane = from + (image * channels + channel) * height * width
          let target = to + (region * channels + channel) * count
          for index in 0..<count {
            let vertical = bin(index / columns, of: rows, top, high, limit: height)
            let horizontal = bin(index % columns, of: columns, left, wide, limit: width)
            var greatest = vertical.isEmpty || horizontal.isEmpty ? 0 : -Float.infinity
            for y in vertical {
              for x in horizontal { greatest = max(greatest, plane[y * width + x]) }
            }
            target[index] = greatest
          }
        }
      }
    }
    return [
      try withExtendedLifetime(input) { try context.converted(output, to: given.elementType) }
    ]
  }
}
