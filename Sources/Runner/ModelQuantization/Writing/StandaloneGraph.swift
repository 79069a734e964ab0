import Foundation
import ONNXFormat
import RunnerGraph
import RunnerTensors

/// A part of a graph as a model of its own.
enum StandaloneGraph {
  /// A file of a graph with one input, a list of numbers.
  static func data(_ graph: Graph, input name: String) throws -> Data {
    var writer = WireWriter()
    writer.integer(1, 8)
    var graphWriter = GraphWriter()
    try graphWriter.write(
      graph, outputs: graph.outputs,
      inputs: [ValueDescription(name: name, elementType: .float32, shape: [.unknown])], to: &writer)
    writer.message(8) { $0.integer(2, graph.opsets[""] ?? OpsetUpgrade.wanted) }
    return Data(writer.bytes)
  }
}
