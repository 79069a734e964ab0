import Foundation
import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Operators that read pixels at places given by a tensor.
  package static let sampling: [Operator] = [
    Operator(
      "GridSample", versions: [16, 20, 22], inputs: 2...2, types: .numeric + .bool,
      attributes: ["align_corners": .int, "mode": .string, "padding_mode": .string],
      shape: .samples
    ) { node in
      try GridSample(node)
    }
  ]
}

extension ShapeRule {
  fileprivate static let samples = ShapeRule { query in
    let input = try query.input(0)
    let grid = try query.shape(1)
    guard input.shape.count >= 2, grid.count >= 2 else { throw ShapeQuery.Unknown() }
    return [ValueFact(input.type, input.shape[..<2] + grid[1...].dropLast())]
  }
}

/// Values of an image, or a volume, at places between its pixels (Jaderberg et al., "Spatial
/// transformer networks", 2015).
private struct GridSample: Kernel {
  private enum Mode {
    case nearest, linear, cubic
  }

  private enum Padding: String {
    case zeros, border, reflection
  }

  private let mode: Mode
  private let padding: Padding
  private let alignsCorners: Bool

  init(_ node: NodeInfo) throws {
    switch try node.string("mode", default: "linear") {
    case "linear", "bilinear": mode = .linear
    case "cubic", "bicubic": mode = .cubic
    case "nearest": mode = .nearest
    case let other: throw node.failure("attribute 'mode' is '\(other)'")
    }
    let name = try node.string("padding_mode", default: "zeros")
    guard let padding = Padding(rawValue: name) else {
      throw node.failure("attribute 'padding_mode' is '\(name)'")
    }
    self.padding = padding
    alignsCorners = try node.flag("align_corners")
  }

  /// Places along one axis with their weights; those outside that count as 0 are left out.
  private typealias Taps = [(place: Int, weight: Float)]

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let given = try context.input(1, of: inputs)
    let dimensions = input.rank - 2
    guard dimensions >= 1, given.rank == input.rank, given.shape[0] == input.shape[0],
      given.shape[given.rank - 1] == dimensions, input.elementType != .string,
      given.elementType.isFloatingPoint
    else {
      throw context.failure("input \(input.shape) and grid \(given.shape)")
    }
    let extents = Array(input.shape[2...])
    let places = Array(given.shape[1..<given.rank - 1])
    let output = try context.allocate(
      .float32, [input.shape[0], input.shape[1]] + places)
    guard output.count > 0 else { return [try context.converted(output, to: input.elementType)] }
    guard !extents.contains(0) else { throw context.failure("the input has no pixels") }
    let value = try context.converted(input, to: .float32)
    let grid = try context.converted(given, to: .float32)
    let (from, to) = (value.pointer(to: Float.self), output.mutablePointer(to: Float.self))
    let positions = grid.pointer(to: Float.self)
    let strides = Shapes.strides(of: extents)
    let pixels = extents.reduce(1, *)
    let count = places.reduce(1, *)
    let channels = input.shape[1]
    context.parallel(input.shape[0] * count, grain: 256) { range in
      for item in range {
        let (image, place) = item.quotientAndRemainder(dividingBy: count)
        // The grid names the innermost dimension first.
        var corners: Taps = [(0, 1)]
        for dimension in 0..<dimensions {
          let position = positions[item * dimensions + dimensions - 1 - dimension]
          let taps = taps(position, extents[dimension])
          corners = corners.flatMap { corner in
            taps.map {
              (corner.place + $0.place * strides[dimension], corner.weight * $0.weight)
            }
          }
        }
        for channel in 0..<channels {
          let plane = from + (image * channels + channel) * pixels
          var sum: Float = 0
          for corner in corners { sum += plane[corner.place] * corner.weight }
          to[(image * channels + channel) * count + place] = sum
        }
      }
    }
    return [try context.converted(output, to: input.elementType)]
  }

  /// What a normalized position reads along an axis of `extent` pixels.
  private func taps(_ normalized: Float, _ extent: Int) -> Taps {
    let size = Float(extent)
    // Far outside is as good as infinitely far, and fits an integer.
    var x =
      alignsCorners
      ? (normalized + 1) / 2 * (size - 1) : ((normalized + 1) * size - 1) / 2
    x = x.isNaN ? 0 : min(max(x, -1e8), 1e8)
    if mode == .nearest { x = x.rounded(.toNearestOrEven) }
    let low: Float = alignsCorners ? 0 : -0.5
    let high = alignsCorners ? size - 1 : size - 0.5
    if x < low || x > high {
      if padding == .border { x = min(max(x, 0), size - 1) }
      if padding == .reflection { x = reflected(x, low, high) }
    }
    let floor = x.rounded(.down)
    let fraction = x - floor
    let candidates: [(Int, Float)]
    switch mode {
    case .nearest: candidates = [(Int(x), 1)]
    case .linear: candidates = [(Int(floor), 1 - fraction), (Int(floor) + 1, fraction)]
    case .cubic:
      candidates = (-1...2).map { (Int(floor) + $0, cubic(abs(fraction - Float($0)))) }
    }
    return candidates.compactMap { place, weight in
      if place >= 0, place < extent { return (place, weight) }
      switch padding {
      case .zeros: return nil
      case .border: return (min(max(place, 0), extent - 1), weight)
      case .reflection:
        let inside = Int(reflected(Float(place), low, high))
        return (min(max(inside, 0), extent - 1), weight)
      }
    }
  }

  /// Cubic convolution with a = -0.75 (Keys, 1981).
  private func cubic(_ distance: Float) -> Float {
    let a: Float = -0.75
    if distance <= 1 { return ((a + 2) * distance - (a + 3)) * distance * distance + 1 }
    return ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
  }

  private func reflected(_ x: Float, _ low: Float, _ high: Float) -> Float {
    let range = high - low
    guard range > 0 else { return low }
    let distance = x < low ? low - x : x - high
    guard distance > 0 else { return x }
    let turns = (distance / range).rounded(.down)
    let rest = distance - turns * range
    let isEven = turns.truncatingRemainder(dividingBy: 2) == 0
    return (x < low) == isEven ? low + rest : high - rest
  }
}
