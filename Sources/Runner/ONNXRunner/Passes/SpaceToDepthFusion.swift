import RunnerGraph
import RunnerTensors

extension GraphPass {
  static let spaceToDepthFusion = GraphPass("space-to-depth-fusion", after: ["affine-folding"]) {
    graph, _ in
    try SpaceToDepthFusion.apply(to: &graph)
  }
}

/// Recognizes the slices that take every other pixel of an image ("Focus") as a space-to-depth.
///
/// It also folds a space-to-depth into the convolution that reads it. A convolution over the result
/// of a space-to-depth by b is one over the image itself, with a kernel, stride and pads b times as
/// large. If the image has few channels, that saves a copy of it and costs nothing.
enum SpaceToDepthFusion {
  /// Images with more channels are better read in blocks.
  private static let mostChannels = 4

  static func apply(to graph: inout Graph) throws {
    try fuseSlices(in: &graph)
    try foldIntoConvolutions(in: &graph)
  }

  // MARK: Slices to SpaceToDepth

  /// Replaces the concatenation of the four quarters of an image.
  ///
  /// The convolution after it gets its input channels in ONNX's order.
  private static func fuseSlices(in graph: inout Graph) throws {
    let uses = graph.useCounts()
    let producers = graph.producers()
    for (index, node) in graph.nodes.enumerated() {
      guard node.operation == "Concat", node.domain.isEmpty, node.inputs.count == 4,
        case .int(1)? = node.attributes["axis"], let output = node.outputs[0], uses[output] == 1,
        let reader = graph.nodes.firstIndex(where: { $0.inputs.contains(output) }),
        let weights = weights(of: graph.nodes[reader], in: graph), weights.shape[1] % 4 == 0
      else { continue }
      let quarters = node.inputs.map { value in
        value.flatMap { quarter($0, in: graph, producers) }
      }
      let found = quarters.compactMap { $0 }
      let places = found.map { $0.row * 2 + $0.column }
      guard found.count == 4, Set(found.map(\.source)).count == 1, Set(places).count == 4 else {
        continue
      }
      let channels = weights.shape[1] / 4
      let taps = weights.shape[2] * weights.shape[3]
      let reordered = try Tensor(shape: weights.shape, of: Float.self) { target in
        let source = weights.pointer(to: Float.self)
        for output in 0..<weights.shape[0] {
          let row = output * weights.shape[1]
          for (quarter, place) in places.enumerated() {
            for element in 0..<channels * taps {
              target[(row + place * channels) * taps + element] =
                source[(row + quarter * channels) * taps + element]
            }
          }
        }
      }
      let value = graph.addValue(named: graph.names[output] + "/weights")
      graph.constants[value] = reordered
      graph.nodes[reader].inputs[1] = value
      graph.nodes[index].operation = "SpaceToDepth"
      graph.nodes[index].inputs = [found[0].source]
      graph.nodes[index].attributes = ["blocksize": .int(2)]
    }
  }

  /// The places of a quarter's pixels in its image.
  private struct Quarter {
    var source: Graph.Value
    var row: Int
    var column: Int
  }

  /// The slices of step 2 before `value`, one along height and one along width.
  private static func quarter(
    _ value: Graph.Value, in graph: Graph, _ producers: [Int]
  ) -> Quarter? {
    var starts: [Int: Int] = [:]
    var source = value
    while starts.count < 2, producers[source] >= 0,
      let steps = halvings(of: graph.nodes[producers[source]], in: graph),
      let input = graph.nodes[producers[source]].inputs[0]
    {
      for (axis, start) in steps {
        guard starts.updateValue(start, forKey: axis) == nil else { return nil }
      }
      source = input
    }
    guard let row = starts[2], let column = starts[3] else { return nil }
    return Quarter(source: source, row: row, column: column)
  }

