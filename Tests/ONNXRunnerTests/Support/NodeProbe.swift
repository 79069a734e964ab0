import TestSupport

@testable import RunnerGraph
@testable import RunnerTensors

/// A graph that nobody runs.
private struct NoGraph: RunnableGraph {
  let inputCount: Int
  let captureCount = 0
  let outputCount = 1

  func run(
    _ arguments: [ModelValue], captures: [ModelValue], invariants: InvariantValues?,
    in context: KernelContext
  ) throws -> [ModelValue] { [] }
}

/// Random nodes, some of which a kernel can be made for.
struct NodeProbe {
  var generator: SeededGenerator

  private static let words = [
    "NOTSET", "SAME_UPPER", "VALID", "constant", "reflect", "nearest", "linear", "cubic", "zeros",
    "half_pixel", "floor", "stretch", "add", "none", "mean", "forward", "bidirectional", "LEFT",
    "avg", "Relu", "ij,jk->ik",
  ]

  private mutating func isChosen(outOf count: Int = 2) -> Bool { below(count) == 0 }

  private mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }

  private mutating func value(_ kind: AttributeKind) -> AttributeValue {
    switch kind {
    case .int: return .int(below(4))
    case .float: return .float(Float(below(3)))
    case .string: return .string(Self.words[below(Self.words.count)])
    case .tensor: return .tensor(Tensor(scalar: Float(1)))
    case .ints: return .ints((0..<below(5)).map { _ in 1 })
    case .floats: return .floats((0..<below(5)).map { _ in 1 })
    case .strings: return .strings((0..<below(4)).map { _ in "Relu" })
    case .graph, .tensors, .graphs: return .graph(Graph())
    }
  }

  private mutating func tensor(rank: Int) -> Tensor {
    let shape = (0..<rank).map { _ in 1 + below(2) }
    let count = shape.reduce(1, *)
    switch below(4) {
    case 0: return ONNXRunnerTests.tensor(shape, [Int64](repeating: 1, count: count))
    case 1: return ONNXRunnerTests.tensor(shape, [UInt8](repeating: 1, count: count))
    default: return ONNXRunnerTests.tensor(shape, [Float](repeating: 1, count: count))
    }
  }

  mutating func node(
    _ operation: Operator, opset: Int
  ) -> (node: NodeInfo, inputs: [Tensor]) {
    let inputs = operation.inputs.lowerBound...min(operation.inputs.upperBound, 10)
    // What only passes make always fits together.
    let isOwn = operation.domain.hasPrefix(OperatorDomain.ownPrefix)
    let ownShape = operation.domain == OperatorDomain.fused ? [2, 2] : [1, 1, 1, 1]
    let tensors = (0..<inputs.lowerBound + below(inputs.count)).map { _ in
      isOwn ? noise(ownShape, seed: 0) : tensor(rank: below(5))
    }
    var constants: [Int: Tensor] = [:]
    for (index, tensor) in tensors.enumerated() where isChosen() { constants[index] = tensor }
    var attributes: [String: AttributeValue] = [:]
    var subgraphs: [String: Subgraph] = [:]
    // In one order, so that a seed means one node.
    for (name, kind) in operation.attributes.sorted(by: { $0.key < $1.key }) where isChosen() {
      attributes[name] = value(kind)
      if isOwn, kind == .ints {
        let count = name == "pads" ? 4 : name == "layouts" ? 3 : 2
        attributes[name] = .ints([Int](repeating: 1, count: count))
      }
      if kind == .graph {
        subgraphs[name] = Subgraph(
          graph: NoGraph(inputCount: tensors.count - (opset < 9 ? 1 : 0)), captureOffset: 0)
      }
    }
    let blocks = BlockedForms(
      inputs: tensors.map { _ in ChannelBlocks(channels: 1) }, output: ChannelBlocks(channels: 1))
    let pixels = PixelForms(
      inputs: tensors.map { _ in PixelForm(channels: 1) }, output: PixelForm(channels: 1))
    var node = NodeInfo(
      name: "n", operation: operation.name, domain: operation.domain, opset: opset,
      hasInput: tensors.map { _ in true }, hasOutput: [true], attributes: attributes,
      constants: constants, subgraphs: subgraphs)
    if operation.domain == OperatorDomain.blocks || operation.domain == OperatorDomain.bfloat16 {
      node.fused.layout = .blocks(blocks)
    } else if operation.domain == OperatorDomain.pixels {
      node.fused.layout = .pixels(pixels)
    }
    return (node, tensors)
  }
}
