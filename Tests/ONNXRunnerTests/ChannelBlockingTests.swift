import TestSupport
import Testing
import _RunnerKernels

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Nodes on channel blocks give what the same nodes give without.
@Suite struct ChannelBlockingTests {
  /// A graph of convolutions and what lies between them, weights drawn at random.
  struct Sketch {
    var graph = Graph()
    var random: SeededGenerator

    init(seed: UInt64, inputs: Int = 1) {
      random = SeededGenerator(seed: seed)
      graph.opsets = ["": 14]
      graph.inputs = (0..<inputs).map { graph.addValue(named: "x\($0)") }
    }

    mutating func tensor(_ shape: [Int]) throws -> Tensor {
      let count = shape.reduce(1, *)
      return try Tensor(
        shape: shape, (0..<count).map { _ in Float.random(in: -1...1, using: &random) })
    }

    mutating func constant(_ tensor: Tensor) -> Graph.Value {
      let value = graph.addValue(named: "c\(graph.names.count)")
      graph.constants[value] = tensor
      return value
    }

    mutating func node(
      _ operation: String, _ inputs: [Graph.Value?], _ attributes: [String: AttributeValue] = [:]
    ) -> Graph.Value {
      let output = graph.addValue(named: "v\(graph.names.count)")
      graph.nodes.append(
        Graph.Node(
          name: "n\(graph.nodes.count)", operation: operation, domain: "", inputs: inputs,
          outputs: [output], attributes: attributes))
      return output
    }

    mutating func convolution(
      _ input: Graph.Value, _ inputs: Int, _ outputs: Int, kernel: Int = 3, stride: Int = 1,
      dilation: Int = 1, pads: [Int]? = nil, group: Int = 1, bias: Bool = true
    ) throws -> Graph.Value {
      var operands: [Graph.Value?] = [
        input, constant(try tensor([outputs, inputs / group, kernel, kernel])),
      ]
      if bias { operands.append(constant(try tensor([outputs]))) }
      let pad = (kernel - 1) * dilation / 2
      return node(
        "Conv", operands,
        [
          "kernel_shape": .ints([kernel, kernel]), "strides": .ints([stride, stride]),
          "dilations": .ints([dilation, dilation]),
          "pads": .ints(pads ?? [pad, pad, pad, pad]), "group": .int(group),
        ])
    }

    /// The outputs, after the pass or without it.
    func run(
      _ arguments: [Tensor], blocks: Bool, winograd: Bool = true, threads: Int = 1
    ) throws -> [Tensor] {
      var graph = graph
      ActivationFusion.apply(to: &graph)
      if blocks { ChannelBlocking.apply(to: &graph, usesWinograd: winograd) }
      return try graph.run(arguments, threads: threads, usesWinograd: winograd)
    }

    /// Whether every node but conversions is on blocks.
    var isWhollyBlocked: Bool {
      var graph = graph
      ActivationFusion.apply(to: &graph)
      ChannelBlocking.apply(to: &graph)
      return graph.nodes.allSatisfy { $0.domain == OperatorDomain.blocks }
    }

