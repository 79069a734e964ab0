import Foundation
import TestSupport
import Testing

@testable import ONNXFormat
@testable import ONNXRunner
@testable import RunnerTensors

/// What is wrong with a model is said, with the node's name.
@Suite struct ModelErrorTests {
  static let relu = SmallModel.Node(
    operation: "Relu", inputs: ["x"], outputs: ["y"], name: "first")

  /// What loading says.
  static func error(_ model: SmallModel) -> ModelError? {
    do {
      _ = try InferenceSession(data: model.data)
      return nil
    } catch {
      return error as? ModelError
    }
  }

  @Test func soundModelRuns() throws {
    let session = try InferenceSession(data: SmallModel(nodes: [Self.relu]).data)
    let x = try Seeded.tensor(seed: 1, shape: [1, 2, 4, 4])
    let y = try #require(try session.run(["x": x])["y"])
    #expect(try y.floats() == x.floats().map { max($0, 0) })
    #expect(session.metadata.operatorCounts == ["Relu": 1])
    #expect(session.inputs.map(\.description) == ["x: float32[1, 2, 4, 4]"])
  }

  @Test func unknownOperator() {
    var model = SmallModel(nodes: [Self.relu])
    model.nodes[0].operation = "Frobnicate"
    #expect(
      Self.error(model)?.description
        == "no kernel for operator ai.onnx Frobnicate 13 (1 node); the first is 'first'")
    model.nodes[0].domain = "com.example"
    #expect(
      Self.error(model)
        == .missingOperators([
          MissingOperator(
            name: "Frobnicate", domain: "com.example", opset: 1, nodeCount: 1, firstNode: "first")
        ]))
    // What passes make is nothing that a file may name.
    model.nodes[0].operation = "Product"
    model.nodes[0].domain = "tally.fused"
    #expect(Self.error(model)?.description.contains("tally.fused Product 1") == true)
  }

  /// All that is missing is named at once, before anything else is said.
  @Test func unknownOperators() {
    let model = SmallModel(nodes: [
      SmallModel.Node(operation: "Abs", inputs: ["x"], outputs: ["a"]),
      SmallModel.Node(operation: "Frob", inputs: ["a"], outputs: ["b"], domain: "com.example"),
      SmallModel.Node(operation: "Upsample", inputs: ["b"], outputs: ["c"]),
      SmallModel.Node(
        operation: "Frob", inputs: ["nowhere"], outputs: ["y"], domain: "com.example"),
    ])
    #expect(
      Self.error(model)?.description
        == "no kernels for 2 operators: com.example Frob 1 (2 nodes), ai.onnx Upsample 13 (1 node)")
  }

  @Test func summaryOfWhatCannotRun() throws {
    var model = SmallModel(
      opset: 99,
      nodes: [
        SmallModel.Node(operation: "Frob", inputs: ["x"], outputs: ["b"], domain: "com.example"),
        SmallModel.Node(operation: "Frob", inputs: ["b"], outputs: ["c"], domain: "com.example"),
        SmallModel.Node(operation: "Mul", inputs: ["c", "w"], outputs: ["y"]),
      ], inputs: [("x", 14, [1, -1]), ("w", 1, [3])], weights: [("w", [3], [1, 2, 3])])
    let summary = try ModelSummary(data: model.data)
    #expect(summary.inputs.map(\.description) == ["x: complex64[1, ?]"])
    #expect(summary.outputs.map(\.name) == ["y"])
    #expect(summary.operators.map(\.name) == ["Frob", "Mul"])
    #expect(summary.operators.map(\.nodeCount) == [2, 1])
    #expect(summary.operators.map(\.isSupported) == [false, true])
    #expect(summary.metadata.parameterCount == 3 && summary.metadata.opsets == ["": 99])
    model.opset = 6
    model.nodes = [SmallModel.Node(operation: "Gelu", inputs: ["x"], outputs: ["y"])]
    #expect(try ModelSummary(data: model.data).operators.map(\.isSupported) == [false])
    #expect(throws: ModelError.self) { try ModelSummary(data: Data("no model".utf8)) }
  }

  @Test(arguments: [25, 0, -1, 1 << 40]) func unsupportedOpset(version: Int) {
    let model = SmallModel(opset: version, nodes: [Self.relu])
    #expect(
      Self.error(model) == .unsupportedOpset(domain: "", version: version, supported: 1...24))
  }

  @Test(arguments: 6...24) func supportedOpsets(version: Int) {
    #expect(Self.error(SmallModel(opset: version, nodes: [Self.relu])) == nil)
  }

  @Test func missingOpset() {
    #expect(
      Self.error(SmallModel(opset: nil, nodes: [Self.relu]))
        == .malformed(reason: "it names no operator set"))
  }

  @Test func removedOperator() {
    var model = SmallModel(nodes: [Self.relu])
    model.nodes[0].operation = "Upsample"
    #expect(
      Self.error(model)
        == .missingOperators([
          MissingOperator(
            name: "Upsample", domain: "", opset: 13, nodeCount: 1, firstNode: "first")
        ]))
  }

  @Test func undefinedValue() {
    var model = SmallModel(nodes: [Self.relu])
    model.nodes[0].inputs = ["nowhere"]
    #expect(
      Self.error(model)
        == .invalidGraph(reason: "node 'first' (Relu) uses 'nowhere', which is not defined"))
    model = SmallModel(nodes: [Self.relu], outputs: ["z"])
    #expect(Self.error(model) == .invalidGraph(reason: "output 'z' is not defined"))
  }

  @Test func doublyDefinedValue() {
    #expect(
      Self.error(SmallModel(nodes: [Self.relu, Self.relu]))
        == .invalidGraph(reason: "value 'y', defined by node 'first', is defined already"))
  }

  /// Names are bytes: é and e with an accent are one text to `String`, and two values to a model.
  @Test func namesOfTheSameLetters() throws {
    let (composed, apart) = ("caf\u{E9}", "cafe\u{301}")
    #expect(composed == apart && ExactName(composed) != ExactName(apart))
    let model = SmallModel(nodes: [
      SmallModel.Node(operation: "Relu", inputs: ["x"], outputs: [composed]),
      SmallModel.Node(operation: "Neg", inputs: ["x"], outputs: [apart]),
      SmallModel.Node(operation: "Add", inputs: [composed, apart], outputs: ["y"]),
    ])
    let session = try InferenceSession(data: model.data)
    let x = try Seeded.tensor(seed: 1, shape: [1, 2, 4, 4])
    let y = try #require(try session.run(["x": x])["y"])
    #expect(try y.floats() == x.floats().map { max($0, 0) - $0 })
    // Of two such inputs or outputs a caller could name only one.
    var outside = model
    outside.outputs = [composed, apart]
    #expect(Self.error(outside)?.description.contains("two outputs are named 'café'") == true)
    outside = SmallModel(nodes: [Self.relu])
    outside.inputs = [(composed, 1, [1]), (apart, 1, [1]), ("x", 1, [1])]
    #expect(Self.error(outside)?.description.contains("two inputs are named 'café'") == true)
  }

  @Test func noOutputs() {
    #expect(
      Self.error(SmallModel(nodes: [Self.relu], outputs: []))
        == .invalidGraph(reason: "the graph has no outputs"))
  }

  @Test func wrongNumberOfInputs() {
    var model = SmallModel(nodes: [Self.relu])
    model.nodes[0].inputs = ["x", "x"]
    #expect(
      Self.error(model)
        == .invalidNode(node: "first", operation: "Relu", reason: "takes 1 inputs, got 2"))
    model.nodes[0].inputs = [""]
    #expect(
      Self.error(model)
        == .invalidNode(
          node: "first", operation: "Relu", reason: "the first 1 inputs must be given"))
  }

  /// A convolution of the input with 3x3 weights, with something wrong.
  static let convolution = SmallModel(
    nodes: [
      .init(operation: "Conv", inputs: ["x", "w"], outputs: ["y"], name: "conv")
    ], weights: [("w", [3, 2, 3, 3], [Float](repeating: 1, count: 54))])

  @Test(arguments: [
    ("strides", [0, 1]), ("strides", [-1, 1]), ("strides", [Int.max, 1]), ("pads", [-1, 0, 0, 0]),
    ("pads", [Int.max, 0, 0, 0]), ("pads", [1, 2, 3]), ("dilations", [0, 0]),
    ("dilations", [Int.max, Int.max]), ("kernel_shape", [0, 3]), ("strides", [1]),
    ("kernel_shape", [2, 2]), ("pads", [1, 1]), ("dilations", [3, 3]), ("strides", []),
  ]) func badWindow(attribute: String, values: [Int]) throws {
    var model = Self.convolution
    model.nodes[0].ints = [attribute: values]
    do {
      let session = try InferenceSession(data: model.data)
      _ = try session.run(["x": try Seeded.tensor(seed: 1, shape: [1, 2, 4, 4])])
      // An empty list counts as not given.
      #expect(values.isEmpty)
    } catch let error as ModelError {
      guard case .invalidNode(let node, let operation, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(node == "conv" && operation == "Conv")
    }
  }

  @Test func badGroupAndPadding() {
    var model = Self.convolution
    model.nodes[0].int = ["group": 0]
    #expect(
      Self.error(model)
        == .invalidNode(
          node: "conv", operation: "Conv", reason: "group is 0, must be at least 1"))
    model.nodes[0].int = [:]
    model.nodes[0].string = ["auto_pad": "SOME"]
    #expect(Self.error(model)?.description.contains("auto_pad 'SOME'") == true)
    model.nodes[0].string = [:]
    model.nodes[0].ints = ["group": [1]]
    #expect(Self.error(model)?.description.contains("must be an integer, got integers") == true)
  }

  @Test func kernelLargerThanInput() throws {
    let session = try InferenceSession(
      data: {
        var model = Self.convolution
        model.inputs = [("x", 1, [-1, 2, -1, -1])]
        return model
      }().data)
    #expect(throws: ModelError.self) {
      try session.run(["x": try Seeded.tensor(seed: 1, shape: [1, 2, 2, 5])])
    }
    let empty = try session.run(["x": try Tensor(shape: [0, 2, 4, 4], [Float]())])
    #expect(empty["y"]?.shape == [0, 3, 2, 2])
    #expect(throws: ModelError.self) {
      try session.run(["x": try Tensor(shape: [1, 2, 0, 4], [Float]())])
    }
  }

  @Test func memoryLimit() throws {
    var model = Self.convolution
    model.nodes[0].ints = ["pads": [1 << 12, 1 << 12, 1 << 12, 1 << 12]]
    var options = SessionOptions()
    options.memoryLimit = 1 << 20
    let session = try InferenceSession(data: model.data, options: options)
    do {
      _ = try session.run(["x": try Seeded.tensor(seed: 1, shape: [1, 2, 4, 4])])
      Issue.record("no error")
    } catch ModelError.memoryLimit(let node, _, let limit) {
      #expect(node == "node 'conv' (Conv)")
      #expect(limit == 1 << 20)
    }
  }

  @Test func weightsThatDoNotFit() {
    var model = Self.convolution
    model.weights[0].1 = [3, 2, 3, 4]
    guard case .malformed(let reason)? = Self.error(model) else {
      Issue.record("no error")
      return
    }
    #expect(reason == "tensor 'w' of shape [3, 2, 3, 4] takes 288 bytes, the file has 216")
    for shape in [[Int.max, Int.max], [-1, 54], [1 << 40, 1 << 40, 0]] {
      model.weights[0].1 = shape
      #expect(Self.error(model) != nil)
    }
  }

  @Test func wrongInputs() throws {
    let session = try InferenceSession(data: SmallModel(nodes: [Self.relu]).data)
    let x = try Seeded.tensor(seed: 1, shape: [1, 2, 4, 4])
    func error(_ inputs: [String: Tensor]) -> ModelError? {
      do {
        _ = try session.run(inputs)
        return nil
      } catch {
        return error as? ModelError
      }
    }
    #expect(error([:]) == .missingInput(name: "x", expected: ["x"]))
    #expect(error(["x": x, "a": x]) == .unknownInput(name: "a", expected: ["x"]))
    #expect(
      error(["x": try x.converted(to: .float64)])
        == .inputType(name: "x", got: .float64, expected: .float32))
    #expect(
      error(["x": try Seeded.tensor(seed: 1, shape: [1, 3, 4, 4])])
        == .inputShape(name: "x", got: [1, 3, 4, 4], expected: "[1, 2, 4, 4]"))
    #expect(
      error(["x": try Seeded.tensor(seed: 1, shape: [2, 4, 4])])
        == .inputShape(name: "x", got: [2, 4, 4], expected: "[1, 2, 4, 4]"))
    // The batch is up to the graph.
    #expect(error(["x": try Seeded.tensor(seed: 1, shape: [3, 2, 4, 4])]) == nil)
  }

  @Test func filesThatAreNoModels() throws {
    let folder = FileManager.default.temporaryDirectory
    func error(_ url: URL) -> ModelError? {
      do {
        _ = try InferenceSession(contentsOf: url)
        return nil
      } catch {
        return error as? ModelError
      }
    }
    let missing = folder.appendingPathComponent("there-is-no-such-model.onnx")
    guard case .unreadableFile? = error(missing), case .unreadableFile? = error(folder) else {
      Issue.record("a missing file or a folder was read")
      return
    }
    let file = folder.appendingPathComponent("tally-\(UUID().uuidString).onnx")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data().write(to: file)
    #expect(error(file) == .unreadableFile(path: file.path, reason: "it is empty"))
    try Data("this is text".utf8).write(to: file)
    guard case .malformed? = error(file) else {
      Issue.record("text was read as a model")
      return
    }
  }

  @Test func deepNestingIsRefused() {
    // Messages in messages: graph, node, attribute, graph and so on.
    var inner = MessageWriter()
    for level in 0..<400 {
      var outer = MessageWriter()
      outer.bytes([1, 5, 6][level % 3], inner.data)
      inner = outer
    }
    var model = MessageWriter()
    model.bytes(7, inner.data)
    #expect(throws: ModelError.self) { try InferenceSession(data: model.data) }
  }

  @Test(arguments: [
    "../secret", "/etc/passwd", "a/../../b", "", "missing.bin", "sub/../missing.bin",
  ]) func externalDataStaysInTheFolder(location: String) throws {
    let original = try Data(contentsOf: goldenModel("external"))
    // The location is as long as the one it replaces, by way of padding that means the same folder.
    let name = "external.weights"
    let range = try #require(original.range(of: Data(name.utf8)))
    var padded = location
    while padded.utf8.count < name.utf8.count { padded = "." + padded }
    guard padded.utf8.count == name.utf8.count else { return }
    var changed = original
    changed.replaceSubrange(range, with: Data(padded.utf8))
    #expect(throws: ModelError.self) {
      try InferenceSession(
        data: changed, folder: goldenModel("external").deletingLastPathComponent())
    }
    #expect(throws: ModelError.self) { try InferenceSession(data: original) }
  }
}
