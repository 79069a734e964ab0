import Foundation
import _RunnerKernels

/// What each C kernel computes, written plainly in double precision.
enum Twin {
  static func activate(_ x: Double, _ activation: vk_activation) -> Double {
    let alpha = Double(activation.alpha)
    let beta = Double(activation.beta)
    switch activation.kind {
    case VK_RELU: return x < 0 ? 0 : x
    case VK_LEAKY_RELU: return x < 0 ? alpha * x : x
    case VK_CLIP: return x < alpha ? alpha : x > beta ? beta : x
    case VK_SIGMOID: return sigmoid(x)
    case VK_SILU: return x * sigmoid(x)
    case VK_TANH: return tanh(x)
    case VK_HARD_SIGMOID: return unit(alpha * x + beta)
    case VK_HARD_SWISH: return x * unit(x / 6 + 0.5)
    case VK_EXP: return exp(x)
    case VK_ERF: return erf(x)
    case VK_ELU: return beta * (x < 0 ? alpha * expm1(x) : x)
    case VK_GELU: return x / 2 * (1 + erf(x / 2.0.squareRoot()))
    case VK_TANH_GELU:
      return x / 2 * (1 + tanh((2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
    case VK_SCALED_SILU: return beta * (alpha * x) * sigmoid(alpha * x)
    default: return x
    }
  }

  private static func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

  private static func unit(_ x: Double) -> Double { x < 0 ? 0 : x > 1 ? 1 : x }

  static func combine(_ a: Double, _ b: Double, _ op: rk_binary_op) -> Double {
    switch op {
    case RK_ADD: return a + b
    case RK_SUB: return a - b
    case RK_MUL: return a * b
    case RK_DIV: return a / b
    case RK_MIN: return a.isNaN || b.isNaN ? .nan : min(a, b)
    default: return a.isNaN || b.isNaN ? .nan : max(a, b)
    }
  }

  static func softmax(_ row: [Double]) -> [Double] {
    var most = -Double.infinity
    for x in row { most = combine(most, x, RK_MAX) }
    let powers = row.map { exp($0 - most) }
    let sum = powers.reduce(0, +)
    return powers.map { $0 / sum }
  }

  static func layerNorm(
    _ row: [Double], scale: [Double], bias: [Double], epsilon: Double
  ) -> (values: [Double], mean: Double, inverse: Double) {
    let mean = row.reduce(0, +) / Double(row.count)
    let variance = row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(row.count)
    let inverse = 1 / (variance + epsilon).squareRoot()
    let values = row.indices.map { (row[$0] - mean) * inverse * scale[$0] + bias[$0] }
    return (values, mean, inverse)
  }

  /// The input value under tap (ky, kx) of output pixel (oy, ox), or nil in the padding.
  private static func tap(
    _ plane: ArraySlice<Float>, _ w: rk_window, _ oy: Int, _ ox: Int, _ ky: Int, _ kx: Int
  ) -> Double? {
    let iy = oy * w.stride_y - w.pad_top + ky * w.dilation_y
    let ix = ox * w.stride_x - w.pad_left + kx * w.dilation_x
    guard (0..<w.in_height).contains(iy), (0..<w.in_width).contains(ix) else { return nil }
    return Double(plane[plane.startIndex + iy * w.in_width + ix])
  }

  private static func plane(_ input: [Float], _ w: rk_window, _ channel: Int) -> ArraySlice<Float> {
    let size = w.in_height * w.in_width
    return input[channel * size..<(channel + 1) * size]
  }

  static func depthwise(
    _ input: [Float], weights: [Float], bias: [Float]?, channels: Int, multiplier: Int,
    _ w: rk_window, _ activation: vk_activation
  ) -> [Double] {
    var output: [Double] = []
    for c in 0..<channels {
      let plane = plane(input, w, c / multiplier)
      for oy in 0..<w.out_height {
        for ox in 0..<w.out_width {
          var sum = bias.map { Double($0[c]) } ?? 0
          for ky in 0..<w.kernel_height {
            for kx in 0..<w.kernel_width {
              let weight = weights[(c * w.kernel_height + ky) * w.kernel_width + kx]
              sum += (tap(plane, w, oy, ox, ky, kx) ?? 0) * Double(weight)
            }
          }
          output.append(activate(sum, activation))
        }
      }
    }
    return output
  }

  static func im2col(
    _ input: [Float], channels: Int, _ w: rk_window, rows: Range<Int>
  ) -> [Double] {
    var columns: [Double] = []
    for c in 0..<channels {
      let plane = plane(input, w, c)
      for ky in 0..<w.kernel_height {
        for kx in 0..<w.kernel_width {
          for oy in rows {
            for ox in 0..<w.out_width {
              columns.append(tap(plane, w, oy, ox, ky, kx) ?? 0)
            }
          }
        }
      }
    }
    return columns
  }

  static func maxPool(_ input: [Float], channels: Int, _ w: rk_window) -> [Double] {
    pool(input, channels: channels, w) { taps, _ in
      taps.reduce(-.infinity) { combine($0, $1, RK_MAX) }
    }
  }

  static func averagePool(
    _ input: [Float], channels: Int, _ w: rk_window, countPadding: Bool
  ) -> [Double] {
    pool(input, channels: channels, w) { taps, padded in
      let count = countPadding ? padded : taps.count
      return taps.reduce(0, +) / Double(max(count, 1))
    }
  }

  /// Hands the values under each window to `reduce`, and how many there are with the padding.
  private static func pool(
    _ input: [Float], channels: Int, _ w: rk_window,
    reduce: (_ taps: [Double], _ padded: Int) -> Double
  ) -> [Double] {
    var output: [Double] = []
    for c in 0..<channels {
      let plane = plane(input, w, c)
      for oy in 0..<w.out_height {
        for ox in 0..<w.out_width {
          var taps: [Double] = []
          var padded = 0
          for ky in 0..<w.kernel_height {
            for kx in 0..<w.kernel_width {
              if let value = tap(plane, w, oy, ox, ky, kx) { taps.append(value) }
              let iy = oy * w.stride_y + ky * w.dilation_y
              let ix = ox * w.stride_x + kx * w.dilation_x
              if iy < w.in_height + w.pad_top + w.pad_bottom,
                ix < w.in_width + w.pad_left + w.pad_right
              {
                padded += 1
              }
            }
          }
          output.append(reduce(taps, padded))
        }
      }
    }
    return output
  }
}