    /// Compares the outputs with and without the pass, and for several numbers of threads.
    func check(_ arguments: [Tensor], sourceLocation: SourceLocation = #_sourceLocation) throws {
      #expect(isWhollyBlocked, sourceLocation: sourceLocation)
      let plain = try run(arguments, blocks: false)
      let direct = try run(arguments, blocks: true, winograd: false)
      let winograd = try run(arguments, blocks: true)
      let threaded = try run(arguments, blocks: true, threads: 3)
      for index in plain.indices {
        let expected = try plain[index].array(of: Float.self)
        let scale = max(expected.map(abs).max() ?? 0, 1e-6)
        for (name, result) in [("direct", direct[index]), ("winograd", winograd[index])] {
          #expect(result.shape == plain[index].shape, sourceLocation: sourceLocation)
          let found = try result.array(of: Float.self)
          let error = zip(found, expected).map { abs($0 - $1) }.max() ?? 0
          #expect(
            error <= 2e-5 * scale, "\(name): off by \(error) of \(scale)",
            sourceLocation: sourceLocation)
        }
        #expect(
          try threaded[index].array(of: Float.self) == winograd[index].array(of: Float.self),
          sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>) func convolutionsOfEveryMake(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let inputs = Int.random(in: 1...70, using: &random)
    let outputs = Int.random(in: 1...90, using: &random)
    let kernel = Int.random(in: 1...5, using: &random)
    let dilation = Int.random(in: 1...2, using: &random)
    let height = Int.random(in: 12...25, using: &random)
    let width = Int.random(in: 12...25, using: &random)
    var sketch = Sketch(seed: seed)
    let y = try sketch.convolution(
      0, inputs, outputs, kernel: kernel, stride: Int.random(in: 1...3, using: &random),
      dilation: dilation, pads: (0..<4).map { _ in Int.random(in: 0...3, using: &random) },
      bias: Bool.random(using: &random))
    sketch.graph.outputs = [y]
    try sketch.check([try sketch.tensor([2, inputs, height, width])])
  }

  /// Images of one row or of one column, which are divided into pieces along it.
  @Test(arguments: 0..<24 as Range<UInt64>, [true, false])
  func convolutionsAlongOneAxis(seed: UInt64, isColumn: Bool) throws {
    var random = SeededGenerator(seed: seed + 200)
    let inputs = Int.random(in: 17...70, using: &random)
    let outputs = Int.random(in: 1...90, using: &random)
    let taps = Int.random(in: 1...7, using: &random)
    let stride = Int.random(in: 1...3, using: &random)
    let dilation = seed % 4 == 0 ? Int.random(in: 2...30, using: &random) : 1
    let length = Int.random(in: 1...900, using: &random) + (taps - 1) * dilation
    // A margin lies between the pixels of a column that is padded.
    let pad = seed % 3 == 0 ? (taps - 1) * dilation / 2 : 0
    func along(_ value: Int, _ other: Int) -> [Int] {
      isColumn ? [value, other] : [other, value]
    }
    var sketch = Sketch(seed: seed)
    let y = sketch.node(
      "Conv",
      [
        0, sketch.constant(try sketch.tensor([outputs, inputs] + along(taps, 1))),
        sketch.constant(try sketch.tensor([outputs])),
      ],
      [
        "kernel_shape": .ints(along(taps, 1)), "strides": .ints(along(stride, 1)),
        "dilations": .ints(along(dilation, 1)), "pads": .ints(along(pad, 0) + along(pad, 0)),
      ])
    // What is added to a convolution's result lies in memory as the result does.
    let point = try sketch.convolution(y, outputs, outputs, kernel: 1)
    sketch.graph.outputs = [sketch.node("Add", [point, y])]
    try sketch.check([try sketch.tensor([2, inputs] + along(length, 1))])
  }

  /// Taps so far apart that many see nothing but padding, of which little is in memory.
  @Test(arguments: 0..<40 as Range<UInt64>) func convolutionsWithFarTaps(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed + 100)
    let inputs = Int.random(in: 10...70, using: &random)
    let outputs = Int.random(in: 1...90, using: &random)
    let dilation = Int.random(in: 4...40, using: &random)
    let height = Int.random(in: 5...25, using: &random)
    let width = Int.random(in: 5...37, using: &random)
    let pads = (0..<4).map { _ in dilation + Int.random(in: -3...6, using: &random) }
    var sketch = Sketch(seed: seed)
    let y = try sketch.convolution(
      0, inputs, outputs, stride: seed % 5 == 0 ? 2 : 1, dilation: dilation, pads: pads)
    // The same image is read by another one, which needs less around it.
    let z = try sketch.convolution(0, inputs, 16, dilation: seed % 3 == 0 ? 2 : 1)
    sketch.graph.outputs = [y, z]
    try sketch.check([try sketch.tensor([2, inputs, height, width])])
  }

