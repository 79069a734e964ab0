import RunnerGraph
import RunnerNetworkOperators
import RunnerTensors

extension GraphPass {
  static let attentionFusion = GraphPass("attention-fusion", after: ["constant-folding"]) {
    graph, _ in
    AttentionFusion.apply(to: &graph)
  }
}

/// Finds attention in the products, transpositions and softmax that exporters write for it.
///
/// The new node reads queries, keys and values in their layout before heads are moved to the front.
/// It writes its output in the layout after heads are moved back, so that no transposition copies
/// data. Reshapes stay, because they cost nothing.
enum AttentionFusion {
  static let operation = FusedAttention.operation

  typealias Layout = FusedAttention.Layout

  static func apply(to graph: inout Graph) {
    let view = GraphView(graph)
    var rewrite = GraphRewrite()
    for (index, node) in graph.nodes.enumerated()
    where node.operation == "Softmax" && node.domain.isEmpty {
      guard let match = Match(index, node, view) else { continue }
      var fused = graph.nodes[match.last]
      fused.operation = operation
      fused.domain = OperatorDomain.fused
      fused.inputs = match.operands.map(\.value)
      if let mask = match.mask { fused.inputs.append(mask) }
      fused.attributes = [
        "layouts": .ints(match.operands.map(\.layout)), "scale": .float(match.scale),
        "heads_first": .int(match.isHeadsFirst ? 1 : 0),
      ]
      rewrite.replace(match.last, by: fused, obsolete: match.nodes)
    }
    rewrite.apply(to: &graph)
  }

  private struct Operand {
    var value: Graph.Value
    var layout: Int
  }

  private struct Match {
    var operands: [Operand] = []
    var mask: Graph.Value?
    var scale: Float = 1
    var isHeadsFirst = true
    var last: Int
    var nodes: [Int]
    private var isFloat = false
    private let view: GraphView

    init?(_ index: Int, _ softmax: Graph.Node, _ view: GraphView) {
      self.view = view
      nodes = [index]
      last = index
      guard softmax.outputs.count == 1, let weights = softmax.outputs[0],
        var scores = softmax.inputs[0], let (product, values) = consumer(of: weights)
      else { return nil }
      // The last of four dimensions; before opset 13 the default axis is different.
      guard case .int(let axis)? = softmax.attributes["axis"] ?? defaultAxis(view.graph),
        axis == -1 || axis == 3
      else { return nil }
      skipCasts(&scores)
      if let (adding, addition) = view.producer(of: scores, "Add"), view.isUsedOnce(scores),
        let (first, second) = pair(addition)
      {
        // The mask is the input that does not come from a product.
        let isFirst = leadsToProduct(first)
        guard isFirst != leadsToProduct(second) else { return nil }
        mask = isFirst ? second : first
        scores = isFirst ? first : second
        nodes.append(adding)
      }
      takeScale(&scores)
      guard view.isUsedOnce(scores),
        let (multiplying, multiplication) = view.producer(
          of: scores, "MatMul"), var (queries, keys) = pair(multiplication)
      else { return nil }
      nodes.append(multiplying)
      takeScale(&queries)
      takeScale(&keys)
      guard let query = operand(queries, order: [0, 2, 1, 3]), let key = keyOperand(keys),
        let value = operand(values, order: [0, 2, 1, 3]), isFloat || isKnownFloat(mask)
      else { return nil }
      // If nothing is known about the tensors, the number of dimensions is unknown too.
      guard [query, key, value].contains(where: { $0.layout != Layout.headsFirst.rawValue })
      else { return nil }
      operands = [query, key, value]
      last = product
      if let (turning, transposition) = view.onlyUser(
        of: view.graph.nodes[product].outputs[0], "Transpose"),
        order(transposition) == [0, 2, 1, 3]
      {
        nodes.append(product)
        isHeadsFirst = false
        last = turning
      }
    }

    /// The product that reads the weights, possibly after conversions that change nothing.
    private mutating func consumer(of weights: Graph.Value) -> (index: Int, values: Graph.Value)? {
      var value = weights
      while let (index, cast) = view.onlyUser(of: value, "Cast"), isToFloat(cast),
        let output = cast.outputs[0]
      {
        nodes.append(index)
        value = output
      }
      guard let (index, product) = view.onlyUser(of: value, "MatMul"),
        product.inputs[0] == value, let values = product.inputs[1]
      else { return nil }
      return (index, values)
    }

    private func defaultAxis(_ graph: Graph) -> AttributeValue? {
      (graph.opsets[""] ?? 0) >= 13 ? .int(-1) : nil
    }

    private func isToFloat(_ cast: Graph.Node) -> Bool {
      if case .int(ElementType.float32.rawValue)? = cast.attributes["to"] { return true }
      return false
    }

