import Foundation
import ONNXRunner
import RunnerGraph
import RunnerTensors

/// Finds the nodes that cost the most accuracy.
///
/// It also measures how near a quantised model comes to the float one.
struct NodeSearch {
  let graph: Graph
  let planner: QuantizationPlanner
  let writer: ModelFileWriter
  let session: InferenceSession
  let samples: [[String: Tensor]]
  let configuration: QuantizationConfiguration

  /// The number of examples on which each node is tried.
  private static let trialSamples = 2

  private var answers: [[String: Tensor]] = []

  init(
    graph: Graph, planner: QuantizationPlanner, writer: ModelFileWriter,
    session: InferenceSession, samples: [[String: Tensor]],
    configuration: QuantizationConfiguration
  ) {
    self.graph = graph
    self.planner = planner
    self.writer = writer
    self.session = session
    self.samples = samples
    self.configuration = configuration
  }

  // MARK: Which nodes stay

  /// The nodes that stay in floating point, each with the reason.
  ///
  /// - Parameter asked: those that stay in any case.
  mutating func kept(
    besides asked: [Int: String], _ findings: Findings, progress: (String) -> Void
  ) throws -> [Int: String] {
    guard let wanted = configuration.minimumSignalToNoise else { return asked }
    var kept = asked
    guard try signalToNoise(keeping: kept, findings) < wanted else { return kept }
    let nodes = planner.plan(keeping: kept).products.map(\.node)
    // What each node alone adds to the noise, the worst first.
    var costs: [(node: Int, noise: Double)] = []
    for (number, node) in nodes.enumerated() {
      try Task.checkCancellation()
      progress("node \(number + 1) of \(nodes.count) by itself")
      var others = kept
      for other in nodes where other != node { others[other] = "tried later" }
      let ratio = try signalToNoise(
        keeping: others, findings, samples: min(Self.trialSamples, samples.count))
      costs.append((node, pow(10, -ratio / 10)))
    }
    costs.sort { ($1.noise, $0.node) < ($0.noise, $1.node) }
    // Noise of many sources adds up, about.
    let bound = pow(10, -wanted / 10)
    var rest = costs.reduce(0) { $0 + $1.noise }
    var count = 0
    while count < costs.count, rest > bound {
      rest -= costs[count].noise
      count += 1
    }
    count = max(count, 1)
    while count < costs.count {
      kept = asked
      for (node, noise) in costs.prefix(count) {
        kept[node] = String(format: "alone it costs all but %.1f dB", -10 * log10(noise))
      }
      progress("without \(count) of \(costs.count) nodes")
      if try signalToNoise(keeping: kept, findings) >= wanted { return kept }
      count += max(1, count / 8)
    }
    throw ModelQuantizationError.tooInaccurate(decibels: wanted)
  }

  /// The least ratio of the outputs.
  private mutating func signalToNoise(
    keeping kept: [Int: String], _ findings: Findings, samples: Int? = nil
  ) throws -> Double {
    let plan = planner.plan(keeping: kept)
    let made = try QuantizedGraph(graph, plan, findings)
    let data = try writer.data(made.graph, isTemporary: true)
    return try outputs(of: data, samples: samples).map(\.signalToNoise).min() ?? .infinity
  }

  // MARK: How near it comes

  /// The outputs of a quantised model against those of the float one.
  mutating func outputs(
    of data: Data, samples count: Int? = nil
  ) throws -> [QuantizationReport.Output] {
    if answers.isEmpty { answers = try samples.map { try session.run($0) } }
    let quantized = try InferenceSession(data: data, options: configuration.session)
    var comparison = QuantizationComparison()
    for (inputs, answer) in zip(samples, answers).prefix(count ?? samples.count) {
      try comparison.add(answer, quantized.run(inputs))
    }
    return comparison.outputs(in: session.outputs.map(\.name))
  }

  /// The signal-to-noise ratio of rounded values, on the first example.
  func losses(
    _ plan: QuantizationPlan, _ made: QuantizedGraph
  ) throws -> [Graph.Value: Double] {
    guard let inputs = samples.first else { return [:] }
    let given = graph.inputs.map { value in
      inputs[graph.names[value]].map { ValueFact($0) } ?? ValueFact(.float32, [])
    }
    // One value at a time of both sides is held, in the order of a run.
    let values = plan.owners.map(\.value)
    let facts = FoldedModel.facts(of: graph, inputs: given)
    var result: [Graph.Value: Double] = [:]
    var start = 0
    while start < values.count {
      var bytes = 0
      var end = start
      while end < values.count, end == start || bytes < 128 << 20 {
        bytes += facts[values[end]].flatMap { $0.byteCount(of: $0.shape) } ?? 16 << 20
        end += 1
      }
      let group = Array(values[start..<end])
      start = end
      var floats: [Graph.Value: Tensor] = [:]
      try NetworkProbe(graph, values: group, facts: facts, writer, configuration.session)
        .run(inputs) { floats[$0] = $1 }
      let reads = Dictionary(
        group.compactMap { value in made.readAs[value].map { ($0, value) } },
        uniquingKeysWith: { first, _ in first })
      try NetworkProbe(
        made.graph, values: Array(reads.keys).sorted(), facts: [], writer, configuration.session
      ).run(inputs) { read, tensor in
        guard let value = reads[read], let float = floats[value] else { return }
        var noise = Noise()
        try noise.add(float, tensor)
        if let ratio = noise.ratio, ratio.isFinite { result[value] = ratio }
      }
    }
    return result
  }
}

/// Compares what two models answer, such as a float one and a quantised one.
public struct QuantizationComparison {
  private var noises: [String: Noise] = [:]

  /// Nothing compared yet.
  public init() {}

  /// Takes in what both answered to the same inputs.
  ///
  /// - Throws: `ModelError` if an output is text.
  public mutating func add(_ expected: [String: Tensor], _ got: [String: Tensor]) throws {
    for (name, tensor) in expected {
      guard let other = got[name], tensor.elementType != .string else { continue }
      try noises[name, default: Noise()].add(tensor, other)
    }
  }

  /// The outputs of these names, as far as they were compared.
  public func outputs(in names: [String]) -> [QuantizationReport.Output] {
    names.compactMap { name in
      noises[name].map {
        QuantizationReport.Output(
          name: name, signalToNoise: $0.ratio ?? .infinity, largestDifference: $0.largest)
      }
    }
  }
}

/// The power of numbers, and that of what they are apart from others.
private struct Noise {
  private var signal = 0.0
  private var noise = 0.0
  private(set) var largest: Float = 0

  /// In decibels; infinite if there is no noise, nil if there is nothing to compare.
  var ratio: Double? {
    guard noise > 0 else { return .infinity }
    return signal > 0 ? 10 * log10(signal / noise) : -.infinity
  }

  mutating func add(_ expected: Tensor, _ got: Tensor) throws {
    guard expected.shape == got.shape else {
      // How many there are may depend on the numbers themselves.
      noise += .infinity
      return
    }
    try expected.converted(to: .float32).withElements(of: Float.self) { first in
      try got.converted(to: .float32).withElements(of: Float.self) { second in
        for index in first.indices {
          let difference = second[index] - first[index]
          signal += Double(first[index]) * Double(first[index])
          noise += Double(difference) * Double(difference)
          if !(abs(difference) <= largest) { largest = abs(difference) }
        }
      }
    }
  }
}
