import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Every operator on random inputs and attributes, most of them wrong: errors are fine, traps are not.
@Suite("Operators on hostile input")
struct HostileOperatorTests {
  private struct Source {
    var generator: SeededGenerator

    mutating func int(_ range: ClosedRange<Int>) -> Int {
      Int.random(in: range, using: &generator)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[int(0...elements.count - 1)]
    }

    /// A number that attributes and index tensors may hold.
    mutating func number() -> Int {
      switch int(0...19) {
      case 0: return pick([.max, .min, .max - 1, 1 << 40, -(1 << 40), 1 << 31, -(1 << 31)])
      case 1...4: return int(-9...9)
      default: return int(-2...4)
      }
    }

    mutating func real() -> Float {
      switch int(0...9) {
      case 0: return pick([.nan, .infinity, -.infinity, 1e30, -1e30, 0, -0.0])
      default: return Float(int(-40...40)) / 8
      }
    }

    mutating func shape() -> [Int] {
      let rank = pick([0, 1, 1, 2, 2, 3, 3, 4, 4, 5])
      return (0..<rank).map { _ in pick([0, 1, 1, 2, 2, 3, 3, 4, 5]) }
    }

    mutating func tensor(_ type: ElementType, _ shape: [Int]) throws -> Tensor {
      let count = shape.reduce(1, *)
      if type == .string {
        return try Tensor(shape: shape, strings: (0..<count).map { _ in pick(["a", "7", "x1"]) })
      }
      if type.isFloatingPoint {
        return try Tensor(shape: shape, (0..<count).map { _ in real() }).converted(to: type)
      }
      return try Tensor(shape: shape, (0..<count).map { _ in Int64(number()) }).converted(to: type)
    }

    /// Values of the kinds that an operator declares.
    mutating func attributes(of definition: Operator) -> [String: AttributeValue] {
      var attributes: [String: AttributeValue] = [:]
      for (name, kind) in definition.attributes.sorted(by: { $0.key < $1.key })
      where int(0...3) > 0 {
        switch kind {
        case .int: attributes[name] = .int(int(0...3) == 0 ? number() : int(0...2))
        case .float: attributes[name] = .float(real())
        case .string:
          attributes[name] = .string(
            pick([
              "", "TF", "Relu", "Clip", "up", "nearest", "standard", "forward", "a|b", "(", "tanh",
            ]))
        case .ints: attributes[name] = .ints((0..<int(0...4)).map { _ in number() })
        case .floats: attributes[name] = .floats((0..<int(0...3)).map { _ in real() })
        case .strings:
          attributes[name] = .strings((0..<int(0...3)).map { _ in pick(["a", "Tanh"]) })
        case .tensor:
          attributes[name] = (try? tensor(pick([.float32, .int64, .string]), shape())).map {
            .tensor($0)
          }
        case .graph, .tensors, .graphs: break
        }
      }
      return attributes
    }

    mutating func attributes() -> [String: AttributeValue] {
      var attributes: [String: AttributeValue] = [:]
      for name in [
        "axis", "keepdims", "k", "batch_dims", "blocksize", "exclusive", "reverse", "diagonal",
        "upper", "select_last_index", "largest", "sorted", "group", "hidden_size", "layout",
        "output_height", "output_width", "sampling_ratio", "block_size", "size", "p", "start",
        "end",
        "batch_axis", "time_axis", "num_outputs", "allowzero", "noop_with_empty_axes", "fmod",
        "center_point_box", "align_corners", "ceil_mode", "ignore_index", "linear_before_reset",
        "storage_order", "count_include_pad", "transA", "transB",
      ] where int(0...2) == 0 {
        attributes[name] = .int(number())
      }
      for name in [
        "axes", "perm", "starts", "ends", "pads", "split", "kernel_shape", "strides", "dilations",
      ] where int(0...2) == 0 {
        attributes[name] = .ints((0..<int(0...5)).map { _ in number() })
      }
      for name in ["alpha", "beta", "epsilon", "value", "min", "max", "spatial_scale", "clip"]
      where int(0...2) == 0 {
        attributes[name] = .float(real())
      }
      attributes["mode"] = .string(
        pick(["constant", "reflect", "edge", "wrap", "linear", "cubic", "nearest", "avg", "max"]))
      attributes["padding_mode"] = .string(pick(["zeros", "border", "reflection"]))
      attributes["direction"] = .string(
        pick(["LEFT", "RIGHT", "forward", "reverse", "bidirectional"]))
      attributes["reduction"] = .string(pick(["none", "add", "mul", "max", "mean", "sum"]))
      attributes["equation"] = .string(
        pick(["ij,jk->ik", "...i->...", "ii", "i,j", "ij->ji", "ab,b"]))
      attributes["to"] = .int(int(0...25))
      if int(0...3) > 0 {
        attributes["auto_pad"] = .string(pick(["NOTSET", "SAME_UPPER", "VALID"]))
      }
      return attributes
    }
  }

