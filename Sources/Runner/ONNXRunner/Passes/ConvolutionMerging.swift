import RunnerGraph
import RunnerTensors

extension GraphPass {
  static let convolutionMerging = GraphPass(
    "convolution-merging", after: ["constant-folding", "affine-folding"]
  ) { graph, _ in
    try ConvolutionMerging.apply(to: &graph)
  }
}

/// Merges convolutions of the same image whose results are added or subtracted.
///
/// The weights of the merged convolution are the sums of theirs. Networks that are trained with
/// parallel branches have such convolutions, with kernels of several sizes, and with a batch
/// normalization of the image itself as one branch (Ding et al., "RepVGG", 2021). The taps of a
/// branch keep their places relative to the output.
enum ConvolutionMerging {
  /// A node's result as a convolution of an image.
  private struct Branch {
    var image: Graph.Value
    /// The weights; nil for a factor per channel.
    var weights: Tensor?
    var factors: [Double] = []
    var bias: [Double]
    var group = 1
    var strides: [Int] = []
    /// The extents of the kernel, and the numbers of taps before the output's place.
    var kernel: [Int] = []
    var before: [Int] = []
    var after: [Int] = []
    var attributes: [String: AttributeValue] = [:]

    var outputs: Int { weights?.shape[0] ?? factors.count }
    var taps: Int { kernel.reduce(1, *) }
  }

  /// The greatest number of merged weights.
  private static let most = 1 << 28

