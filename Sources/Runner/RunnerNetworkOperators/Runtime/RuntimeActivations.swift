import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Activations of ONNX Runtime.
  package static let runtimeActivations: [Operator] = [
    Operator("Gelu", domain: OperatorDomain.runtime, inputs: 1...1) { node in
      node.give(node.add("Gelu", [try node.required(0)], since: 20))
    },
    Operator("BiasGelu", domain: OperatorDomain.runtime, inputs: 2...2) { node in
      let sum = node.add("Add", [try node.required(0), try node.required(1)])
      node.give(node.add("Gelu", [sum], since: 20))
    },
    Operator("FastGelu", domain: OperatorDomain.runtime, inputs: 1...2) { node in
      var x = try node.required(0)
      if let bias = node.input(1) { x = node.add("Add", [x, bias]) }
      node.give(node.add("Gelu", [x], ["approximate": .string("tanh")], since: 20))
    },
    Operator(
      "QuickGelu", domain: OperatorDomain.runtime, inputs: 1...1, attributes: ["alpha": .float]
    ) { node in
      let alpha = try node.info.float("alpha", default: 1.702)
      let x = try node.required(0)
      // ONNX Runtime makes one with 1 of every x times its sigmoid.
      let scaled = alpha == 1 ? x : node.add("Mul", [x, try node.number(alpha, node.type(0))])
      node.give(node.add("Mul", [x, node.add("Sigmoid", [scaled])]))
    },
  ]
}

extension NodeExpansion {
  /// Writes the activation that a fused node ends in.
  ///
  /// `parameters` are alpha, beta and gamma, as far as they are given.
  mutating func activate(
    _ value: Graph.Value, _ name: String, parameters: [Float?]
  ) throws -> Graph.Value {
    let names: [String]
    switch name {
    case "": return value
    case "Relu", "Tanh", "Sigmoid", "Softplus", "Softsign": names = []
    case "LeakyRelu", "Elu", "ThresholdedRelu": names = ["alpha"]
    case "HardSigmoid": names = ["alpha", "beta"]
    case "Selu": names = ["alpha", "gamma"]
    case "Clip":
      let type = type(0)
      guard parameters.count >= 2, let low = parameters[0], let high = parameters[1] else {
        throw info.failure("activation Clip needs two parameters")
      }
      if opset < 11 { return add("Clip", [value], ["min": .float(low), "max": .float(high)]) }
      return add("Clip", [value, try number(low, type), try number(high, type)])
    default: throw info.unsupported("activation '\(name)'")
    }
    var attributes: [String: AttributeValue] = [:]
    for (index, name) in names.enumerated() where index < parameters.count {
      attributes[name] = parameters[index].map { .float($0) }
    }
    return add(name, [value], attributes)
  }
}