  @Test(arguments: ["Gelu", "Elu", "Selu", "Tanh"], [true, false])
  func activations(operation: String, isFused: Bool) throws {
    var sketch = Sketch(seed: 6)
    sketch.graph.opsets = ["": 20]
    let first = try sketch.convolution(0, 20, 33)
    // What is used twice goes into no convolution.
    let y = sketch.node(operation, [first], operation == "Elu" ? ["alpha": .float(0.7)] : [:])
    sketch.graph.outputs = isFused ? [y] : [sketch.node("Add", [first, y])]
    try sketch.check([try sketch.tensor([2, 20, 9, 11])])
  }

  @Test(arguments: ["constant", "reflect", "edge", "wrap"], 0..<6)
  func margins(mode: String, number: Int) throws {
    let pads: [[Int64]] = [
      [1, 1, 1, 1], [3, 0, 0, 2], [0, 4, 5, 0], [-1, 2, 0, -3], [0, -2, -4, 0], [2, -9, 0, 12],
    ]
    let own = pads[number]
    var sketch = Sketch(seed: 7)
    let first = try sketch.convolution(0, 20, 33)
    let widths = sketch.constant(
      try Tensor(shape: [8], [0, 0, own[0], own[1], 0, 0, own[2], own[3]]))
    var inputs: [Graph.Value?] = [first, widths]
    if mode == "constant", number % 2 == 0 {
      inputs.append(sketch.constant(Tensor(scalar: Float(3))))
    }
    let padded = sketch.node("Pad", inputs, ["mode": .string(mode)])
    sketch.graph.outputs = [try sketch.convolution(padded, 33, 17, pads: [0, 1, 1, 0])]
    try sketch.check([try sketch.tensor([2, 20, 9, 11])])
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func depthwiseOfEveryMake(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let channels = Int.random(in: 2...50, using: &random)
    var sketch = Sketch(seed: seed)
    let y = try sketch.convolution(
      0, channels, channels, kernel: Int.random(in: 1...7, using: &random),
      stride: Int.random(in: 1...2, using: &random),
      pads: (0..<4).map { _ in Int.random(in: 0...3, using: &random) }, group: channels)
    sketch.graph.outputs = [y]
    try sketch.check([try sketch.tensor([1, channels, 17, 23])])
  }

  /// Groups that are blocks, that share blocks and that reach over several.
  @Test(arguments: 0..<60 as Range<UInt64>) func groupsOfEveryMake(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed + 300)
    let groups = Int.random(in: 2...6, using: &random)
    let inputs = groups * [4, 5, 8, 16, 24, 32, 40][Int(seed % 7)]
    let outputs =
      seed % 3 == 0 ? groups * Int.random(in: 4...40, using: &random) : inputs
    var sketch = Sketch(seed: seed)
    let first = try sketch.convolution(
      0, inputs, outputs, kernel: seed % 4 == 0 ? 1 : 3, stride: seed % 5 == 0 ? 2 : 1,
      dilation: seed % 11 == 0 ? 2 : 1, group: groups, bias: Bool.random(using: &random))
    let second = try sketch.convolution(sketch.node("Relu", [first]), outputs, 32, kernel: 1)
    sketch.graph.outputs = [second]
    let height = Int.random(in: 5...30, using: &random)
    try sketch.check([
      try sketch.tensor([2, inputs, height, Int.random(in: 5...30, using: &random)])
    ])
  }