  /// Nodes that are written out as others, with what that makes of them.
  @Test("Nothing traps in what nodes are written out as")
  func randomExpansions() throws {
    var source = Source(generator: SeededGenerator(seed: 100))
    var successes = 0
    for definition in OperatorTable.families.flatMap(\.operators) where definition.expansion != nil
    {
      for turn in 0..<300 {
        let inputs = try Self.inputs(for: definition, &source)
        var graph = Graph()
        let isOwn = definition.domain.isEmpty
        graph.opsets[""] = turn % 3 == 0 && !isOwn ? 11 : 21
        if !isOwn { graph.opsets[definition.domain] = definition.versions[0] }
        var node = Graph.Node(
          name: "n", operation: definition.name, domain: definition.domain, inputs: [], outputs: [],
          attributes: source.attributes(of: definition))
        var given: [Tensor] = []
        for tensor in inputs {
          guard let tensor else {
            node.inputs.append(nil)
            continue
          }
          let value = graph.addValue(named: "v\(graph.names.count)")
          node.inputs.append(value)
          if source.int(0...1) == 0 {
            graph.constants[value] = tensor
          } else {
            graph.inputs.append(value)
            given.append(tensor)
            if source.int(0...1) == 0 {
              graph.declared[value] = ValueDescription(
                name: "v", elementType: tensor.elementType,
                shape: tensor.shape.map { .fixed($0) })
            }
          }
        }
        for _ in 0..<source.int(1...3) {
          node.outputs.append(graph.addValue(named: "v\(graph.names.count)"))
        }
        graph.outputs = node.outputs.compactMap { $0 }
        graph.nodes = [node]
        do {
          var expansions = Expansions(limit: 1 << 22)
          try expansions.apply(to: &graph)
          try GraphPasses().apply(to: &graph)
          _ = try graph.run(given)
          successes += 1
        } catch is ModelError {}
      }
    }
    #expect(successes > 100)
  }

  private static let types: [ElementType] = [
    .float32, .float32, .float32, .float64, .float16, .int64, .int64, .int32, .uint8, .int8, .bool,
    .uint64, .string, .bfloat16, .int4, .uint4, .float8e4m3fn, .float8e5m2fnuz, .float4e2m1,
    .float8e8m0,
  ]

  /// All but those whose operators need graphs; the fuzzers try these.
  private static let families = OperatorTable.families.map(\.name).filter {
    $0 != "Graphs in nodes"
  }

  @Test("Nothing traps", arguments: families)
  func randomCalls(_ family: String) throws {
    let operators = OperatorTable.families.first { $0.name == family }?.operators ?? []
    var source = Source(generator: SeededGenerator(seed: 99))
    var calls = 0
    var successes = 0
    for definition in operators where definition.name != "Constant" {
      for _ in 0..<300 {
        let inputs = try Self.inputs(for: definition, &source)
        let outputs = source.int(1...3)
        calls += 1
        do {
          let results = try run(
            definition.name,
            domain: definition.domain.hasPrefix(OperatorDomain.ownPrefix) ? "" : definition.domain,
            opset: source.pick([7, 9, 11, 13, 18, 24]),
            attributes: source.int(0...1) == 0
              ? source.attributes() : source.attributes(of: definition),
            outputs: outputs, memoryLimit: 1 << 22, inputs)
          successes += 1
          for result in results {
            #expect(result.count == result.shape.reduce(1, *), "\(definition.name)")
          }
        } catch is ModelError {}
      }
    }
    // Families whose inputs must fit each other closely hardly ever succeed.
    #expect(successes <= calls && calls >= 300)
  }

  private static func inputs(
    for definition: Operator, _ source: inout Source
  ) throws -> [Tensor?] {
    let most = min(definition.inputs.upperBound, definition.inputs.lowerBound + 3, 9)
    let count = source.int(definition.inputs.lowerBound...max(most, definition.inputs.lowerBound))
    let type = source.pick(types)
    let shape = source.shape()
    return try (0..<count).map { index -> Tensor? in
      if index >= definition.inputs.lowerBound, source.int(0...3) == 0 { return nil }
      let own = source.int(0...3) == 0
      let itsType = own || index > 0 && source.int(0...1) == 0 ? source.pick(types) : type
      let itsShape = own || source.int(0...2) == 0 ? source.shape() : shape
      return try source.tensor(itsType, itsShape)
    }
  }
}
