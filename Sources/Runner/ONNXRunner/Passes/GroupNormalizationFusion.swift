import RunnerGraph
import RunnerTensors

extension GraphPass {
  /// Shapes distinguish images from the other values of these nodes.
  static let groupNormalizationFusion = GraphPass(
    "group-normalization-fusion", after: ["constant-folding", "shape-folding"]
  ) { graph, _ in
    GroupNormalizationFusion.apply(to: &graph)
  }
}

/// Finds group normalization in the instance normalization of a reshaped tensor.
///
/// Exporters write this before opset 21 (Wu and He, "Group normalization", 2018).
enum GroupNormalizationFusion {
  static func apply(to graph: inout Graph) {
    let view = GraphView(graph)
    var rewrite = GraphRewrite()
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard node.operation == "InstanceNormalization", node.domain.isEmpty,
        let match = match(index, node, view), let factors = try? tensor(match.factors),
        let shifts = try? tensor(match.shifts)
      else { continue }
      var fused = graph.nodes[match.last]
      fused.operation = "GroupNormalization"
      fused.domain = OperatorDomain.fused
      fused.attributes = ["epsilon": .float(match.epsilon), "num_groups": .int(match.groups)]
      let factor = graph.addValue(named: fused.name + "/scale")
      let shift = graph.addValue(named: fused.name + "/shift")
      graph.constants[factor] = factors
      graph.constants[shift] = shifts
      fused.inputs = [match.image, factor, shift]
      rewrite.replace(match.last, by: fused, obsolete: match.nodes)
    }
    rewrite.apply(to: &graph)
  }

  private static func tensor(_ values: [Float]) throws -> Tensor {
    try Tensor(shape: [values.count], values)
  }

  private struct Match {
    var image: Graph.Value
    var groups: Int
    var factors: [Float]
    var shifts: [Float]
    var epsilon: Float
    var last: Int
    var nodes: [Int]
  }

  private static func match(_ index: Int, _ node: Graph.Node, _ view: GraphView) -> Match? {
    guard node.inputs.count == 3, let grouped = node.inputs[0], view.isUsedOnce(grouped),
      let scales = numbers(node.inputs[1], view), let biases = numbers(node.inputs[2], view),
      scales.count == biases.count,
      let (before, reshape) = view.producer(of: grouped, "Reshape"), let image = reshape.inputs[0],
      image < view.graph.facts.count, let fact = view.graph.facts[image], fact.type == .float32,
      fact.shape.count == 4, reshape.inputs.count == 2,
      let wanted = view.integers(reshape.inputs[1]), wanted.count == 3, wanted[2] == -1,
      wanted[0] == 0 || wanted[0] == fact.shape[0], wanted[1] == scales.count,
      let (after, back) = view.onlyUser(of: node.outputs[0], "Reshape"), back.inputs.count == 2,
      view.integers(back.inputs[1]) == fact.shape
    else { return nil }
    let (groups, channels) = (scales.count, fact.shape[1])
    guard groups > 0, channels % groups == 0, channels > 1,
      let (scaling, scaled) = view.onlyUser(of: back.outputs[0], "Mul"),
      let scale = view.other(than: back.outputs[0] ?? -1, in: scaled),
      let (last, shifted) = view.onlyUser(of: scaled.outputs[0], "Add"),
      let shift = view.other(than: scaled.outputs[0] ?? -1, in: shifted),
      let factors = byChannel(scale, channels, view), let shifts = byChannel(shift, channels, view)
    else { return nil }
    var epsilon: Float = 1e-5
    if case .float(let given)? = node.attributes["epsilon"] { epsilon = given }
    return Match(
      image: image, groups: groups,
      factors: factors.indices.map { factors[$0] * scales[$0 / (channels / groups)] },
      shifts: factors.indices.map {
        factors[$0] * biases[$0 / (channels / groups)] + shifts[$0]
      },
      epsilon: epsilon, last: last, nodes: [before, index, after, scaling])
  }

  private static func numbers(_ value: Graph.Value?, _ view: GraphView) -> [Float]? {
    guard let value, let tensor = view.graph.constants[value], tensor.elementType == .float32,
      tensor.rank == 1
    else { return nil }
    return try? tensor.array(of: Float.self)
  }

  /// A constant as one number per channel of an image.
  private static func byChannel(
    _ value: Graph.Value, _ channels: Int, _ view: GraphView
  ) -> [Float]? {
    guard let tensor = view.graph.constants[value], tensor.elementType == .float32,
      tensor.rank <= 4, let numbers = try? tensor.array(of: Float.self)
    else { return nil }
    if numbers.count == 1 { return [Float](repeating: numbers[0], count: channels) }
    return [[channels, 1, 1], [1, channels, 1, 1]].contains(tensor.shape) ? numbers : nil
  }
}