  /// The axes and the start of a slice that takes every other element to the end.
  private static func halvings(of node: Graph.Node, in graph: Graph) -> [(Int, Int)]? {
    guard node.operation == "Slice", node.domain.isEmpty, node.inputs.count == 5 else { return nil }
    let lists = node.inputs.dropFirst().compactMap { value -> [Int]? in
      guard let value, let tensor = graph.constants[value] else { return nil }
      if let numbers = try? tensor.array(of: Int64.self) { return numbers.map { Int($0) } }
      return (try? tensor.array(of: Int32.self))?.map { Int($0) }
    }
    guard lists.count == 4, lists.allSatisfy({ $0.count == lists[0].count }),
      lists[0].allSatisfy({ $0 == 0 || $0 == 1 }),
      lists[1].allSatisfy({ $0 >= Int(Int32.max) }), lists[2].allSatisfy({ $0 == 2 || $0 == 3 }),
      lists[3].allSatisfy({ $0 == 2 })
    else { return nil }
    return Array(zip(lists[2], lists[0]))
  }

  // MARK: SpaceToDepth into a convolution

  private static func foldIntoConvolutions(in graph: inout Graph) throws {
    let uses = graph.useCounts()
    let producers = graph.producers()
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard let weights = weights(of: node, in: graph), let input = node.inputs[0],
        uses[input] == 1, producers[input] >= 0
      else { continue }
      let sorter = graph.nodes[producers[input]]
      guard sorter.operation == "SpaceToDepth", sorter.domain.isEmpty,
        case .int(let size)? = sorter.attributes["blocksize"], (2...4).contains(size),
        let source = sorter.inputs[0], divides(size, source, in: graph),
        weights.shape[1] % (size * size) == 0, weights.shape[1] / (size * size) <= mostChannels,
        weights.shape[2] * size <= 16, weights.shape[3] * size <= 16,
        let attributes = attributes(of: node, times: size)
      else { continue }
      let channels = weights.shape[1] / (size * size)
      let (height, width) = (weights.shape[2], weights.shape[3])
      let shape = [weights.shape[0], channels, height * size, width * size]
      let spread = try Tensor(shape: shape, of: Float.self) { target in
        let from = weights.pointer(to: Float.self)
        var place = 0
        for output in 0..<shape[0] {
          for channel in 0..<channels {
            for y in 0..<shape[2] {
              for x in 0..<shape[3] {
                let part = (y % size * size + x % size) * channels + channel
                target[place] =
                  from[((output * weights.shape[1] + part) * height + y / size) * width + x / size]
                place += 1
              }
            }
          }
        }
      }
      let value = graph.addValue(named: graph.names[input] + "/spread weights")
      graph.constants[value] = spread
      graph.nodes[index].inputs[0] = source
      graph.nodes[index].inputs[1] = value
      graph.nodes[index].attributes = attributes
    }
  }

  /// The weights of a convolution of one group over images, if they are known.
  private static func weights(of node: Graph.Node, in graph: Graph) -> Tensor? {
    guard node.operation == "Conv", node.domain.isEmpty, node.inputs.count >= 2,
      let value = node.inputs[1], let weights = graph.constants[value], weights.rank == 4,
      weights.elementType == .float32, weights.count > 0
    else { return nil }
    if case .int(let group)? = node.attributes["group"], group != 1 { return nil }
    return weights
  }

  /// Whether the image's height and width are known to be whole multiples.
  ///
  /// If they are not known, the node's own check is still needed.
  private static func divides(_ size: Int, _ value: Graph.Value, in graph: Graph) -> Bool {
    guard let shape = graph.declared[value]?.shape, shape.count == 4 else { return false }
    return shape[2...].allSatisfy {
      if case .fixed(let extent) = $0 { return extent % size == 0 }
      return false
    }
  }

  private static func attributes(
    of node: Graph.Node, times size: Int
  ) -> [String: AttributeValue]? {
    var attributes = node.attributes
    attributes["kernel_shape"] = nil
    if case .string(let padding)? = attributes["auto_pad"], padding != "NOTSET",
      padding != "VALID"
    {
      return nil
    }
    if case .ints(let dilations)? = attributes["dilations"], dilations != [1, 1] { return nil }
    if case .ints(let pads)? = attributes["pads"] {
      guard pads.count == 4, pads.allSatisfy({ (0...64).contains($0) }) else { return nil }
      attributes["pads"] = .ints(pads.map { $0 * size })
    }
    var strides = [1, 1]
    if case .ints(let given)? = attributes["strides"] { strides = given }
    guard strides.count == 2, strides.allSatisfy({ (1...64).contains($0) }) else { return nil }
    attributes["strides"] = .ints(strides.map { $0 * size })
    return attributes
  }
}
