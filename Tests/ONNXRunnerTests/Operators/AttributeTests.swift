import Foundation
import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// What the table says of operators' attributes is what their kernels and shape rules read.
@Suite struct AttributeTests {
  private static let operators = OperatorTable.families.flatMap(\.operators)

  /// These have no kernel: a node's attributes are read when the graph is built.
  private static let readInGraphs: Set = ["Constant", "Gradient"]

  @Test func whatIsReadIsDeclared() {
    for operation in Self.operators where !Self.readInGraphs.contains(operation.name) {
      let reads = Reads()
      for version in operation.versions {
        for seed in 0..<200 {
          var probe = Probe(generator: SeededGenerator(seed: UInt64(seed)))
          let (node, facts) = probe.node(operation, opset: version, reads)
          _ = try? operation.kernel(for: node)
          if case .rule(let rule) = operation.shape.form {
            _ = try? rule(ShapeQuery(info: operation.declared(node), inputs: facts))
          }
        }
      }
      let name = operation.domain + " " + operation.name
      let undeclared = reads.all.filter { operation.attributes[$0.key] != $0.value }
      let unread = operation.attributes.filter { reads.all[$0.key] != $0.value }
      #expect(undeclared.isEmpty, "\(name) reads what it does not declare")
      #expect(unread.isEmpty, "\(name) declares what it does not read")
    }
  }

  @Test func wrongKindIsRefused() throws {
    for operation in Self.operators {
      for (attribute, kind) in operation.attributes where kind != .graph {
        let value = AttributeValue.tensors([])
        let node = NodeInfo(
          name: "n", operation: operation.name, domain: operation.domain,
          opset: operation.versions[0], hasInput: [], hasOutput: [true],
          attributes: [attribute: value], constants: [:], subgraphs: [:])
        let error = #expect(throws: ModelError.self) { try operation.kernel(for: node) }
        let text = "attribute '\(attribute)' must be \(kind.rawValue), got tensors"
        #expect(error?.description.contains(text) == true, "\(operation.name)")
      }
    }
  }

  @Test func othersCountForNothing() throws {
    let x = floats([3], [-1, 0, 2])
    let plain = try run("Softmax", attributes: ["axis": .int(0)], [x])[0].floats()
    let extra = [
      "axis": AttributeValue.int(0), "beta": .string("x"), "consumed_inputs": .ints([0]),
    ]
    #expect(try run("Softmax", attributes: extra, [x])[0].floats() == plain)
    #expect(throws: ModelError.self) { try run("Softmax", attributes: ["axis": .float(0)], [x]) }
  }
}

/// The attributes that were asked for.
private final class Reads: @unchecked Sendable {
  // Unchecked: only one thread makes kernels.
  var all: [String: AttributeKind] = [:]
}

/// A graph that nobody runs.
private struct NoGraph: RunnableGraph {
  let inputCount: Int
  let captureCount = 0
  let outputCount = 1

  func run(
    _ arguments: [ModelValue], captures: [ModelValue], in context: KernelContext
  ) throws -> [ModelValue] { [] }
}

/// Random nodes, some of which a kernel can be made for.
private struct Probe {
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
    _ operation: Operator, opset: Int, _ reads: Reads
  ) -> (NodeInfo, [ValueFact?]) {
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
    node.onRead = { reads.all[$0] = $1 }
    return (node, tensors.map { ValueFact($0) })
  }
}
