import Foundation
import FuzzSupport

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Writes a small model whose operators, attributes, shapes and types the fuzzer's bytes choose.
///
/// The file is always well-formed and each value defined before it is used, so that what is tried is
/// the graph: whether its operators take what they get.
struct GraphWriter {
  private var choices: Choices
  private var serial = 0

  private static let operators = OperatorTable.families.flatMap(\.operators)
    .filter { $0.name != "Constant" }

  init(_ choices: Choices) {
    self.choices = choices
  }

  mutating func model() -> Data {
    let opset = choices.element(of: [24, 23, 22, 21, 20, 19, 18, 17, 16, 13, 13, 11, 9, 7, 6, 1])
    let graph = graph(depth: 0, available: [], inputs: 1 + choices.below(3), outputs: nil)
    var writer = MessageWriter()
    writer.int(1, 8)
    writer.bytes(7, graph)
    writer.message(8) { $0.int(2, opset) }
    for (domain, version) in [("com.microsoft", 1), ("ai.onnx.ml", 4)] {
      writer.message(8) {
        $0.string(1, domain)
        $0.int(2, version)
      }
    }
    return writer.data
  }

  /// A graph of a few nodes that may use `available` values from around it.
  private mutating func graph(
    depth: Int, available: [String], inputs: Int, outputs: Int?
  ) -> Data {
    var writer = MessageWriter()
    var names = available
    for _ in 0..<inputs {
      let name = fresh("x")
      names.append(name)
      let type = elementType()
      let shape = shape()
      writer.message(11) { Self.declare(name, type, shape, in: &$0) }
    }
    var made: [String] = []
    for _ in 0...choices.below(depth == 0 ? 5 : 3) {
      if choices.isAtEnd, !made.isEmpty { break }
      let (node, weights, results) = node(depth: depth, names: names)
      for (name, weight) in weights {
        writer.bytes(5, weight)
        names.append(name)
      }
      writer.bytes(1, node)
      made += results
      names += results
    }
    var declared = made.isEmpty ? Array(names.suffix(1)) : made
    if let outputs {
      // A body must have as many results as its node asks for, or nearly.
      declared = (0..<outputs).map { _ in choices.element(of: names) }
    }
    for name in declared { writer.message(12) { $0.string(1, name) } }
    return writer.data
  }

  private mutating func node(
    depth: Int, names: [String]
  ) -> (node: Data, weights: [(String, Data)], results: [String]) {
    let operation = choices.element(of: Self.operators)
    var writer = MessageWriter()
    var weights: [(String, Data)] = []
    let spread = min(operation.inputs.upperBound - operation.inputs.lowerBound, 4)
    for _ in 0..<operation.inputs.lowerBound + choices.below(spread + 1) {
      let kind = choices.below(16)
      if kind == 0 {
        writer.string(1, "")
      } else if kind < 8, !names.isEmpty {
        // Late values are the more interesting ones.
        writer.string(1, names[names.count - 1 - choices.below(min(names.count, 6))])
      } else {
        let name = fresh("w")
        weights.append((name, tensor(named: name)))
        writer.string(1, name)
      }
    }
    var results: [String] = []
    let more = min(operation.outputs.upperBound - operation.outputs.lowerBound, 3)
    for _ in 0..<operation.outputs.lowerBound + choices.below(more + 1) {
      let name = fresh("y")
      results.append(name)
      writer.string(2, name)
    }
    writer.string(4, operation.name)
    if !operation.domain.isEmpty { writer.string(7, operation.domain) }
    for attribute in Schema.attributes[operation.name] ?? [] {
      let isGraph = attribute.kind == 5
      guard isGraph ? depth < 3 : choices.below(2) == 1 else { continue }
      let value = self.attribute(
        attribute, depth: depth, names: names + weights.map(\.0), results: results.count)
      writer.bytes(5, value)
    }
    return (writer.data, weights, results)
  }

  private mutating func attribute(
    _ attribute: Schema.Attribute, depth: Int, names: [String], results: Int
  ) -> Data {
    var writer = MessageWriter()
    writer.string(1, attribute.name)
    writer.int(20, attribute.kind)
    switch attribute.kind {
    case 1: writer.float(2, choices.float())
    case 2: writer.int(3, choices.integer())
    case 3: writer.string(4, choices.element(of: Schema.words))
    case 4: writer.bytes(5, tensor(named: ""))
    case 5:
      writer.bytes(
        6,
        graph(
          depth: depth + 1, available: names, inputs: choices.below(4),
          outputs: results + choices.below(2)))
    case 6: for _ in 0..<choices.below(7) { writer.float(7, choices.float()) }
    case 7:
      let value = choices.once(in: 2) ? choices.integer() : nil
      for _ in 0..<choices.below(9) { writer.int(8, value ?? choices.integer()) }
    case 8: for _ in 0..<choices.below(4) { writer.string(9, choices.element(of: Schema.words)) }
    default: break
    }
    return writer.data
  }

  /// A weight: sizes and positions as often as numbers to compute with.
  private mutating func tensor(named name: String) -> Data {
    var writer = MessageWriter()
    writer.string(8, name)
    if choices.below(2) == 0 {
      let count = choices.below(6)
      writer.int(1, count)
      writer.int(2, ElementType.int64.rawValue)
      for _ in 0..<count { writer.int(7, choices.integer()) }
      return writer.data
    }
    let type = elementType()
    var shape = shape()
    // Of a weight that is too large to be there, no element is.
    if shape.contains(where: { $0 > 4096 }) { shape[choices.below(shape.count)] = 0 }
    for extent in shape { writer.int(1, extent) }
    writer.int(2, type.rawValue)
    let count = shape.contains(0) ? 0 : shape.reduce(1, *)
    if type == .string {
      for index in 0..<count { writer.string(6, Schema.words[index % Schema.words.count]) }
    } else if type == .float32, choices.below(2) == 0 {
      var last = choices.float()
      for index in 0..<count {
        if index < 8 { last = choices.float() }
        writer.float(4, last)
      }
    } else {
      let seed = Int(choices.byte())
      writer.bytes(
        9,
        Data(
          (0..<(count * type.bitCount + 7) / 8).map {
            UInt8(truncatingIfNeeded: $0 &* seed &+ seed)
          }))
    }
    return writer.data
  }

  private mutating func shape() -> [Int] {
    let rank = choices.element(of: [4, 3, 2, 1, 0, 5, 4, 2])
    // Shapes whose arithmetic overflows; a tensor can have one if it has no elements.
    if choices.once(in: 16) {
      return (0..<rank).map { _ in
        choices.element(of: [0, 1, 1 << 58, 3, 1 << 31, 1 << 24, .max, 16])
      }
    }
    var count = 1
    return (0..<rank).map { _ in
      let extent = choices.element(of: [1, 2, 3, 4, 0, 5, 7, 8, 16, 17, 33])
      guard count * extent <= 4096 else { return 1 }
      count *= max(extent, 1)
      return extent
    }
  }

  private mutating func elementType() -> ElementType {
    choices.below(2) == 0 ? .float32 : choices.element(of: ElementType.allCases)
  }

  private mutating func fresh(_ prefix: String) -> String {
    serial += 1
    return "\(prefix)\(serial)"
  }

  private static func declare(
    _ name: String, _ type: ElementType, _ shape: [Int], in writer: inout MessageWriter
  ) {
    writer.string(1, name)
    writer.message(2) { kind in
      kind.message(1) { tensor in
        tensor.int(1, type.rawValue)
        tensor.message(2) { list in
          for extent in shape { list.message(1) { $0.int(1, extent) } }
        }
      }
    }
  }
}
