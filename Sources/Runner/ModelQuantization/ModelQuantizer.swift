import Foundation
import ONNXFormat
import ONNXRunner
import RunnerGraph
import RunnerTensors

/// Makes a model of 8-bit numbers out of a float one, from examples of what it is given.
///
/// ```swift
/// var quantizer = try ModelQuantizer(contentsOf: model)
/// for photo in photos { try quantizer.observe(["images": tensor(of: photo)]) }
/// let result = try quantizer.quantized()
/// try result.data.write(to: file)
/// print(result.report.outputs)
/// ```
///
/// Weights of convolutions and of products with known matrices get a scale for each channel,
/// activations a scale and a zero point each, from the ranges that examples show. The result is a
/// standard ONNX file with pairs of QuantizeLinear and DequantizeLinear, which this runner and
/// others compute in integers.
public struct ModelQuantizer {
  /// What is written into the model's properties.
  public static let property = "tally.quantization"

  /// How it is quantised.
  public let configuration: QuantizationConfiguration

  private let model: FoldedModel
  private let writer: ModelFileWriter
  private let bytesBefore: Int
  private var observation: Observation?

  /// The model as it was, to see what it is given while a pipeline runs it.
  public let session: InferenceSession

  /// What was seen so far.
  private struct Observation {
    var graph: Graph
    /// What is seen, and for inputs of which shapes.
    var probe: NetworkProbe?
    var given: [ValueFact] = []
    let ranged: Set<Graph.Value>
    let averaged: [Graph.Value: Int]
    var means: [Graph.Value: ChannelMeans] = [:]
    var histograms: [Graph.Value: ActivationHistogram]
    var samples: [[String: Tensor]] = []
    var exampleCount = 0
  }

  /// Loads the float model in a file; weights kept beside it are found relative to its folder.
  ///
  /// - Throws: `ModelError` if it cannot be run; ``ModelQuantizationError`` if it cannot be
  ///   quantised.
  public init(
    contentsOf url: URL, configuration: QuantizationConfiguration = .init()
  ) throws {
    try self.init(
      ModelFile(mapping: url), folder: url.deletingLastPathComponent(),
      session: InferenceSession(contentsOf: url, options: configuration.session), configuration)
  }

  /// Loads a float model from bytes, which are copied; `folder` is where weights kept outside are,
  /// if any are.
  ///
  /// - Throws: `ModelError` if it cannot be run; ``ModelQuantizationError`` if it cannot be
  ///   quantised.
  public init(
    data: Data, folder: URL? = nil, configuration: QuantizationConfiguration = .init()
  ) throws {
    try self.init(
      ModelFile(copying: data), folder: folder,
      session: InferenceSession(data: data, folder: folder, options: configuration.session),
      configuration)
  }

  private init(
    _ file: ModelFile, folder: URL?, session: InferenceSession,
    _ configuration: QuantizationConfiguration
  ) throws {
    try configuration.check()
    self.configuration = configuration
    self.session = session
    bytesBefore = file.count
    model = try FoldedModel(
      file: file, folder: folder, memoryLimit: configuration.session.memoryLimit)
    writer = try ModelFileWriter(model)
    if let node = model.graph.nodes.first(where: Self.isQuantized) {
      throw ModelQuantizationError.alreadyQuantized(node: node.name, operation: node.operation)
    }
    let version = model.graph.opsets[""] ?? OpsetUpgrade.wanted
    guard version >= OpsetUpgrade.least else {
      throw ModelQuantizationError.opset(version: version, least: OpsetUpgrade.least)
    }
    _ = try plan(of: model.graph)
  }

  private static func isQuantized(_ node: Graph.Node) -> Bool {
    [
      "QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "QLinearConv", "QLinearMatMul",
      "ConvInteger", "MatMulInteger", "QGemm", "DynamicQuantizeMatMul", "MatMulIntegerToFloat",
    ].contains(node.operation)
  }

  /// The names of the nodes that can be kept in floating point, in their order.
  public var nodeNames: [String] {
    planner(model.graph).plan(keeping: [:]).candidates.map { model.graph.nodes[$0].name }
  }

  // MARK: Examples