    private mutating func skipCasts(_ value: inout Graph.Value) {
      while let (index, cast) = view.producer(of: value, "Cast"), view.isUsedOnce(value),
        isToFloat(cast), let input = cast.inputs[0]
      {
        nodes.append(index)
        value = input
      }
    }

    /// Skips a multiplication by a known number.
    private mutating func takeScale(_ value: inout Graph.Value) {
      guard view.isUsedOnce(value), let (index, node) = view.producer(of: value, "Mul", "Div"),
        let (input, number) = view.valueAndNumber(node)
      else { return }
      scale *= node.operation == "Div" ? 1 / number : number
      isFloat = true
      nodes.append(index)
      value = input
    }

    private func pair(_ node: Graph.Node) -> (Graph.Value, Graph.Value)? {
      guard node.inputs.count == 2, let first = node.inputs[0], let second = node.inputs[1] else {
        return nil
      }
      return (first, second)
    }

    private func leadsToProduct(_ value: Graph.Value) -> Bool {
      var value = value
      if let (_, node) = view.producer(of: value, "Mul", "Div"),
        let (input, _) = view.valueAndNumber(node)
      {
        value = input
      }
      return view.producer(of: value, "MatMul") != nil
    }

    private func order(_ transposition: Graph.Node) -> [Int]? {
      if case .ints(let order)? = transposition.attributes["perm"] { return order }
      return nil
    }

    private func isKnownFloat(_ value: Graph.Value?) -> Bool {
      value.flatMap { view.graph.constants[$0]?.elementType } == .float32
    }

    /// The source of `value`, [batch, head, position, feature].
    private mutating func operand(_ value: Graph.Value, order wanted: [Int]) -> Operand? {
      if let (index, transposition) = view.producer(of: value, "Transpose"),
        let input = transposition.inputs[0]
      {
        guard order(transposition) == wanted else { return nil }
        nodes.append(index)
        return Operand(value: input, layout: Layout.positionsFirst.rawValue)
      }
      if let part = part(value) { return part }
      return wanted == [0, 2, 1, 3]
        ? Operand(value: value, layout: Layout.headsFirst.rawValue) : nil
    }

    /// The source of transposed keys, in one transposition or in two.
    private mutating func keyOperand(_ value: Graph.Value) -> Operand? {
      guard let (index, transposition) = view.producer(of: value, "Transpose"),
        var input = transposition.inputs[0]
      else { return nil }
      nodes.append(index)
      switch order(transposition) {
      case [0, 2, 3, 1]:
        return Operand(value: input, layout: Layout.positionsFirst.rawValue)
      case [0, 1, 3, 2]:
        takeScale(&input)
        return operand(input, order: [0, 2, 1, 3])
      default: return nil
      }
    }

    /// A slice of [part, batch, head, position, feature].
    ///
    /// A product that computes queries, keys and values together has such a result.
    private mutating func part(_ value: Graph.Value) -> Operand? {
      var chain: [Int] = []
      var number: Int?
      var source: Graph.Value?
      if let (squeezing, squeeze) = view.producer(of: value, "Squeeze"),
        axes(of: squeeze, input: 1) == [0],
        let (slicing, slice) = view.producer(of: squeeze.inputs[0], "Slice"),
        slice.inputs.count >= 4, let first = view.integers(slice.inputs[1]),
        let end = view.integers(slice.inputs[2]), view.integers(slice.inputs[3]) == [0],
        slice.inputs.count == 4 || view.integers(slice.inputs[4]) == [1],
        first.count == 1, end == [first[0] + 1], first[0] >= 0
      {
        chain = [squeezing, slicing]
        number = first[0]
        source = slice.inputs[0]
      } else if let (gathering, gather) = view.producer(of: value, "Gather"),
        gather.attributes["axis"].map({ if case .int(0) = $0 { true } else { false } }) ?? true,
        let indices = gather.inputs[1], view.graph.constants[indices]?.rank == 0,
        let place = view.integers(indices)?.first, place >= 0
      {
        chain = [gathering]
        number = place
        source = gather.inputs[0]
      }
      guard let number, let (turning, transposition) = view.producer(of: source, "Transpose"),
        order(transposition) == [2, 0, 3, 1, 4], let input = transposition.inputs[0]
      else { return nil }
      nodes += chain + [turning]
      return Operand(value: input, layout: Layout.part.rawValue + number)
    }

    private func axes(of node: Graph.Node, input: Int) -> [Int]? {
      if case .ints(let axes)? = node.attributes["axes"] { return axes }
      return node.inputs.count > input ? view.integers(node.inputs[input]) : nil
    }
  }
}