  /// A block of a ResNeXt: what is added goes into the convolution in groups.
  @Test(arguments: [8, 16, 32, 64]) func groupsAddResiduals(width: Int) throws {
    var sketch = Sketch(seed: 9)
    let first = try sketch.convolution(0, 20, 128)
    let second = try sketch.convolution(first, 128, 128, group: 128 / width)
    sketch.graph.outputs = [sketch.node("Relu", [sketch.node("Add", [second, first])])]
    try sketch.check([try sketch.tensor([2, 20, 15, 14])])
    var graph = sketch.graph
    ChannelBlocking.apply(to: &graph)
    #expect(!graph.nodes.contains { $0.operation == "Add" })
  }

  /// Few channels a group stay where they are.
  @Test func smallGroupsAreNotBlocked() throws {
    var sketch = Sketch(seed: 10)
    sketch.graph.outputs = [try sketch.convolution(0, 32, 64, group: 16)]
    var graph = sketch.graph
    ChannelBlocking.apply(to: &graph)
    #expect(graph.nodes.map(\.domain) == [""])
  }

  /// Windows of one channel along the last axis are faster where they lie.
  @Test(arguments: [[2, 28], [16, 33]]) func signalsAreNotBlocked(sizes: [Int]) throws {
    var sketch = Sketch(seed: 11)
    let weights = sketch.constant(try sketch.tensor([sizes[0], 1, 1, sizes[1]]))
    sketch.graph.outputs = [sketch.node("Conv", [0, weights], ["strides": .ints([1, 2])])]
    var graph = sketch.graph
    ChannelBlocking.apply(to: &graph)
    #expect(graph.nodes.map(\.domain) == [""])
  }

