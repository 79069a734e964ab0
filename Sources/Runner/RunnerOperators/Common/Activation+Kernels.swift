import RunnerGraph
import _RunnerKernels

extension Activation? {
  /// The kernels' form of it; without one, of no change.
  package var kernelFormOrIdentity: vk_activation {
    self?.kernelForm ?? vk_activation(kind: VK_IDENTITY, alpha: 0, beta: 0)
  }
}

extension Activation {
  /// The kernels' form of it.
  package var kernelForm: vk_activation {
    switch self {
    case .relu: return vk_activation(kind: VK_RELU, alpha: 0, beta: 0)
    case .sigmoid: return vk_activation(kind: VK_SIGMOID, alpha: 0, beta: 0)
    case .silu: return vk_activation(kind: VK_SILU, alpha: 0, beta: 0)
    case .scaledSilu(let alpha):
      return vk_activation(kind: VK_SCALED_SILU, alpha: alpha, beta: 1 / alpha)
    case .hardSwish: return vk_activation(kind: VK_HARD_SWISH, alpha: 0, beta: 0)
    case .scaledHardSwish(let scale, let shift):
      return vk_activation(kind: VK_SCALED_HARD_SWISH, alpha: scale, beta: shift)
    case .hardSigmoid(let alpha, let beta):
      return vk_activation(kind: VK_HARD_SIGMOID, alpha: alpha, beta: beta)
    case .leakyRelu(let slope): return vk_activation(kind: VK_LEAKY_RELU, alpha: slope, beta: 0)
    case .clip(let minimum, let maximum):
      return vk_activation(kind: VK_CLIP, alpha: minimum, beta: maximum)
    case .gelu: return vk_activation(kind: VK_GELU, alpha: 0, beta: 0)
    case .tanhGELU: return vk_activation(kind: VK_TANH_GELU, alpha: 0, beta: 0)
    case .tanh: return vk_activation(kind: VK_TANH, alpha: 0, beta: 0)
    case .elu(let alpha, let scale):
      return vk_activation(kind: VK_ELU, alpha: alpha, beta: scale)
    }
  }
}
