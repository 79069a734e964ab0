import RunnerGraph
import RunnerOperators
import _RunnerKernels

extension AttributeKinds {
  /// What ``SlidingWindow`` reads.
  package static let window: Self = [
    "auto_pad": .string, "dilations": .ints, "kernel_shape": .ints, "pads": .ints,
    "strides": .ints,
  ]
  package static let convolution = window + ["group": .int]
  package static let pooling = window + ["ceil_mode": .int]
  package static let averagePooling = pooling + ["count_include_pad": .int]
}

/// How a convolution's or a pooling's window moves, from the attributes they share.
package struct SlidingWindow: Sendable {
  package enum Padding: Sendable, Equatable {
    case explicit
    case sameUpper
    case sameLower
    case valid
  }

  /// The window's extent where an attribute gives it.
  package private(set) var kernel: [Int]?
  package private(set) var strides: [Int]?
  package private(set) var dilations: [Int]?
  /// All begins, then all ends.
  package private(set) var pads: [Int]?
  package let padding: Padding
  /// Whether a last window that reaches past the end counts.
  let roundsUp: Bool

  /// Larger numbers than this in an attribute make no sense, and smaller ones cannot overflow.
  package static let limit = 1 << 24

  package init(_ node: NodeInfo) throws {
    kernel = try Self.positive(node, "kernel_shape")
    strides = try Self.positive(node, "strides")
    dilations = try Self.positive(node, "dilations")
    pads = try node.ints("pads")
    if let pads, !pads.allSatisfy({ $0 >= 0 && $0 <= Self.limit }) || pads.count % 2 != 0 {
      throw node.failure("pads \(pads) must be pairs from 0 to \(Self.limit)")
    }
    roundsUp = try node.has("ceil_mode") && node.flag("ceil_mode")
    switch try node.string("auto_pad", default: "NOTSET") {
    case "NOTSET", "": padding = .explicit
    case "SAME_UPPER": padding = .sameUpper
    case "SAME_LOWER": padding = .sameLower
    case "VALID": padding = .valid
    case let other:
      throw node.failure(
        "auto_pad '\(other)' is none of NOTSET, SAME_UPPER, SAME_LOWER, VALID")
    }
  }

  private static func positive(_ node: NodeInfo, _ name: String) throws -> [Int]? {
    guard let values = try node.ints(name) else { return nil }
    guard values.allSatisfy({ $0 >= 1 && $0 <= limit }) else {
      throw node.failure("\(name) \(values) must be from 1 to \(limit)")
    }
    return values
  }

  /// The window on one axis.
  package struct Axis: Sendable {
    package var input = 1
    package var output = 1
    package var kernel = 1
    package var stride = 1
    package var dilation = 1
    package var padBegin = 0
    package var padEnd = 0
  }

  /// The window over the spatial dimensions `input`.
  package func axes(
    over input: [Int], kernel given: [Int], in context: some NodeFailures
  ) throws -> [Axis] {
    let count = input.count
    guard given.count == count else {
      throw context.failure("kernel \(given) does not fit \(count) spatial dimensions")
    }
    guard given.allSatisfy({ $0 >= 1 && $0 <= Self.limit }) else {
      throw context.failure("kernel \(given) must be from 1 to \(Self.limit)")
    }
    if let kernel, kernel != given {
      throw context.failure("kernel_shape is \(kernel), the weights' is \(given)")
    }
    for (name, values, expected) in [
      ("strides", strides, count), ("dilations", dilations, count), ("pads", pads, 2 * count),
    ] {
      if let values, values.count != expected {
        throw context.failure("\(name) \(values) should be \(expected) numbers")
      }
    }
    return try (0..<count).map { index in
      var axis = Axis()
      axis.input = input[index]
      axis.kernel = given[index]
      axis.stride = strides?[index] ?? 1
      axis.dilation = dilations?[index] ?? 1
      let reach = (axis.kernel - 1) * axis.dilation + 1
      switch padding {
      case .explicit:
        axis.padBegin = pads?[index] ?? 0
        axis.padEnd = pads?[index + count] ?? 0
      case .valid: break
      case .sameUpper, .sameLower:
        let output = (axis.input + axis.stride - 1) / axis.stride
        let total = max((output - 1) * axis.stride + reach - axis.input, 0)
        axis.padBegin = padding == .sameUpper ? total / 2 : total - total / 2
        axis.padEnd = total - axis.padBegin
      }
      let padded = axis.input + axis.padBegin + axis.padEnd
      let room = padded - reach
      let roundsUp = roundsUp && (padding == .explicit || padding == .valid)
      if roundsUp, axis.input > 0, room < 0, room > -axis.stride {
        // The only window reaches past the end. What it has there counts for nothing.
        axis.kernel = (padded - 1) / axis.dilation + 1
        return axis
      }
      guard room >= 0, axis.input > 0 else {
        throw context.failure(
          "kernel \(given) with dilation reaches over \(reach), the padded input "
            + "\(input) has \(max(axis.input, 0) + axis.padBegin + axis.padEnd)")
      }
      axis.output = room / axis.stride + 1
      if roundsUp, room % axis.stride != 0 {
        // The last window must start inside the input or the padding before it.
        if axis.output * axis.stride < axis.input + axis.padBegin { axis.output += 1 }
      }
      return axis
    }
  }

  /// ``axes(over:kernel:in:)`` for tensors whose padding is a margin around them in memory, of a width for each axis.
  package func axes(
    over input: [Int], kernel: [Int], margins: [Int], in context: some NodeFailures
  ) throws -> [Axis] {
    let axes = try axes(over: input, kernel: kernel, in: context)
    for (axis, margin) in zip(axes, margins) {
      let reach = max(axis.padBegin, axis.padEnd)
      guard reach <= margin else {
        throw context.failure("pads reach over \(reach), the margin over \(margin)")
      }
    }
    return axes
  }

  /// The window over one axis as one over planes of height 1.
  package var overPlanes: SlidingWindow {
    var window = self
    window.kernel = kernel.map { [1] + $0 }
    window.strides = strides.map { [1] + $0 }
    window.dilations = dilations.map { [1] + $0 }
    window.pads = pads.map { [0] + $0[..<($0.count / 2)] + [0] + $0[($0.count / 2)...] }
    return window
  }

  /// The kernels' form of one or two axes; one axis is a plane of height 1.
  package static func plane(_ axes: [Axis]) -> rk_window {
    let y = axes.count == 2 ? axes[0] : Axis()
    let x = axes[axes.count - 1]
    return rk_window(
      in_height: y.input, in_width: x.input, out_height: y.output, out_width: x.output,
      kernel_height: y.kernel, kernel_width: x.kernel, stride_y: y.stride, stride_x: x.stride,
      dilation_y: y.dilation, dilation_x: x.dilation, pad_top: y.padBegin, pad_left: x.padBegin,
      pad_bottom: y.padEnd, pad_right: x.padEnd)
  }
}
