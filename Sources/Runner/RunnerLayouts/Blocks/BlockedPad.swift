import RunnerGraph
import RunnerNetworkOperators
import RunnerOperators
import RunnerTensors

/// Margins of height and width around a tensor in blocks.
package struct BlockedPad: Kernel {
  private let input: ChannelBlocks
  private let output: ChannelBlocks
  private let mode: PaddingMode
  private let pads: Pads
  private let filler: Float

  /// The widths of the margins; negative ones crop.
  private struct Pads {
    var top: Int
    var left: Int
    var bottom: Int
    var right: Int

    /// Nil unless only height and width get margins.
    init?(_ numbers: [Int]?) {
      guard let numbers, numbers.count == 8, [0, 1, 4, 5].allSatisfy({ numbers[$0] == 0 }),
        numbers.allSatisfy({ abs($0) <= SlidingWindow.limit })
      else { return nil }
      (top, left, bottom, right) = (numbers[2], numbers[3], numbers[6], numbers[7])
    }
  }

  init(_ node: NodeInfo) throws {
    mode = try PaddingMode(node)
    let value = try node.float("value", default: 0)
    let numbers = try Self.integers(node.constant(1)) ?? node.ints("pads")
    guard let forms = node.fused.blocks, let input = forms.inputs.first, let input,
      let output = forms.output, let pads = Pads(numbers)
    else { throw node.failure("its form is not known") }
    self.input = input
    self.output = output
    self.pads = pads
    let given = try node.constant(2).map { try $0.converted(to: .float32).array(of: Float.self) }
    filler = given?.first ?? value
  }

  private static func integers(_ tensor: Tensor?) throws -> [Int]? {
    guard let tensor, tensor.elementType == .int64 else { return nil }
    return try tensor.array(of: Int64.self).map { Int(clamping: $0) }
  }

  /// Whether a node can be computed here; `constant` has its known inputs.
  package static func takes(_ constant: (Int) -> Tensor?, _ node: Graph.Node) -> Bool {
    func isKnown(_ index: Int) -> Bool {
      index >= node.inputs.count || node.inputs[index] == nil || constant(index) != nil
    }
    guard node.inputs.count <= 3, isKnown(1), isKnown(2),
      constant(2).map({ $0.count == 1 && $0.elementType == .float32 }) ?? true
    else { return false }
    let pads = (try? integers(constant(1))) ?? node.attributes["pads"]?.ints
    return Pads(pads) != nil
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let source = try BlockedTensor(try context.input(0, of: inputs), input, in: context)
    let height = source.height + pads.top + pads.bottom
    let width = source.width + pads.left + pads.right
    guard height >= 0, width >= 0 else {
      throw context.failure("pads for height \(source.height) and width \(source.width)")
    }
    guard mode == .constant || source.height > 0 && source.width > 0 || height * width == 0 else {
      throw context.failure("an empty dimension has nothing to repeat")
    }
    let target = try BlockedTensor(
      batch: source.batch, height: height, width: width, output, in: context)
    let pixel = ChannelBlocks.width
    // The columns that lie on the input.
    let first = min(max(pads.left, 0), width)
    let last = max(first, min(width, pads.left + source.width))
    target.forEachRow(context) { image, block, row in
      let line = target.pointer(image: image, row: row) + block * target.blockStride
      let sourceRow = mode.place(row - pads.top, in: source.height)
      guard sourceRow >= 0 else {
        line.update(repeating: filler, count: width * pixel)
        return
      }
      let from = source.pointer(image: image, row: sourceRow) + block * source.blockStride
      (line + first * pixel).update(
        from: from + (first - pads.left) * pixel, count: (last - first) * pixel)
      for column in 0..<width where column < first || column >= last {
        let place = mode.place(column - pads.left, in: source.width)
        if place >= 0 {
          (line + column * pixel).update(from: from + place * pixel, count: pixel)
        } else {
          (line + column * pixel).update(repeating: filler, count: pixel)
        }
      }
    }
    return [target.tensor]
  }
}