  /// How many examples were observed.
  public var exampleCount: Int { observation?.exampleCount ?? 0 }

  /// The first examples, on which accuracy is measured.
  public var samples: [[String: Tensor]] { observation?.samples ?? [] }

  /// Runs the model on an example, and notes the ranges of what is computed.
  ///
  /// - Throws: `ModelError`; ``ModelQuantizationError/notFinite(value:)``.
  public mutating func observe(_ inputs: [String: Tensor]) throws {
    var seen = try observation ?? begin(inputs)
    observation = nil
    defer { observation = seen }
    let given = facts(of: inputs, in: seen.graph)
    // Sessions keep memory for each shape they have seen, and these would take the most of it.
    if seen.probe == nil || given != seen.given {
      seen.probe = nil
      seen.given = given
      seen.probe = try NetworkProbe(
        seen.graph, values: seen.ranged.union(seen.averaged.keys).sorted(),
        facts: FoldedModel.facts(of: seen.graph, inputs: given), writer, configuration.session)
    }
    var unfit: String?
    let probe = seen.probe
    try probe?.run(inputs) { value, tensor in
      let floats = try tensor.converted(to: .float32)
      if seen.ranged.contains(value) {
        let isFinite = try floats.withElements(of: Float.self) {
          seen.histograms[value, default: ActivationHistogram()].add($0)
        }
        if !isFinite, unfit == nil { unfit = seen.graph.names[value] }
      }
      if let axis = seen.averaged[value], unfit == nil {
        try seen.means[value, default: ChannelMeans()].add(floats, axis: axis)
      }
    }
    if let unfit { throw ModelQuantizationError.notFinite(value: unfit) }
    seen.exampleCount += 1
    if seen.samples.count < configuration.sampleCount { seen.samples.append(inputs) }
  }

  private func begin(_ inputs: [String: Tensor]) throws -> Observation {
    var graph = model.graph
    let ranks = FoldedModel.facts(of: graph, inputs: facts(of: inputs, in: graph))
      .map { $0?.shape.count }
    try OpsetUpgrade.apply(to: &graph, ranks: ranks)
    let plan = try plan(of: graph)
    return Observation(
      graph: graph, ranged: Set(plan.observed), averaged: plan.averaged, histograms: [:])
  }

  private func facts(of inputs: [String: Tensor], in graph: Graph) -> [ValueFact] {
    graph.inputs.map { value in
      inputs[graph.names[value]].map { ValueFact($0) } ?? ValueFact(.float32, [])
    }
  }

  // MARK: Planning

  private func planner(_ graph: Graph) -> QuantizationPlanner {
    QuantizationPlanner(
      graph, keepsLastLayers: configuration.keepsLastLayers,
      isElementwise: FoldedModel.isElementwise)
  }

  /// The plan with what the configuration keeps.
  private func plan(of graph: Graph) throws -> QuantizationPlan {
    let planner = planner(graph)
    let whole = planner.plan(keeping: [:])
    var kept: [Int: String] = [:]
    for name in configuration.keptNodes.sorted() {
      guard let node = whole.candidates.first(where: { graph.nodes[$0].name == name }) else {
        throw ModelQuantizationError.unknownNode(
          name: name, known: whole.candidates.map { graph.nodes[$0].name })
      }
      kept[node] = "kept as asked for"
    }
    let plan = planner.plan(keeping: kept)
    guard !plan.products.isEmpty else {
      let first = plan.candidates.first
      throw ModelQuantizationError.nothingToQuantize(
        reason: first.flatMap { node in
          plan.reasons[node].map { "of '\(graph.nodes[node].name)', \($0)" }
        } ?? "it has no convolution and no product with known weights")
    }
    return plan
  }

  // MARK: Results

  /// A quantised model.
  public struct Result: Sendable {
    /// The bytes of an ONNX file.
    public let data: Data
    /// What was done, and how near it comes to the float model.
    public let report: QuantizationReport
  }

