import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Operators of ONNX Runtime on quantised numbers that are computed as real ones, and those that ONNX has by
  /// now.
  package static let runtimeDequantized: [Operator] = [
    // With 16 bits before opset 21 these are ONNX Runtime's own.
    quantization("QuantizeLinear", types: .real),
    quantization(
      "DequantizeLinear",
      types: ElementTypes([.int8, .int16, .int32, .uint8, .uint16, .int4, .uint4])),
    Operator(
      "QLinearAveragePool", domain: OperatorDomain.runtime, inputs: 4...5,
      types: ElementTypes([.int8, .uint8]), attributes: poolAttributes + ["channels_last": .int],
      limits: "Channels first."
    ) { node in
      guard try !node.info.flag("channels_last") else {
        throw node.info.unsupported("channels_last")
      }
      let attributes = try node.info.values(of: Array(poolAttributes.keys))
      let real = node.add("DequantizeLinear", try node.quantized(0))
      let pooled = node.add("AveragePool", [real], attributes)
      node.give(node.add("QuantizeLinear", [pooled, try node.required(3), node.input(4)]))
    },
    Operator(
      "QLinearWhere", domain: OperatorDomain.runtime, inputs: 9...9, types: .bool
    ) { node in
      let first = node.add("DequantizeLinear", try node.quantized(1))
      let second = node.add("DequantizeLinear", try node.quantized(4))
      let chosen = node.add("Where", [try node.required(0), first, second])
      node.give(node.add("QuantizeLinear", [chosen, try node.required(7), try node.required(8)]))
    },
    Operator(
      "GridSample", domain: OperatorDomain.runtime, inputs: 2...2, types: .float32,
      attributes: ["align_corners": .int, "mode": .string, "padding_mode": .string]
    ) { node in
      let attributes = try node.info.values(of: ["align_corners", "mode", "padding_mode"])
      let inputs = [try node.required(0), try node.required(1)]
      node.give(node.add("GridSample", inputs, attributes, since: 16))
    },
  ]

  private static let poolAttributes: AttributeKinds = [
    "auto_pad": .string, "ceil_mode": .int, "count_include_pad": .int, "kernel_shape": .ints,
    "pads": .ints, "strides": .ints,
  ]

  private static func quantization(_ name: String, types: ElementTypes) -> Operator {
    Operator(
      name, domain: OperatorDomain.runtime, inputs: 2...3, types: types, attributes: ["axis": .int]
    ) { node in
      let attributes = try node.info.values(of: ["axis"])
      let inputs = [try node.required(0), try node.required(1), node.input(2)]
      node.give(node.add(name, inputs, attributes))
    }
  }
}

extension NodeExpansion {
  /// A quantised input with the scale and the zero point that follow it.
  fileprivate func quantized(_ index: Int) throws -> [Graph.Value?] {
    [try required(index), try required(index + 1), input(index + 2)]
  }
}
