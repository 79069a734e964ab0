import Foundation
import RunnerGraph
import RunnerOperators
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
      var corners = Corners()
      var pairs = CornerPairs(capacity: range.count)
      defer { pairs.deallocate() }
      var taps = [Corners.Taps](repeating: [], count: dimensions)
      var start = range.lowerBound
      while start < range.upperBound {
        let (image, place) = start.quotientAndRemainder(dividingBy: count)
        let end = min(range.upperBound, start + count - place)
        let target = to + image * channels * count + place
        let source = from + image * channels * pixels
        if mode == .linear, dimensions == 2, pixels <= Int32.max {
          pairs.removeAll()
          for item in start..<end {
            pairs.append(
              pair(positions[2 * item + 1], extents[0]), pair(positions[2 * item], extents[1]),
              width: extents[1])
          }
          for channel in 0..<channels {
            pairs.sum(source + channel * pixels, into: target + channel * count)
          }
        } else {
          corners.removeAll()
          for item in start..<end {
            // The grid names the innermost dimension first.
            for dimension in 0..<dimensions {
              collectTaps(
                positions[item * dimensions + dimensions - 1 - dimension], extents[dimension],
                into: &taps[dimension])
            }
            corners.append(taps, strides: strides)
          }
          for channel in 0..<channels {
            corners.sum(source + channel * pixels, into: target + channel * count)
          }
        }
        start = end
      }
    }
    return [try context.converted(output, to: input.elementType)]
  }

  /// The place of a normalized position along an axis of `extent` pixels.
  private func position(_ normalized: Float, _ extent: Int) -> Float {
    let size = Float(extent)
    // Far outside is as good as infinitely far, and fits an integer.
    var x =
      alignsCorners
      ? (normalized + 1) / 2 * (size - 1) : ((normalized + 1) * size - 1) / 2
    x = x.isNaN ? 0 : min(max(x, -1e8), 1e8)
    if mode == .nearest { x = x.rounded(.toNearestOrEven) }
    let (low, high) = bounds(extent)
    if x < low || x > high {
      // With cubics it is the pixels that are moved to the border, one by one, as in PyTorch and ONNX Runtime.
      if padding == .border, mode != .cubic { x = min(max(x, 0), size - 1) }
      if padding == .reflection { x = reflected(x, low, high) }
    }
    return x
  }

  /// The ends of an axis of `extent` pixels.
  private func bounds(_ extent: Int) -> (low: Float, high: Float) {
    alignsCorners ? (0, Float(extent) - 1) : (-0.5, Float(extent) - 0.5)
  }

  /// The pixel that is read for one that may lie outside; nil if that counts as 0.
  private func inside(_ place: Int, _ extent: Int) -> Int? {
    if place >= 0, place < extent { return place }
    switch padding {
    case .zeros: return nil
    case .border: return min(max(place, 0), extent - 1)
    case .reflection:
      let (low, high) = bounds(extent)
      return min(max(Int(reflected(Float(place), low, high)), 0), extent - 1)
    }
  }

  /// The two pixels around a normalized position, -1 for those that count as 0, and the share of the
  /// second.
  private func pair(_ normalized: Float, _ extent: Int) -> CornerPairs.Pair {
    let x = position(normalized, extent)
    var floor = Int(x)
    if Float(floor) > x { floor -= 1 }
    return (
      inside(floor, extent) ?? -1, inside(floor + 1, extent) ?? -1, x - Float(floor)
    )
  }

  /// What a normalized position reads along an axis of `extent` pixels.
  private func collectTaps(_ normalized: Float, _ extent: Int, into taps: inout Corners.Taps) {
    taps.removeAll(keepingCapacity: true)
    let x = position(normalized, extent)
    let floor = x.rounded(.down)
    let fraction = x - floor
    func add(_ place: Int, _ weight: Float) {
      if let inside = inside(place, extent) { taps.append((inside, weight)) }
    }
    switch mode {
    case .nearest: add(Int(x), 1)
    case .linear:
      add(Int(floor), 1 - fraction)
      add(Int(floor) + 1, fraction)
    case .cubic:
      for step in -1...2 { add(Int(floor) + step, cubic(abs(fraction - Float(step)))) }
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

/// What each of some places reads of a plane, worked out once for all channels.
private struct Corners {
  /// Places along one axis with their weights; those outside that count as 0 are left out.
  typealias Taps = [(place: Int, weight: Float)]

  /// The index at which the corners of each place begin, and last the end of all.
  private var starts = [0]
  private var places: [Int] = []
  private var weights: [Float] = []

  mutating func removeAll() {
    starts.removeLast(starts.count - 1)
    places.removeAll(keepingCapacity: true)
    weights.removeAll(keepingCapacity: true)
  }

  /// The corners of one more place: all combinations of its taps along the axes.
  mutating func append(_ taps: [Taps], strides: [Int]) {
    let first = places.count
    places.append(0)
    weights.append(1)
    for (taps, stride) in zip(taps, strides) {
      let count = places.count - first
      guard !taps.isEmpty else {
        places.removeLast(count)
        weights.removeLast(count)
        break
      }
      for _ in 0..<count * (taps.count - 1) {
        places.append(0)
        weights.append(0)
      }
      // From behind, as each makes room for several.
      for corner in (0..<count).reversed() {
        let (place, weight) = (places[first + corner], weights[first + corner])
        for (index, tap) in taps.enumerated() {
          places[first + corner * taps.count + index] = place + tap.place * stride
          weights[first + corner * taps.count + index] = weight * tap.weight
        }
      }
    }
    starts.append(places.count)
  }

  /// Sums of the corners' values, times their weights.
  func sum(_ plane: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>) {
    starts.withUnsafeBufferPointer { starts in
      places.withUnsafeBufferPointer { places in
        weights.withUnsafeBufferPointer { weights in
          var corner = 0
          for place in 0..<starts.count - 1 {
            let end = starts[place + 1]
            var sum: Float = 0
            if end == corner + 4 {
              sum = plane[places[corner]] * weights[corner]
              sum += plane[places[corner + 1]] * weights[corner + 1]
              sum += plane[places[corner + 2]] * weights[corner + 2]
              sum += plane[places[corner + 3]] * weights[corner + 3]
              corner = end
            }
            while corner < end {
              sum += plane[places[corner]] * weights[corner]
              corner += 1
            }
            target[place] = sum
          }
        }
      }
    }
  }
}

/// The four pixels around each of some places of a plane, worked out once for all channels.
private struct CornerPairs {
  /// Two neighbours, -1 for what counts as 0, and the share of the second.
  typealias Pair = (first: Int, second: Int, share: Float)

  /// Four pixels for each place; -1 for what counts as 0.
  private let places: UnsafeMutablePointer<Int32>
  private let weights: UnsafeMutablePointer<Float>
  private(set) var count = 0
  private var reachesOut = false

  /// Allocates room for `capacity` places, which ``deallocate()`` gives back.
  init(capacity: Int) {
    places = .allocate(capacity: 4 * capacity)
    weights = .allocate(capacity: 4 * capacity)
  }

  func deallocate() {
    places.deallocate()
    weights.deallocate()
  }

  mutating func removeAll() {
    count = 0
    reachesOut = false
  }

  /// One more place, for which there must be room.
  mutating func append(_ y: Pair, _ x: Pair, width: Int) {
    reachesOut = reachesOut || min(min(y.first, y.second), min(x.first, x.second)) < 0
    let (places, weights) = (places + 4 * count, weights + 4 * count)
    func place(_ row: Int, _ column: Int) -> Int32 {
      row < 0 || column < 0 ? -1 : Int32(truncatingIfNeeded: row &* width &+ column)
    }
    places[0] = place(y.first, x.first)
    places[1] = place(y.first, x.second)
    places[2] = place(y.second, x.first)
    places[3] = place(y.second, x.second)
    weights[0] = (1 - y.share) * (1 - x.share)
    weights[1] = (1 - y.share) * x.share
    weights[2] = y.share * (1 - x.share)
    weights[3] = y.share * x.share
    count += 1
  }

  /// Sums of the pixels, times their weights.
  func sum(_ plane: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>) {
    var (place, weight) = (places, weights)
    for index in 0..<count {
      var sum: Float = 0
      if reachesOut {
        for corner in 0..<4 where place[corner] >= 0 {
          sum += plane[Int(place[corner])] * weight[corner]
        }
      } else {
        sum = plane[Int(place[0])] * weight[0]
        sum += plane[Int(place[1])] * weight[1]
        sum += plane[Int(place[2])] * weight[2]
        sum += plane[Int(place[3])] * weight[3]
      }
      target[index] = sum
      place += 4
      weight += 4
    }
  }
}
