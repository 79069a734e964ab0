import Foundation
import ONNXRunner
import RunnerTensors
import TestSupport
import Testing

@testable import ModelQuantization

/// Nodes that stay in floating point, and models that cannot be quantised.
@Suite struct SearchTests {
  /// The first convolution gives one large channel that nobody needs and a small one that matters.
  private func fragile() throws -> SmallNetwork {
    var network = SmallNetwork()
    try network.weight("w1", [2, 2, 1, 1], [1000, 500, 0.01, -0.02])
    try network.weight("w2", [2, 2, 1, 1], [0, 100, 0, 50])
    network.weight("w3", [4, 2, 3, 3], seed: 1)
    network.weight("w4", [2, 4, 1, 1], seed: 2)
    network.node("Conv", ["x", "w1"], "a")
    network.node("Conv", ["a", "w2"], "b")
    network.node("Conv", ["b", "w3"], "c")
    network.node("Conv", ["c", "w4"], "y")
    return network
  }

  @Test func nodesThatCostTooMuchAreKept() throws {
    let network = try fragile()
    let all = try network.quantized()
    #expect(try #require(all.report.outputs.first).signalToNoise < 10)
    var configuration = QuantizationConfiguration.quick
    configuration.minimumSignalToNoise = 25
    let result = try network.quantized(configuration)
    #expect(try #require(result.report.outputs.first).signalToNoise >= 25)
    let kept = result.report.nodes.filter { !$0.isQuantized }.map(\.name)
    #expect(kept == ["node a", "node b", "node y"])
    #expect(result.report.nodes[0].reason?.hasPrefix("alone it costs all but") == true)
  }

  @Test func nodesAreKeptByName() throws {
    var configuration = QuantizationConfiguration.quick
    configuration.keptNodes = ["node c2"]
    let report = try SmallNetwork.convolutions().quantized(configuration).report
    #expect(
      report.nodes.map(\.reason) == [nil, "kept as asked for", "its result goes to an output"])
    configuration.keptNodes = ["c2"]
    #expect(
      throws: ModelQuantizationError.unknownNode(
        name: "c2", known: ["node c1", "node c2", "node y"])
    ) { try SmallNetwork.convolutions().quantizer(configuration) }
  }

  @Test func tooMuchCanBeAskedFor() throws {
    var configuration = QuantizationConfiguration.quick
    configuration.minimumSignalToNoise = 300
    #expect(throws: ModelQuantizationError.tooInaccurate(decibels: 300)) {
      try SmallNetwork.convolutions().quantized(configuration)
    }
  }

  @Test func settingsAreChecked() throws {
    for change in [
      { $0.ranges = .percentile(50) }, { $0.ranges = .percentile(.nan) }, { $0.sampleCount = 0 },
      { $0.minimumSignalToNoise = .infinity },
    ] as [(inout QuantizationConfiguration) -> Void] {
      var configuration = QuantizationConfiguration.quick
      change(&configuration)
      #expect(throws: ModelQuantizationError.self) {
        try SmallNetwork.convolutions().quantizer(configuration)
      }
    }
  }

  @Test func examplesAreNeeded() throws {
    let quantizer = try SmallNetwork.convolutions().quantizer()
    #expect(throws: ModelQuantizationError.noExamples) { try quantizer.quantized() }
  }

  @Test(arguments: [Float.nan, .infinity])
  func examplesMustBeFinite(value: Float) throws {
    let network = SmallNetwork.convolutions()
    var quantizer = try network.quantizer()
    var values = [Float](repeating: 0, count: 72)
    values[17] = value
    let bad = try Tensor(shape: [1, 2, 6, 6], values)
    #expect(throws: ModelQuantizationError.notFinite(value: "x")) {
      try quantizer.observe(["x": bad])
    }
    // Others after it count.
    try quantizer.observe(["x": network.example(1)])
    #expect(quantizer.exampleCount == 1)
    #expect(try quantizer.quantized().report.exampleCount == 1)
  }

  @Test func examplesMustFitTheModel() throws {
    var quantizer = try SmallNetwork.convolutions().quantizer()
    #expect(throws: ModelError.self) { try quantizer.observe([:]) }
    #expect(throws: ModelError.self) {
      try quantizer.observe(["x": Tensor(shape: [1, 3, 6, 6], [Float](repeating: 0, count: 108))])
    }
    #expect(quantizer.exampleCount == 0)
  }

  @Test func whatHasNoProductsIsRefused() throws {
    var network = SmallNetwork()
    network.node("Relu", ["x"], "y")
    let error = #expect(throws: ModelQuantizationError.self) { try network.quantizer() }
    #expect("\(error.map { "\($0)" } ?? "")".contains("no convolution and no product"))
    // A single product is also the last one.
    var single = SmallNetwork()
    single.weight("w", [2, 2, 1, 1], seed: 1)
    single.node("Conv", ["x", "w"], "y")
    #expect(throws: ModelQuantizationError.self) { try single.quantizer() }
  }

  @Test func whatIsQuantizedIsRefused() throws {
    let data = try SmallNetwork.convolutions().quantized().data
    let error = #expect(throws: ModelQuantizationError.self) { try ModelQuantizer(data: data) }
    guard case .alreadyQuantized? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func oldOpsetsAreRefused() throws {
    var network = SmallNetwork.convolutions()
    network.opset = 10
    #expect(throws: ModelQuantizationError.opset(version: 10, least: 11)) {
      try network.quantizer()
    }
  }

  /// Whatever is cut off or changed, there is an error or a model, and never a crash.
  @Test func damagedFilesAreErrors() throws {
    let whole = try SmallNetwork.convolutions().data()
    for length in stride(from: 0, to: whole.count, by: 97) {
      #expect(throws: (any Error).self) { try ModelQuantizer(data: whole.prefix(length)) }
    }
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      var data = whole
      let place = Int(generator.next() % UInt64(data.count))
      data[data.startIndex + place] ^= UInt8(truncatingIfNeeded: generator.next() | 1)
      guard var quantizer = try? ModelQuantizer(data: data, configuration: .quick),
        let input = quantizer.session.inputs.first
      else { continue }
      let shape = (input.shape ?? []).map { side -> Int in
        if case .fixed(let extent) = side { return min(extent, 16) }
        return 2
      }
      let example = Noise.tensor(shape, seed: 1, in: -1...1)
      guard (try? quantizer.observe([input.name: example])) != nil else { continue }
      _ = try? quantizer.quantized()
    }
  }
}
