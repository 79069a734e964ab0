import Foundation
import RunnerGraph
import RunnerOperators
import RunnerTensors

/// One dimension that is resampled.
struct ResampledAxis {
  let index: Int
  let input: Int
  let output: Int
  let scale: Float
  /// The region of interest, as shares of the extent.
  let start: Float
  let end: Float
}

/// The rule for the place of an output position in the input, and for the input values it uses.
///
/// Source: the ONNX operator documentation, `Resize`; the cubic kernel is Keys, "Cubic convolution
/// interpolation for digital image processing", 1981.
struct ResamplingRule: Sendable {
  enum Mode: String, Sendable { case nearest, linear, cubic }
  enum Coordinates: String, Sendable {
    case halfPixel = "half_pixel"
    case halfPixelSymmetric = "half_pixel_symmetric"
    case pytorchHalfPixel = "pytorch_half_pixel"
    case alignCorners = "align_corners"
    case asymmetric
    case tensorFlowHalfPixel = "tf_half_pixel_for_nn"
    case cropAndResize = "tf_crop_and_resize"
  }
  enum Rounding: String, Sendable {
    case preferFloor = "round_prefer_floor"
    case preferCeil = "round_prefer_ceil"
    case floor
    case ceil
  }

  /// So far from the middle between two pixels ONNX Runtime still takes a position to be there.
  private static let halfWidth = 1e-6

  /// The values that make up one output position.
  struct Taps {
    var places: [Int]
    var weights: [Float]
    var isOutside = false
  }

  let mode: Mode
  let coordinates: Coordinates
  /// Nil if it is not said, before opset 11: up if the axis shrinks, and otherwise down, as ONNX Runtime has it.
  let rounding: Rounding?
  let isAntialiased: Bool
  let excludesOutside: Bool
  let cubicCoefficient: Double
  /// What lies outside the region of interest.
  let outside: Float

  init(_ node: NodeInfo) throws {
    func choice<Choice: RawRepresentable>(
      _ name: String, _ fallback: Choice
    ) throws -> Choice where Choice.RawValue == String {
      guard let text = try node.string(name) else { return fallback }
      guard let choice = Choice(rawValue: text) else {
        throw node.failure("\(name) '\(text)' is not known")
      }
      return choice
    }
    // Files of the time of Upsample also say "bilinear".
    mode =
      try node.string("mode") == "bilinear" ? .linear : try choice("mode", .nearest)
    let isEarly = node.operation == "Upsample" || node.opset < 11
    coordinates = try choice(
      "coordinate_transformation_mode", isEarly ? .asymmetric : .halfPixel)
    rounding =
      try isEarly && node.string("nearest_mode") == nil ? nil : choice("nearest_mode", .preferFloor)
    isAntialiased = try node.flag("antialias")
    excludesOutside = try node.flag("exclude_outside")
    cubicCoefficient = Double(try node.float("cubic_coeff_a", default: -0.75))
    outside = try node.float("extrapolation_value", default: 0)
  }

  /// The input position of output position `x`.
  ///
  /// In float32 like ONNX Runtime: whether a position falls on a pixel decides what `floor` and `ceil`
  /// make of it, and whether it is still inside.
  func position(_ x: Int, _ axis: ResampledAxis) -> Double {
    Double(position(Float(x), axis))
  }

  private func position(_ x: Float, _ axis: ResampledAxis) -> Float {
    let scale = axis.scale
    let input = Float(axis.input)
    let output = Float(axis.output)
    switch coordinates {
    case .halfPixel: return (x + 0.5) / scale - 0.5
    case .halfPixelSymmetric:
      // The output's extent was rounded; keep its center on the input's.
      let adjustment = output / (scale * input)
      return input / 2 * (1 - adjustment) + (x + 0.5) / scale - 0.5
    case .pytorchHalfPixel: return axis.output > 1 ? (x + 0.5) / scale - 0.5 : 0
    case .alignCorners: return axis.output > 1 ? x * (input - 1) / (output - 1) : 0
    case .asymmetric: return x / scale
    case .tensorFlowHalfPixel: return (x + 0.5) / scale
    case .cropAndResize:
      return axis.output > 1
        ? axis.start * (input - 1) + x * (axis.end - axis.start) * (input - 1) / (output - 1)
        : 0.5 * (axis.start + axis.end) * (input - 1)
    }
  }

  /// The input index of each output index; -1 if it lies outside the region of interest.
  func nearestPlaces(_ axis: ResampledAxis) throws -> [Int] {
    (0..<axis.output).map { x in
      let position = position(x, axis)
      guard position.isFinite else { return 0 }
      if isOutside(position, axis) { return -1 }
      let rounded: Double
      switch rounding ?? (axis.scale < 1 ? .ceil : .floor) {
      case .floor: rounded = position.rounded(.down)
      case .ceil: rounded = position.rounded(.up)
      case .preferFloor: rounded = (position - Self.halfWidth - 0.5).rounded(.up)
      case .preferCeil: rounded = (position + Self.halfWidth + 0.5).rounded(.down)
      }
      return Int(min(max(rounded, 0), Double(axis.input - 1)))
    }
  }

  /// What each output index is made of.
  func taps(_ axis: ResampledAxis) throws -> [Taps] {
    (0..<axis.output).map { x in
      let position = position(x, axis)
      guard position.isFinite else { return Taps(places: [0], weights: [1]) }
      if isOutside(position, axis) { return Taps(places: [], weights: [], isOutside: true) }
      return taps(at: position, axis)
    }
  }

  private func isOutside(_ position: Double, _ axis: ResampledAxis) -> Bool {
    coordinates == .cropAndResize && (position < 0 || position > Double(axis.input - 1))
  }

  private func taps(at position: Double, _ axis: ResampledAxis) -> Taps {
    // When shrinking, antialiasing widens the kernel over all the values that go into one.
    let stretch = isAntialiased && axis.scale < 1 ? Double(axis.scale) : 1
    let reach = (mode == .cubic ? 2.0 : 1.0) / stretch
    let limit = Double(axis.input) + reach + 2
    let center = min(max(position, -limit), limit)
    let first = Int((center - reach).rounded(.down)) + 1
    let last = max(first, Int((center + reach).rounded(.up)) - 1)
    var taps = Taps(places: [], weights: [])
    var sum = 0.0
    for place in first...last {
      var weight = kernel((center - Double(place)) * stretch)
      let inside = min(max(place, 0), axis.input - 1)
      if place != inside, excludesOutside { weight = 0 }
      guard weight != 0 else { continue }
      sum += weight
      taps.places.append(inside)
      taps.weights.append(Float(weight))
    }
    guard !taps.places.isEmpty else {
      return Taps(
        places: [Int(min(max(center.rounded(), 0), Double(axis.input - 1)))], weights: [1])
    }
    if excludesOutside || isAntialiased {
      taps.weights = taps.weights.map { Float(Double($0) / sum) }
    }
    return taps
  }

  private func kernel(_ distance: Double) -> Double {
    let x = abs(distance)
    guard mode == .cubic else { return max(0, 1 - x) }
    let a = cubicCoefficient
    if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0
  }

  /// Writes the value that stands for what lies outside.
  func storeOutside(_ target: UnsafeMutableRawPointer, _ type: ElementType) {
    let value = Tensor(scalar: outside)
    guard let converted = try? value.converted(to: type) else { return }
    withExtendedLifetime(converted) {
      target.copyMemory(from: converted.bytes, byteCount: type.byteCount)
    }
  }
}