  /// A transposed convolution may be the first.
  @Test(arguments: 0..<12 as Range<UInt64>) func transposedFromPlanes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed + 40)
    let inputs = Int.random(in: 1...100, using: &random)
    let outputs = Int.random(in: 8...90, using: &random)
    let stride = Int.random(in: 1...2, using: &random)
    var sketch = Sketch(seed: seed)
    let weights = sketch.constant(try sketch.tensor([inputs, outputs, 4, 4]))
    let pad = seed % 3 == 0 ? 0 : 1
    let y = sketch.node(
      "ConvTranspose", [0, weights],
      ["strides": .ints([stride, stride]), "pads": .ints([pad, pad, pad, pad])])
    sketch.graph.outputs = [sketch.node("Relu", [y])]
    let side = seed % 2 == 0 ? 1 : Int.random(in: 2...9, using: &random)
    try sketch.check([try sketch.tensor([2, inputs, side, side])])
  }

  /// Images of few channels are read as they are.
  @Test(arguments: 0..<30 as Range<UInt64>) func imagesOfEveryMake(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let channels = Int.random(in: 1...4, using: &random)
    var sketch = Sketch(seed: seed)
    let y = try sketch.convolution(
      0, channels, Int.random(in: 1...70, using: &random),
      kernel: Int.random(in: 1...7, using: &random), stride: Int.random(in: 1...3, using: &random),
      dilation: Int.random(in: 1...2, using: &random),
      pads: (0..<4).map { _ in Int.random(in: 0...3, using: &random) },
      bias: Bool.random(using: &random))
    sketch.graph.outputs = [sketch.node("Relu", [y])]
    let height = Int.random(in: 13...40, using: &random)
    let input = try sketch.tensor([2, channels, height, Int.random(in: 13...40, using: &random)])
    try sketch.check([input])
    var graph = sketch.graph
    ChannelBlocking.apply(to: &graph)
    #expect(!graph.nodes.contains { $0.operation == "ToBlocks" })
  }

  @Test(arguments: 0..<30 as Range<UInt64>) func transposedOfEveryMake(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let inputs = Int.random(in: 1...40, using: &random)
    let outputs = Int.random(in: 8...40, using: &random)
    let stride = Int.random(in: 1...3, using: &random)
    let kernel = Int.random(in: stride...5, using: &random)
    var sketch = Sketch(seed: seed)
    let image = try sketch.convolution(0, 5, inputs)
    let weights = sketch.constant(try sketch.tensor([inputs, outputs, kernel, kernel]))
    let bias = sketch.constant(try sketch.tensor([outputs]))
    let pads = (0..<4).map { _ in Int.random(in: 0...min(1, kernel - 1), using: &random) }
    let y = sketch.node(
      "ConvTranspose", [image, weights, bias],
      [
        "strides": .ints([stride, stride]), "pads": .ints(pads),
        "output_padding": .ints([Int.random(in: 0..<stride, using: &random), 0]),
      ])
    sketch.graph.outputs = [sketch.node("Relu", [y])]
    try sketch.check([try sketch.tensor([2, 5, 7, 9])])
  }

  /// The sizes at which Winograd's tiles reach over the edge in every way.
  @Test(arguments: 1...9, 1...9) func winogradAtEveryEdge(height: Int, width: Int) throws {
    var sketch = Sketch(seed: UInt64(height * 10 + width))
    let y = try sketch.convolution(0, 33, 40)
    sketch.graph.outputs = [y]
    try sketch.check([try sketch.tensor([1, 33, height, width])])
  }

  @Test(arguments: ["Relu", "Sigmoid", "HardSwish", "HardSigmoid", "LeakyRelu"])
  func activationsFusedAndAlone(name: String) throws {
    var sketch = Sketch(seed: 5)
    let a = try sketch.convolution(0, 20, 36)
    let b = sketch.node(name, [a])
    // Used twice, so the second activation cannot go into the convolution.
    let c = try sketch.convolution(b, 36, 20)
    let d = sketch.node(name, [c])
    sketch.graph.outputs = [d, sketch.node("Add", [c, d])]
    try sketch.check([try sketch.tensor([2, 20, 9, 11])])
  }

  /// A bottleneck as in YOLOX: the sum goes into the second convolution.
  @Test func residualsAreAddedByTheConvolution() throws {
    var sketch = Sketch(seed: 6)
    let a = try sketch.convolution(0, 16, 32)
    let b = sketch.node("Relu", [try sketch.convolution(a, 32, 32, kernel: 1)])
    let c = sketch.node("Relu", [try sketch.convolution(b, 32, 32)])
    let sum = sketch.node("Add", [c, a])
    sketch.graph.outputs = [try sketch.convolution(sum, 32, 8)]
    try sketch.check([try sketch.tensor([1, 16, 13, 14])])
    var graph = sketch.graph
    ActivationFusion.apply(to: &graph)
    ChannelBlocking.apply(to: &graph)
    #expect(!graph.nodes.contains { $0.operation == "Add" })
  }

  /// A block of a ResNet: the convolution adds what is left, and applies the activation to the sum.
  @Test(arguments: ["Relu", "LeakyRelu", "Elu", "Clip"], [1, 3])
  func activationsOfSums(operation: String, kernel: Int) throws {
    var sketch = Sketch(seed: 12)
    let a = try sketch.convolution(0, 16, 150)
    let b = try sketch.convolution(a, 150, 150, kernel: kernel)
    let bounds = [-5, 500].map { sketch.constant(Tensor(scalar: Float($0))) }
    let sum = sketch.node("Add", [a, b])
    sketch.graph.outputs = [sketch.node(operation, [sum] + (operation == "Clip" ? bounds : []))]
    var graph = sketch.graph
    ActivationFusion.apply(to: &graph)
    ChannelBlocking.apply(to: &graph)
    #expect(graph.nodes.map(\.operation) == ["ToBlocks", "Conv", "Conv", "FromBlocks"])
    try sketch.check([try sketch.tensor([2, 16, 13, 14])])
  }

  /// A sum that something else reads too, and one of an activated result, get their activation apart.
  @Test func activationsOfSumsThatStay() throws {
    var sketch = Sketch(seed: 13)
    let a = try sketch.convolution(0, 16, 32)
    let sum = sketch.node("Add", [try sketch.convolution(a, 32, 32), a])
    let b = sketch.node("Relu", [try sketch.convolution(a, 32, 32)])
    let other = sketch.node("Add", [b, a])
    sketch.graph.outputs = [sketch.node("Relu", [sum]), sum, sketch.node("LeakyRelu", [other])]
    var graph = sketch.graph
    ActivationFusion.apply(to: &graph)
    ChannelBlocking.apply(to: &graph)
    #expect(graph.nodes.filter { ["Relu", "LeakyRelu"].contains($0.operation) }.count == 2)
    try sketch.check([try sketch.tensor([1, 16, 9, 8])])
  }

  /// Adding one pixel to all is no residual the kernels know.
  @Test func sumsOfDifferentSizesBroadcast() throws {
    var sketch = Sketch(seed: 7)
    let a = try sketch.convolution(0, 16, 32)
    let mean = sketch.node("GlobalAveragePool", [a])
    let gate = try sketch.convolution(mean, 32, 32, kernel: 1)
    let b = try sketch.convolution(a, 32, 32)
    let sum = sketch.node("Add", [gate, b])
    sketch.graph.outputs = [sketch.node("Relu", [sum]), sketch.node("Mul", [b, gate])]
    try sketch.check([try sketch.tensor([2, 16, 7, 6])])
    // The convolution of the single pixel comes last here.
    var other = Sketch(seed: 8)
    let c = try other.convolution(0, 16, 32)
    let pixel = other.node("GlobalAveragePool", [c])
    let last = try other.convolution(pixel, 32, 32, kernel: 1)
    other.graph.outputs = [other.node("Elu", [other.node("Add", [last, c])])]
    try other.check([try other.tensor([1, 16, 5, 6])])
  }

  @Test func constantsForEachChannel() throws {
    var sketch = Sketch(seed: 9)
    let a = try sketch.convolution(0, 3, 21)
    let b = sketch.node("Mul", [a, sketch.constant(try sketch.tensor([1, 21, 1, 1]))])
    let c = sketch.node("Sub", [sketch.constant(try sketch.tensor([])), b])
    sketch.graph.outputs = [
      sketch.node("Div", [c, sketch.constant(try Tensor(scalar: Float(6)).reshaped(to: [1]))])
    ]
    try sketch.check([try sketch.tensor([1, 3, 8, 9])])
  }

  @Test(arguments: ["MaxPool", "AveragePool"], [0, 1]) func pools(name: String, counts: Int) throws
  {
    var sketch = Sketch(seed: 10)
    let a = try sketch.convolution(0, 8, 24)
    var attributes: [String: AttributeValue] = [
      "kernel_shape": .ints([5, 3]), "strides": .ints([2, 1]), "pads": .ints([2, 1, 1, 0]),
    ]
    if name == "AveragePool" { attributes["count_include_pad"] = .int(counts) }
    sketch.graph.outputs = [sketch.node(name, [a], attributes)]
    try sketch.check([try sketch.tensor([1, 8, 12, 13])])
  }

  @Test func meansJoinsAndRepetitions() throws {
    var sketch = Sketch(seed: 11)
    let a = try sketch.convolution(0, 8, 32)
    let b = try sketch.convolution(0, 8, 20, kernel: 1)
    let joined = sketch.node("Concat", [a, b], ["axis": .int(1)])
    let scales = sketch.constant(try Tensor(shape: [4], [1, 1, 2, 3] as [Float]))
    let larger = sketch.node(
      "Resize", [joined, nil, scales],
      [
        "mode": .string("nearest"), "coordinate_transformation_mode": .string("asymmetric"),
        "nearest_mode": .string("floor"),
      ])
    let c = try sketch.convolution(larger, 52, 16)
    let mean = sketch.node("ReduceMean", [c], ["axes": .ints([2, 3])])
    sketch.graph.outputs = [larger, mean]
    try sketch.check([try sketch.tensor([2, 8, 6, 7])])
  }

  /// What cannot be on blocks is left as it is, with conversions around it.
  @Test func otherNodesGetTheUsualForm() throws {
    var sketch = Sketch(seed: 12)
    let a = try sketch.convolution(0, 8, 20)
    let b = sketch.node("Transpose", [a], ["perm": .ints([0, 1, 3, 2])])
    let c = try sketch.convolution(b, 20, 12)
    let uneven = sketch.node("Concat", [c, try sketch.convolution(b, 20, 5)], ["axis": .int(1)])
    sketch.graph.outputs = [a, uneven, try sketch.convolution(uneven, 17, 4)]
    let input = try sketch.tensor([1, 8, 6, 9])
    let plain = try sketch.run([input], blocks: false)
    let blocked = try sketch.run([input], blocks: true)
    for (expected, found) in zip(plain, blocked) {
      #expect(found.shape == expected.shape)
      let errors = zip(try found.array(of: Float.self), try expected.array(of: Float.self))
        .map { abs($0 - $1) }
      #expect((errors.max() ?? 0) < 1e-3)
    }
  }

  @Test func wrongShapesAreErrorsThatNameTheNode() throws {
    var sketch = Sketch(seed: 13)
    sketch.graph.outputs = [try sketch.convolution(0, 8, 20)]
    for shape in [[1, 7, 6, 6], [8, 6, 6], [1, 8, 0, 6]] {
      #expect(throws: ModelError.self) {
        try sketch.run(
          [try Tensor(shape: shape, [Float](repeating: 0, count: shape.reduce(1, *)))], blocks: true
        )
      }
    }
  }

  /// A file cannot ask for these nodes by name.
  @Test func theDomainIsOutOfReach() throws {
    var sketch = Sketch(seed: 14)
    let y = sketch.node("FromBlocks", [0])
    sketch.graph.nodes[0].domain = OperatorDomain.blocks
    sketch.graph.outputs = [y]
    #expect(throws: ModelError.self) { try PlanBuilder().plan(sketch.graph) }
  }
}

