import Foundation
import RunnerGraph
import RunnerOperators
import _RunnerKernels

/// An activation of a recurrent layer.
struct RecurrentFunction: Sendable {
  /// The kernel for it; without one, the function itself.
  private var kernel: vk_activation?
  private var function: @Sendable (Float) -> Float = { $0 }
  private let name: String

  /// The activation called `name`, which takes what it needs from `alphas` and `betas`.
  init(
    _ name: String, _ alphas: inout IndexingIterator<[Float]>,
    _ betas: inout IndexingIterator<[Float]>, _ node: NodeInfo
  ) throws {
    self.name = name.lowercased()
    switch self.name {
    case "relu": kernel = vk_activation(kind: VK_RELU, alpha: 0, beta: 0)
    case "tanh": kernel = vk_activation(kind: VK_TANH, alpha: 0, beta: 0)
    case "sigmoid": kernel = vk_activation(kind: VK_SIGMOID, alpha: 0, beta: 0)
    case "softsign": function = { $0 / (1 + abs($0)) }
    case "softplus": function = { max($0, 0) + log1p(exp(-abs($0))) }
    case "affine":
      let (alpha, beta) = (alphas.next() ?? 1, betas.next() ?? 0)
      function = { alpha * $0 + beta }
    case "leakyrelu":
      kernel = vk_activation(kind: VK_LEAKY_RELU, alpha: alphas.next() ?? 0.01, beta: 0)
    case "thresholdedrelu":
      let alpha = alphas.next() ?? 1
      function = { $0 >= alpha ? $0 : 0 }
    case "scaledtanh":
      let (alpha, beta) = (alphas.next() ?? 1, betas.next() ?? 1)
      function = { alpha * tanh(beta * $0) }
    case "hardsigmoid":
      let (alpha, beta) = (alphas.next() ?? 0.2, betas.next() ?? 0.5)
      kernel = vk_activation(kind: VK_HARD_SIGMOID, alpha: alpha, beta: beta)
    case "elu":
      let alpha = alphas.next() ?? 1
      function = { $0 >= 0 ? $0 : alpha * expm1($0) }
    default: throw node.unsupported("activation '\(name)'")
    }
  }

  /// Replaces values, limited to `-bound...bound` if there is one, by those of the function.
  func apply(_ values: UnsafeMutablePointer<Float>, _ count: Int, bound: Float?) {
    if let bound { rk_clip_f32(values, values, count, -bound, bound) }
    if let kernel {
      rk_activate_f32(values, values, count, kernel)
    } else {
      for index in 0..<count { values[index] = function(values[index]) }
    }
  }
}