  /// The quantised model of all examples so far.
  ///
  /// - Parameter progress: called with what is done next.
  /// - Throws: ``ModelQuantizationError``, `ModelError`, `CancellationError`.
  public func quantized(progress: (String) -> Void = { _ in }) throws -> Result {
    guard let observation, observation.exampleCount > 0 else {
      throw ModelQuantizationError.noExamples
    }
    let graph = observation.graph
    var search = NodeSearch(
      graph: graph, planner: planner(graph), writer: writer, session: session,
      samples: observation.samples, configuration: configuration)
    let whole = try plan(of: graph)
    let findings = Findings(
      ranges: try ranges(observation, whole), means: observation.means.mapValues(\.values))
    let asked = whole.reasons.filter { configuration.keptNodes.contains(graph.nodes[$0.key].name) }
    let kept = try search.kept(besides: asked, findings, progress: progress)
    let plan = planner(graph).plan(keeping: kept)
    let made = try QuantizedGraph(graph, plan, findings)
    let text =
      "int8, \(plan.products.count) of \(plan.candidates.count) nodes, "
      + "\(observation.exampleCount) examples, ranges by \(configuration.ranges.text)"
    let data = try writer.data(made.graph, property: (Self.property, text))

    var report = QuantizationReport()
    report.exampleCount = observation.exampleCount
    report.bytesBefore = bytesBefore
    report.bytesAfter = data.count
    report.nodes = plan.candidates.map { index in
      QuantizationReport.Node(
        name: graph.nodes[index].name, operation: graph.nodes[index].operation,
        weightCount: graph.constant(1, of: graph.nodes[index])?.count ?? 0,
        reason: plan.reasons[index])
    }
    let losses = try search.losses(plan, made)
    report.activations = plan.owners.compactMap { value, owner in
      guard let range = findings.ranges[owner], let histogram = observation.histograms[owner] else {
        return nil
      }
      return QuantizationReport.Activation(
        name: graph.names[value], least: histogram.least, greatest: histogram.greatest,
        scale: range.scale, zeroPoint: range.zeroPoint, signalToNoise: losses[value])
    }
    report.outputs = try search.outputs(of: data)
    return Result(data: data, report: report)
  }

  private func ranges(
    _ observation: Observation, _ plan: QuantizationPlan
  ) throws -> [Graph.Value: QuantizationRange] {
    var ranges: [Graph.Value: QuantizationRange] = [:]
    for value in plan.observed {
      guard let histogram = observation.histograms[value] else { continue }
      var table: FunctionTable?
      // What a range loses counts after the function that follows, if all go through that.
      if let function = plan.functions[value], !function.isShared, function.ends.count == 1 {
        table = try functionTable(of: function, root: value, histogram, in: observation.graph)
      }
      ranges[value] = RangeChoice.range(of: histogram, configuration.ranges, function: table)
    }
    return ranges
  }

  /// The values of a function at the middles of a histogram's bins.
  private func functionTable(
    of function: QuantizationPlan.Function, root: Graph.Value, _ histogram: ActivationHistogram,
    in graph: Graph
  ) throws -> FunctionTable? {
    guard let end = function.ends.first else { return nil }
    var part = graph
    part.nodes = function.nodes.map { graph.nodes[$0] }
    part.inputs = [root]
    part.outputs = [end]
    let used = Set(part.nodes.flatMap(\.inputs).compactMap { $0 })
    part.constants = graph.constants.filter { used.contains($0.key) }
    let count = ActivationHistogram.binCount
    let middles = try Tensor(shape: [count], (0..<count).map { histogram.middle($0) })
    let name = "what a function is of"
    part.names[root] = name
    let session = try InferenceSession(
      data: StandaloneGraph.data(part, input: name), options: SessionOptions(threads: 1))
    guard let output = session.outputs.first,
      let result = try session.run([name: middles])[output.name], result.count == count
    else { return nil }
    let values = try result.array(of: Float.self)
    return values.allSatisfy(\.isFinite) ? FunctionTable(values, reach: histogram.reach) : nil
  }
}

extension QuantizationConfiguration.RangeMethod {
  /// For the model's properties.
  var text: String {
    switch self {
    case .minMax: return "extremes"
    case .percentile(let percent): return "percentile \(percent)"
    case .meanSquaredError: return "mean squared error"
    }
  }
}