/// The kernels on blocks, compiled for every level, against the plain ones.
@Suite struct BlockedKernels {
  @Test(arguments: 0..<6 as Range<UInt64>) func everyLevelComputesTheSame(seed: UInt64) throws {
    defer { vk_force_level(-1) }
    var random = SeededGenerator(seed: seed)
    let channels = Int.random(in: 33...70, using: &random)
    var sketch = ChannelBlockingTests.Sketch(seed: seed)
    let image = sketch.node("Sigmoid", [try sketch.convolution(0, 3, channels, stride: 2)])
    let depthwise = try sketch.convolution(
      image, channels, channels, kernel: 3 + 2 * Int(seed % 2), group: channels)
    let winograd = try sketch.convolution(sketch.node("Relu", [depthwise]), channels, 40)
    let direct = try sketch.convolution(winograd, 40, 50, kernel: 5, stride: 2)
    // Wide enough for AMX, if the processor has it.
    let wide = try sketch.convolution(winograd, 40, 96, kernel: 1)
    let deep = try sketch.convolution(sketch.node("HardSwish", [wide]), 96, 64, kernel: 1)
    let sum = sketch.node("Add", [try sketch.convolution(deep, 64, 64), deep])
    let weights = sketch.constant(try sketch.tensor([50, 20, 2, 2]))
    let transposed = sketch.node(
      "ConvTranspose", [direct, weights], ["strides": .ints([2, 2])])
    sketch.graph.outputs = [
      image, winograd, transposed, sum, try sketch.convolution(sum, 64, 33, stride: 2),
      sketch.node("MaxPool", [winograd], ["kernel_shape": .ints([3, 3])]),
    ]
    let input = try sketch.tensor([1, 3, 31, 45])
    for level in 0...vk_best_level() {
      #expect(vk_force_level(level) == level)
      try sketch.check([input])
    }
  }
}
