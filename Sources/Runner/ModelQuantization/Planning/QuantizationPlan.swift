import ONNXRunner
import RunnerGraph
import RunnerTensors

/// Which nodes compute in 8 bits, and which values are rounded for that.
struct QuantizationPlan {
  /// A node that multiplies by known weights.
  struct Product {
    var node: Int
    /// The channels of results among the weights' dimensions.
    var axis: Int
    /// The value that is rounded: the result after an added vector and after a limit.
    var target: Graph.Value
    /// The value that is multiplied, and which of its dimensions has the channels.
    ///
    /// Nil if no bias of the node can compensate for the shift that the weights' rounding causes.
    var input: (value: Graph.Value, axis: Int)?
  }

  /// What is computed from one rounded value alone, number by number.
  struct Function {
    var nodes: [Int] = []
    /// Results that others read.
    var ends: [Graph.Value] = []
    /// Whether the root is read by others too.
    var isShared = false
  }

  var products: [Product] = []
  /// Why a node with weights stays as it is, by the node.
  var reasons: [Int: String] = [:]
  /// Rounded values, each with the one whose range it has, in the order in which they are made.
  var owners: [(value: Graph.Value, owner: Graph.Value)] = []
  /// Functions by their roots.
  var functions: [Graph.Value: Function] = [:]

  /// The nodes that were looked at, in their order.
  var candidates: [Int] { (products.map(\.node) + reasons.keys).sorted() }

