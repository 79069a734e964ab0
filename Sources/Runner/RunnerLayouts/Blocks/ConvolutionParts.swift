import RunnerGraph
import RunnerTensors
import _RunnerKernels

/// The blocks of input channels for each block of outputs; in one group, all see all.
///
/// Several groups can be in one block. Its outputs then see the channels of all of them, with
/// weights of zero for those of other groups. That costs some products, but avoids searching.
struct ConvolutionParts: Sendable {
  /// Output blocks that see the same input blocks.
  struct Part: Sendable, Equatable {
    var outputs: Range<Int>
    var inputs: Range<Int>
    /// The number of channels used in the last of the input blocks.
    var lastDepth: Int
    /// The start of its weights, in blocks of weights of one tap.
    var weights = 0

    /// The number of blocks of weights of one tap.
    var area: Int { outputs.count * inputs.count }
  }

  /// The parts, in the order of their outputs.
  let parts: [Part]

  /// The total number of blocks of weights of one tap.
  var area: Int { parts.reduce(0) { $0 + $1.area } }

  /// The parts for weights of `shape`.
  ///
  /// If `areDisjoint`, the parts do not share input or output blocks.
  init(_ shape: [Int], group: Int, areDisjoint: Bool) {
    let width = ChannelBlocks.width
    let (outputs, groupInputs) = (shape[0], shape[1])
    let groupOutputs = max(outputs / max(group, 1), 1)
    var parts: [Part] = []
    for block in 0..<ChannelBlocks(channels: outputs).count {
      let first = block * width / groupOutputs * groupInputs
      let last = min(block * width + width, outputs) - 1
      let end = (last / groupOutputs + 1) * groupInputs
      var part = Part(
        outputs: block..<block + 1, inputs: first / width..<(end + width - 1) / width, lastDepth: 0)
      part.lastDepth = end - (part.inputs.upperBound - 1) * width
      if let before = parts.last,
        areDisjoint
          ? before.inputs.overlaps(part.inputs)
          : before.inputs == part.inputs && before.lastDepth == part.lastDepth
      {
        part.inputs = before.inputs.lowerBound..<part.inputs.upperBound
        part.outputs = before.outputs.lowerBound..<part.outputs.upperBound
        parts.removeLast()
      }
      parts.append(part)
    }
    var count = 0
    for index in parts.indices {
      parts[index].weights = count
      count += parts[index].area
    }
    self.parts = parts
  }

  /// The weights of all parts, one after the other, in the layout of `rk_blocked_conv_f32`.
  func packed(_ weights: Tensor, group: Int, in memory: WeightMemory) -> TensorStorage {
    let width = ChannelBlocks.width
    let taps = weights.shape[2] * weights.shape[3]
    let (outputs, groupInputs) = (weights.shape[0], weights.shape[1])
    let groupOutputs = max(outputs / group, 1)
    let count = area * taps * width * width
    let storage = memory.storage(byteCount: count * 4)
    let source = weights.pointer(to: Float.self)
    let target = storage.base.assumingMemoryBound(to: Float.self)
    target.update(repeating: 0, count: count)
    for part in parts {
      let depth = part.inputs.count
      for output in part.outputs.lowerBound * width..<min(part.outputs.upperBound * width, outputs)
      {
        let row = (output / width - part.outputs.lowerBound) * depth + part.weights
        let first = output / groupOutputs * groupInputs - part.inputs.lowerBound * width
        for input in 0..<groupInputs {
          let channel = first + input
          let block = target + (row + channel / width) * taps * width * width
          for tap in 0..<taps {
            block[(tap * width + channel % width) * width + output % width] =
              source[(output * groupInputs + input) * taps + tap]
          }
        }
      }
    }
    return storage
  }
}
