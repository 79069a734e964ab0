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
          var probe = NodeProbe(generator: SeededGenerator(seed: UInt64(seed)))
          var (node, inputs) = probe.node(operation, opset: version)
          node.onRead = { reads.all[$0] = $1 }
          _ = try? operation.kernel(for: node)
          if case .rule(let rule) = operation.shape.form {
            _ = try? rule(
              ShapeQuery(info: operation.declared(node), inputs: inputs.map { ValueFact($0) }))
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
