import Foundation

/// Writes protobuf messages, as far as small models need.
struct MessageWriter {
  private(set) var data = Data()

  mutating func int(_ field: Int, _ value: Int) {
    varint(UInt64(field) << 3)
    varint(UInt64(bitPattern: Int64(value)))
  }

  mutating func float(_ field: Int, _ value: Float) {
    varint(UInt64(field) << 3 | 5)
    withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
  }

  mutating func bytes(_ field: Int, _ value: Data) {
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(value.count))
    data.append(value)
  }

  mutating func string(_ field: Int, _ value: String) {
    bytes(field, Data(value.utf8))
  }

  mutating func message(_ field: Int, _ body: (inout MessageWriter) -> Void) {
    var writer = MessageWriter()
    body(&writer)
    bytes(field, writer.data)
  }

  private mutating func varint(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      data.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    data.append(UInt8(value))
  }
}

/// A small model, written down in a test.
struct SmallModel {
  struct Node {
    var operation: String
    var inputs: [String]
    var outputs: [String]
    var name = ""
    var domain = ""
    var ints: [String: [Int]] = [:]
    var int: [String: Int] = [:]
    var string: [String: String] = [:]
  }

  var opset: Int? = 13
  var nodes: [Node] = []
  /// Name, element type, shape; a negative extent is left open.
  var inputs: [(String, Int, [Int])] = [("x", 1, [1, 2, 4, 4])]
  var outputs: [String] = ["y"]
  /// Name, shape, values.
  var weights: [(String, [Int], [Float])] = []

  var data: Data {
    var writer = MessageWriter()
    writer.int(1, 8)
    writer.message(7) { graph in
      for node in nodes { graph.message(1) { Self.write(node, to: &$0) } }
      for (name, shape, values) in weights {
        graph.message(5) { tensor in
          for extent in shape { tensor.int(1, extent) }
          tensor.int(2, 1)
          tensor.string(8, name)
          tensor.bytes(9, values.withUnsafeBytes { Data($0) })
        }
      }
      for (name, type, shape) in inputs {
        graph.message(11) { value in
          value.string(1, name)
          value.message(2) { kind in
            kind.message(1) { tensor in
              tensor.int(1, type)
              tensor.message(2) { list in
                for extent in shape {
                  list.message(1) { if extent >= 0 { $0.int(1, extent) } }
                }
              }
            }
          }
        }
      }
      for output in outputs { graph.message(12) { $0.string(1, output) } }
    }
    if let opset {
      writer.message(8) { $0.int(2, opset) }
    }
    return writer.data
  }

  private static func write(_ node: Node, to writer: inout MessageWriter) {
    for input in node.inputs { writer.string(1, input) }
    for output in node.outputs { writer.string(2, output) }
    writer.string(3, node.name)
    writer.string(4, node.operation)
    writer.string(7, node.domain)
    for (name, values) in node.ints {
      writer.message(5) { attribute in
        attribute.string(1, name)
        for value in values { attribute.int(8, value) }
        attribute.int(20, 7)
      }
    }
    for (name, value) in node.int {
      writer.message(5) { attribute in
        attribute.string(1, name)
        attribute.int(3, value)
        attribute.int(20, 2)
      }
    }
    for (name, value) in node.string {
      writer.message(5) { attribute in
        attribute.string(1, name)
        attribute.string(4, value)
        attribute.int(20, 3)
      }
    }
  }
}
