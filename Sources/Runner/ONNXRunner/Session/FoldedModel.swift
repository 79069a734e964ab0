import Foundation
import ONNXFormat
import RunnerGraph
import RunnerTensors

/// A simpler model that a file can still express.
///
/// Constants are computed, `float16` is widened, and scales and shifts of channels are folded into
/// the convolutions before them. The nodes are ONNX's own and the file's, so that the model can be
/// written again.
package struct FoldedModel {
  /// The file.
  package let file: ModelFile
  /// The content of the file, with functions expanded.
  package let message: ModelMessage
  package private(set) var graph: Graph
  /// Whether the file has weights of `float16`.
  package let hasHalfWeights: Bool

  /// Loads a file; weights in other files are found in `folder`.
  ///
  /// - Throws: ``ModelError``.
  package init(file: ModelFile, folder: URL?, memoryLimit: Int) throws {
    self.file = file
    var message = try ModelMessage(WireReader(file))
    guard message.graph != nil else {
      throw ModelError.malformed(reason: "there is no graph in it")
    }
    try message.inlineFunctions()
    guard let stored = message.graph else {
      throw ModelError.malformed(reason: "there is no graph in it")
    }
    let opsets = try LoadedModel.opsets(of: message)
    try OperatorUses(stored, opsets: opsets).checkSupport()
    let weights = WeightLoader(file: file, folder: folder, memoryLimit: memoryLimit)
    var graph = try GraphBuilder(weights: weights, opsets: opsets).graph(stored)
    hasHalfWeights = graph.constants.values.contains { $0.elementType == .float16 }
    let settings = GraphPass.Settings(memoryLimit: memoryLimit)
    for pass in [GraphPass.constantFolding, .halfWidening, .affineFolding, .deadCode] {
      try pass.apply(&graph, settings)
    }
    self.message = message
    self.graph = graph
  }

  /// Types and shapes of the values for inputs of these facts; nil if only a run shows them.
  package static func facts(of graph: Graph, inputs: [ValueFact]) -> [ValueFact?] {
    ShapeInference.facts(of: graph, inputs: inputs)
  }

  /// Whether a node computes each element of its result from one element of each input.
  package static func isElementwise(_ node: Graph.Node) -> Bool {
    node.has(.elementwise)
  }
}