  /// The values whose means are wanted, each with the dimension of its channels.
  var averaged: [Graph.Value: Int] {
    Dictionary(
      products.compactMap { $0.input.map { ($0.value, $0.axis) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The values whose ranges are wanted.
  var observed: [Graph.Value] {
    var seen: Set<Graph.Value> = []
    return owners.map(\.owner).filter { seen.insert($0).inserted }
  }
}

/// Finds what can be computed in 8 bits.
///
/// A product is rounded at its input and at its result. A result that goes through a function of
/// itself, such as a SiLU, is rounded before the function, which then is a table. What lies between
/// two products is done in 8 bits if all that it reads is, and if a product reads what comes of it.
struct QuantizationPlanner {
  private let view: GraphView
  private let isElementwise: [Bool]
  private let keepsLastLayers: Bool

  init(_ graph: Graph, keepsLastLayers: Bool, isElementwise: (Graph.Node) -> Bool) {
    view = GraphView(graph)
    self.keepsLastLayers = keepsLastLayers
    self.isElementwise = graph.nodes.map(isElementwise)
  }

  private var graph: Graph { view.graph }

  /// The plan that leaves some nodes as they are, each for a reason.
  func plan(keeping kept: [Int: String]) -> QuantizationPlan {
    var plan = QuantizationPlan()
    let last = keepsLastLayers ? lastLayers() : []
    for index in graph.nodes.indices where isProduct(graph.nodes[index]) {
      if let reason = kept[index] {
        plan.reasons[index] = reason
      } else if last.contains(index) {
        plan.reasons[index] = "its result goes to an output"
      } else {
        switch product(index) {
        case .success(let product): plan.products.append(product)
        case .failure(let refusal): plan.reasons[index] = refusal.reason
        }
      }
    }
    chooseValues(&plan)
    return plan
  }

  // MARK: Products

  private struct Refusal: Error {
    let reason: String
  }

  /// Whether a node multiplies by known weights.
  private func isProduct(_ node: Graph.Node) -> Bool {
    node.domain.isEmpty && ["Conv", "ConvTranspose", "MatMul", "Gemm"].contains(node.operation)
      && node.captures.isEmpty && graph.constant(1, of: node) != nil
      && node.inputs[0].map { graph.constants[$0] == nil } ?? false
  }

  /// Products whose results reach an output through no other.
  private func lastLayers() -> Set<Int> {
    var found: Set<Int> = []
    var seen: Set<Graph.Value> = []
    var open = graph.outputs
    while let value = open.popLast() {
      guard seen.insert(value).inserted, view.producers[value] >= 0 else { continue }
      let node = graph.nodes[view.producers[value]]
      if isProduct(node) {
        found.insert(view.producers[value])
      } else {
        open += node.inputs.compactMap { $0 } + node.captures
      }
    }
    return found
  }

  private func product(_ index: Int) -> Result<QuantizationPlan.Product, Refusal> {
    func refused(_ reason: String) -> Result<QuantizationPlan.Product, Refusal> {
      .failure(Refusal(reason: reason))
    }
    let node = graph.nodes[index]
    guard let weights = graph.constant(1, of: node), let output = node.outputs.first, let output
    else { return refused("its weights are not known") }
    guard weights.elementType == .float32, weights.count > 0 else {
      return refused("its weights are \(weights.elementType)")
    }
    let isFinite =
      (try? weights.withElements(of: Float.self) { $0.allSatisfy(\.isFinite) }) ?? false
    guard isFinite else { return refused("a weight is infinite or not a number") }
    if node.inputs.count > 2, let bias = node.inputs[2] {
      guard let tensor = graph.constants[bias], tensor.elementType == .float32 else {
        return refused("its bias is not known")
      }
    }
    var axis = 0
    switch node.operation {
    case "Conv":
      let group = node.attributes["group"]?.int ?? 1
      guard weights.rank == 4 else { return refused("it has \(weights.rank - 2) dimensions") }
      let isDepthwise =
        weights.shape[1] == 1 && weights.shape[0] == group
        && weights.shape[2] * weights.shape[3] <= 512
      guard group == 1 || isDepthwise else { return refused("it has groups of channels") }
    case "MatMul":
      guard weights.rank == 2 else { return refused("its weights have \(weights.rank) dimensions") }
      axis = 1
    case "Gemm":
      guard weights.rank == 2, node.attributes["alpha"]?.float ?? 1 == 1,
        node.attributes["beta"]?.float ?? 1 == 1, node.attributes["transA"]?.int ?? 0 == 0
      else { return refused("it scales or turns what it multiplies") }
      axis = node.attributes["transB"]?.int ?? 0 == 0 ? 1 : 0
      if let bias = graph.constant(2, of: node) {
        guard bias.rank <= 1, bias.count == 1 || bias.count == weights.shape[axis] else {
          return refused("its bias is a matrix")
        }
      }
    default: return refused("there is no such product of integers")
    }
    let target = target(of: output, node.operation, columns: weights.shape[axis])
    guard !view.isElsewhere[target] else { return refused("its result is an output") }
    var input: (Graph.Value, Int)?
    if node.operation != "MatMul", let value = node.inputs[0] { input = (value, 1) }
    return .success(
      QuantizationPlan.Product(node: index, axis: axis, target: target, input: input))
  }

  /// The value at which the result of a product is rounded.
  private func target(
    of output: Graph.Value, _ operation: String, columns: Int
  ) -> Graph.Value {
    var value = output
    if operation == "MatMul", let next = onlyUser(of: value), next.operation == "Add",
      next.inputs.count == 2, let other = next.inputs.first(where: { $0 != value }) ?? nil,
      let vector = graph.constants[other], vector.rank <= 1, vector.elementType == .float32,
      vector.count == 1 || vector.count == columns, let sum = next.outputs[0]
    {
      value = sum
    }
    if let next = onlyUser(of: value), next.operation == "Relu" || next.operation == "Clip",
      next.inputs.first == value,
      next.inputs.dropFirst().allSatisfy({ $0.map { graph.constants[$0]?.count == 1 } ?? true }),
      let limited = next.outputs[0]
    {
      value = limited
    }
    return value
  }

  private func onlyUser(of value: Graph.Value) -> Graph.Node? {
    guard !view.isElsewhere[value], view.users[value].count == 1 else { return nil }
    let node = graph.nodes[view.users[value][0]]
    guard node.domain.isEmpty, node.captures.isEmpty, node.outputs.count == 1 else { return nil }
    return node
  }

  // MARK: Values

  /// How a node that is not a product takes part.
  private enum Part {
    /// A function of one rounded value.
    case function(root: Graph.Value)
    /// Its result has a range of its own.
    case own
    /// Its result has the range of its first input.
    case moved
  }

  private func chooseValues(_ plan: inout QuantizationPlan) {
    let targets = Dictionary(
      plan.products.map { (view.producers[$0.target], $0) }, uniquingKeysWith: { first, _ in first }
    )
    // Which values can be had in 8 bits, and which function of which value they are.
    var roots: [Graph.Value: Graph.Value] = [:]
    var parts: [Int: Part] = [:]
    for (index, node) in graph.nodes.enumerated() {
      if let product = targets[index] {
        roots[product.target] = product.target
      } else if let part = part(of: node, at: index, roots), let output = node.outputs[0] {
        parts[index] = part
        if case .function(let root) = part { roots[output] = root } else { roots[output] = output }
      }
    }
    // Which of them somebody wants.
    let readers = Set(plan.products.map(\.node))
    var wanted: Set<Graph.Value> = Set(plan.products.map(\.target))
    for index in graph.nodes.indices.reversed() {
      let node = graph.nodes[index]
      if readers.contains(index), let input = node.inputs[0] { wanted.insert(input) }
      guard let part = parts[index], let output = node.outputs[0], wanted.contains(output) else {
        continue
      }
      if case .function(let root) = part {
        wanted.insert(root)
      } else {
        for input in node.inputs {
          if let input, graph.constants[input] == nil { wanted.insert(input) }
        }
      }
    }
    chooseOwners(&plan, wanted, parts)
    chooseFunctions(&plan, wanted, parts, roots)
  }

  private func chooseOwners(
    _ plan: inout QuantizationPlan, _ wanted: Set<Graph.Value>, _ parts: [Int: Part]
  ) {
    var owners: [Graph.Value: Graph.Value] = [:]
    for input in graph.inputs where wanted.contains(input) { owners[input] = input }
    var order = graph.inputs.filter { wanted.contains($0) }
    for (index, node) in graph.nodes.enumerated() {
      for output in node.outputs {
        guard let output, wanted.contains(output) else { continue }
        order.append(output)
        owners[output] = output
        if case .moved? = parts[index], let input = node.inputs[0] {
          owners[output] = owners[input] ?? output
        } else if case .own? = parts[index], node.operation == "Concat" {
          // A part that nobody else reads is rounded as the whole is, and needs no second rounding.
          for case let part? in node.inputs
          where owners[part] == part && view.users[part].count == 1 {
            owners[part] = output
          }
        }
      }
    }
    plan.owners = order.map { value in
      var owner = value
      // A part of a part of a whole.
      while let next = owners[owner], next != owner { owner = next }
      return (value, owner)
    }
  }

  private func chooseFunctions(
    _ plan: inout QuantizationPlan, _ wanted: Set<Graph.Value>, _ parts: [Int: Part],
    _ roots: [Graph.Value: Graph.Value]
  ) {
    for (index, node) in graph.nodes.enumerated() {
      guard case .function(let root)? = parts[index], wanted.contains(root),
        let output = node.outputs[0]
      else { continue }
      plan.functions[root, default: QuantizationPlan.Function()].nodes.append(index)
      let isInner =
        !view.isElsewhere[output]
        && view.users[output].allSatisfy { user in
          if case .function(root)? = parts[user] { return true }
          return false
        }
      if !isInner { plan.functions[root]?.ends.append(output) }
    }
    for root in plan.functions.keys {
      let inner = Set(plan.functions[root]?.nodes ?? [])
      plan.functions[root]?.isShared =
        view.isElsewhere[root] || view.users[root].contains { !inner.contains($0) }
    }
  }

  /// How a node could take part, if it reads what can be had in 8 bits.
  private func part(
    of node: Graph.Node, at index: Int, _ roots: [Graph.Value: Graph.Value]
  ) -> Part? {
    guard node.domain.isEmpty, node.captures.isEmpty, node.outputs.count == 1,
      node.outputs[0] != nil
    else { return nil }
    let inputs = node.inputs.compactMap { $0 }
    let read = inputs.filter { graph.constants[$0] == nil }
    let known = read.compactMap { roots[$0] }
    guard !read.isEmpty, known.count == read.count else { return nil }
    if isElementwise[index], node.operation != "Cast", Set(known).count == 1,
      inputs.allSatisfy({ graph.constants[$0].map { $0.count == 1 && $0.rank <= 1 } ?? true })
    {
      return .function(root: known[0])
    }
    switch node.operation {
    case "Add", "Mul": return read.count == 2 && inputs.count == 2 ? .own : nil
    case "Concat": return read.count == inputs.count ? .own : nil
    case "GlobalAveragePool": return .own
    case "ReduceMean":
      var axes = node.attributes["axes"]?.ints
      if let tensor = graph.constant(1, of: node) {
        axes = (try? tensor.array(of: Int64.self))?.map { Int($0) }
      }
      guard let axes, [[2, 3], [-2, -1]].contains(axes.sorted()),
        node.attributes["keepdims"]?.int ?? 1 == 1
      else { return nil }
      return .own
    case "Resize":
      guard read.count == 1, node.attributes["mode"]?.string ?? "nearest" == "nearest" else {
        return nil
      }
      return .moved
    case "MaxPool", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Slice":
      return read.count == 1 && read.first == inputs.first ? .moved : nil
    default: return nil
    }
  }
}