  static func apply(to graph: inout Graph) throws {
    guard graph.opsets[""] ?? 1 >= 7 else { return }
    let uses = graph.useCounts()
    var producers = graph.producers()
    var removed: Set<Int> = []
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard node.domain.isEmpty, node.operation == "Add" || node.operation == "Sub",
        node.inputs.count == 2, node.captures.isEmpty, let output = node.outputs.first, let output,
        let a = node.inputs[0], let b = node.inputs[1], a != b, uses[a] == 1, uses[b] == 1,
        producers[a] >= 0, producers[b] >= 0,
        let first = branch(graph.nodes[producers[a]], in: graph),
        let second = branch(graph.nodes[producers[b]], in: graph),
        let merged = try merged(
          first, second, sign: node.operation == "Add" ? 1 : -1, node, in: &graph)
      else { continue }
      removed.formUnion([producers[a], producers[b]])
      graph.nodes[index] = merged
      producers[output] = index
    }
    guard !removed.isEmpty else { return }
    graph.nodes = graph.nodes.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
    // The scale of a sum now follows the convolution directly.
    try AffineFolding.apply(to: &graph)
  }

  private static func branch(_ node: Graph.Node, in graph: Graph) -> Branch? {
    guard node.domain.isEmpty, node.captures.isEmpty, node.fused.activation == nil,
      node.outputs.count == 1, let image = node.inputs.first, let image
    else { return nil }
    switch node.operation {
    case "BatchNormalization":
      guard node.inputs.count == 5,
        let parameters = AffineFolding.normalization(node, in: graph),
        (parameters.factors + parameters.shifts).allSatisfy(\.isFinite)
      else { return nil }
      return Branch(image: image, factors: parameters.factors, bias: parameters.shifts)
    case "Conv": return convolution(node, of: image, in: graph)
    default: return nil
    }
  }

  private static func convolution(
    _ node: Graph.Node, of image: Graph.Value, in graph: Graph
  ) -> Branch? {
    guard (2...3).contains(node.inputs.count), let weights = graph.constant(1, of: node),
      weights.elementType == .float32, weights.rank >= 3, weights.count > 0,
      ["NOTSET", ""].contains(node.attributes["auto_pad"]?.string ?? "")
    else { return nil }
    let rank = weights.rank - 2
    let kernel = Array(weights.shape[2...])
    let strides = node.attributes["strides"]?.ints ?? Array(repeating: 1, count: rank)
    let pads = node.attributes["pads"]?.ints ?? Array(repeating: 0, count: 2 * rank)
    let group = node.attributes["group"]?.int ?? 1
    guard strides.count == rank, strides.allSatisfy({ $0 >= 1 }), pads.count == 2 * rank,
      pads.allSatisfy({ (0...64).contains($0) }), kernel.allSatisfy({ (1...64).contains($0) }),
      node.attributes["kernel_shape"]?.ints ?? kernel == kernel, group >= 1,
      weights.shape[0] % group == 0,
      zip(node.attributes["dilations"]?.ints ?? [], kernel).allSatisfy({ $0 == 1 || $1 == 1 })
    else { return nil }
    var bias = [Double](repeating: 0, count: weights.shape[0])
    if node.inputs.count == 3, node.inputs[2] != nil {
      guard let tensor = graph.constant(2, of: node), tensor.elementType == .float32,
        tensor.shape == [weights.shape[0]], let numbers = try? tensor.array(of: Float.self)
      else { return nil }
      bias = numbers.map(Double.init)
    }
    return Branch(
      image: image, weights: weights, bias: bias, group: group, strides: strides, kernel: kernel,
      before: Array(pads[..<rank]), after: Array(pads[rank...]), attributes: node.attributes)
  }

  /// Both as one node in the place of `node`; nil if they do not fit each other.
  private static func merged(
    _ first: Branch, _ second: Branch, sign: Double, _ node: Graph.Node, in graph: inout Graph
  ) throws -> Graph.Node? {
    let form = first.weights == nil ? second : first
    guard first.image == second.image, let weights = form.weights else { return nil }
    guard let a = convolution(first, like: form, weights),
      let b = convolution(second, like: form, weights), a.kernel.count == b.kernel.count,
      a.strides == b.strides, a.group == b.group, a.outputs == b.outputs,
      [a, b].allSatisfy({ ($0.weights?.shape ?? weights.shape)[1] == weights.shape[1] }),
      // The results have the same extent for every image.
      a.kernel.indices.allSatisfy({
        a.before[$0] + a.after[$0] - a.kernel[$0] == b.before[$0] + b.after[$0] - b.kernel[$0]
      })
    else { return nil }
    let (kernel, before, after) = union(a, b)
    let taps = kernel.reduce(1, *)
    let rows = weights.shape[0].multipliedReportingOverflow(by: weights.shape[1])
    // The union of two kernels may have taps that both lack.
    guard after.allSatisfy({ $0 >= 0 }), taps <= a.taps + b.taps, !rows.overflow,
      rows.partialValue <= most / taps
    else { return nil }
    let shape = [weights.shape[0], weights.shape[1]] + kernel
    let parts = [(a, 1.0), (b, sign)]
    let storage = TensorStorage(byteCount: rows.partialValue * taps * 4) { bytes in
      let target = bytes.assumingMemoryBound(to: Float.self)
      target.update(repeating: 0, count: rows.partialValue * taps)
      for (branch, sign) in parts {
        add(branch, times: sign, to: target, shape, before: before)
      }
    }
    var result = node
    result.operation = "Conv"
    result.attributes = form.attributes
    result.attributes["kernel_shape"] = .ints(kernel)
    result.attributes["pads"] = .ints(before + after)
    result.attributes["dilations"] = nil
    let weight = graph.addValue(named: node.name + "/weights")
    let shift = graph.addValue(named: node.name + "/bias")
    graph.constants[weight] = Tensor(
      elementType: .float32, shape: shape, count: rows.partialValue * taps, storage: storage)
    graph.constants[shift] = try Tensor(
      shape: [shape[0]], zip(a.bias, b.bias).map { Float($0 + sign * $1) })
    result.inputs = [first.image, weight, shift]
    return result
  }

  /// A branch as a convolution: a factor per channel becomes one tap; nil if it cannot.
  private static func convolution(
    _ branch: Branch, like form: Branch, _ weights: Tensor
  ) -> Branch? {
    guard branch.weights == nil else { return branch }
    // Each channel is computed from itself.
    guard branch.factors.count == weights.shape[0],
      weights.shape[1] * form.group == weights.shape[0], form.strides.allSatisfy({ $0 == 1 })
    else { return nil }
    var result = branch
    result.group = form.group
    result.strides = form.strides
    result.kernel = form.kernel.map { _ in 1 }
    result.before = form.kernel.map { _ in 0 }
    result.after = form.kernel.map { _ in 0 }
    return result
  }

  /// The kernel that has the taps of both, and the numbers of taps before and after the output's
  /// place.
  private static func union(
    _ a: Branch, _ b: Branch
  ) -> (kernel: [Int], before: [Int], after: [Int]) {
    let before = zip(a.before, b.before).map { max($0, $1) }
    let kernel = a.kernel.indices.map { axis in
      before[axis]
        + max(a.kernel[axis] - a.before[axis], b.kernel[axis] - b.before[axis])
    }
    let after = a.kernel.indices.map { axis in
      kernel[axis] - before[axis] + a.before[axis] + a.after[axis] - a.kernel[axis]
    }
    return (kernel, before, after)
  }

  /// Adds a branch's weights to `target`, which has `shape` and `before` taps before the output's
  /// place.
  private static func add(
    _ branch: Branch, times sign: Double, to target: UnsafeMutablePointer<Float>, _ shape: [Int],
    before: [Int]
  ) {
    // The tap of the sum for each tap of the branch.
    let places = (0..<branch.taps).map { tap in
      var (rest, place, step) = (tap, 0, 1)
      for axis in branch.kernel.indices.reversed() {
        let offset = rest % branch.kernel[axis] + before[axis] - branch.before[axis]
        place += offset * step
        step *= shape[2 + axis]
        rest /= branch.kernel[axis]
      }
      return place
    }
    let (outputs, inputs) = (shape[0], shape[1])
    let taps = shape[2...].reduce(1, *)
    guard let weights = branch.weights else {
      let groupOutputs = outputs / branch.group
      for output in 0..<outputs {
        // The numbers of outputs and inputs are equal, and so they are in each group.
        let at = (output * inputs + output % groupOutputs) * taps + places[0]
        target[at] = Float(Double(target[at]) + sign * branch.factors[output])
      }
      return
    }
    let original = weights.readyForOneUse()
    let source = original.pointer(to: Float.self)
    for row in 0..<outputs * inputs {
      for tap in places.indices {
        let at = row * taps + places[tap]
        target[at] = Float(Double(target[at]) + sign * Double(source[row * places.count + tap]))
      }
    }
    withExtendedLifetime(original) {}
    weights.releasePages()
  }
}
