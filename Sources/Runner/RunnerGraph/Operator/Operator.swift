import RunnerTensors

/// An operator of the runner, with all facts for checks, passes, plans and documentation.
///
/// The value is beside its kernel. No other place in the runner has facts about an operator by its
/// name.
package struct Operator: Sendable {
  /// The operator, as in `Conv`.
  package let name: String

  /// `""` is ONNX's own domain.
  package let domain: String

  /// The opsets at which the operator was introduced or changed, as far as supported, ascending.
  package let versions: [Int]

  /// The last opset that has the operator; nil if it is current.
  package let lastOpset: Int?

  /// The possible numbers of inputs; inputs below the lower bound must be given.
  package let inputs: ClosedRange<Int>

  /// The possible numbers of outputs.
  package let outputs: ClosedRange<Int>

  /// The element types of its first input, or of the data if the first input is something else,
  /// such as a condition.
  package let types: ElementTypes

  /// The attributes that its kernel and its shape rule read; others of a node are ignored.
  package let attributes: AttributeKinds

  /// The rule for the outputs' types and shapes.
  package let shape: ShapeRule

  /// The possible places of the result.
  package let memory: MemoryTrait

  /// The inputs that a plan need not keep for the kernel.
  package let keeps: KeptInputs

  /// The arithmetic of a node; nil if it is small compared with the products of a model.
  package let cost: OperationCount?

  /// The changes that passes may make to a node.
  package let traits: OperatorTraits

  /// The replacement of its nodes when a model is loaded; nil if there is none.
  package let expansion: Expansion?

  /// The unsupported parts of ONNX's definition, in a sentence or two.
  package let limits: String?

  /// Makes the kernel for one node; throws if attributes are wrong or not supported.
  let make: @Sendable (NodeInfo) throws -> any Kernel

  /// The supported opsets of ONNX's own domain.
  package static let opsets = 1...24

  /// Any number from a lower bound on, for `inputs` and `outputs`.
  package static let many = 1 << 16

  package init(
    _ name: String, domain: String = "", versions: [Int], lastOpset: Int? = nil,
    inputs: ClosedRange<Int>, outputs: ClosedRange<Int> = 1...1, types: ElementTypes,
    attributes: AttributeKinds = [:], shape: ShapeRule, memory: MemoryTrait = .fresh,
    keeps: KeptInputs = .nothing,
    cost: OperationCount? = nil, traits: OperatorTraits = [], expansion: Expansion? = nil,
    limits: String? = nil,
    make: @escaping @Sendable (NodeInfo) throws -> any Kernel
  ) {
    self.name = name
    self.domain = domain
    self.versions = versions
    self.lastOpset = lastOpset
    self.inputs = inputs
    self.outputs = outputs
    self.types = types
    self.attributes = attributes
    self.shape = shape
    self.memory = memory
    self.keeps = keeps
    self.cost = cost
    self.traits = traits
    self.expansion = expansion
    self.limits = limits
    self.make = make
  }

  /// `node` as the operator's kernel and shape rule see it.
  package func declared(_ node: NodeInfo) -> NodeInfo {
    var node = node
    node.declared = attributes
    return node
  }

  /// The kernel for one node; throws if attributes are wrong or not supported.
  package func kernel(for node: NodeInfo) throws -> any Kernel {
    let node = declared(node)
    try node.checkKinds()
    return try make(node)
  }

  /// Throws if a node has more or fewer inputs or outputs than the operator allows.
  package func checkCounts(of node: Graph.Node) throws {
    func failure(_ reason: String) -> ModelError {
      .invalidNode(node: node.name, operation: node.operation, reason: reason)
    }
    guard inputs.contains(node.inputs.count) else {
      throw failure("takes \(Self.text(inputs)) inputs, got \(node.inputs.count)")
    }
    guard node.inputs.prefix(inputs.lowerBound).allSatisfy({ $0 != nil }) else {
      throw failure("the first \(inputs.lowerBound) inputs must be given")
    }
    guard outputs.contains(node.outputs.count) else {
      throw failure("has \(Self.text(outputs)) outputs, got \(node.outputs.count)")
    }
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    if range.count == 1 { return "\(range.lowerBound)" }
    return range.upperBound >= many
      ? "at least \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }

  /// The version of the operator for a model of `opset`; nil if it has none.
  package func version(at opset: Int) -> Int? {
    if let lastOpset, opset > lastOpset { return nil }
    return versions.last { $0 <= opset }
  }
}

/// The place of an operator's result, if it is not in new memory.
///
/// Each case except ``fresh`` is a promise of the operator's kernel.
package enum MemoryTrait: Sendable {
  /// In new memory.
  case fresh
  /// It is the first input in another shape.
  case view
  /// In the place of an input of its own shape and type.
  ///
  /// The kernel reads a place before it writes there, and allocates nothing else.
  case inPlace
  /// Around its inputs: it joins them in order, and inputs that are in the right place already are
  /// not copied.
  case join
}

/// The inputs that a kernel keeps in its own form when it is made, and does not read in a run.
package enum KeptInputs: Sendable {
  case nothing
  /// All inputs that are known at that time.
  case constants
  /// The input at this index.
  case input(Int)
}

/// The changes that passes may make to an operator's nodes.
package struct OperatorTraits: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Works on each element separately if its other inputs are one number each.
  package static let elementwise = OperatorTraits(rawValue: 1)

  /// Does the same in `float32` as in `float16`, and its first output has the type of its inputs.
  package static let widens = OperatorTraits(rawValue: 1 << 1)

  /// ``widens``, and so slow in `float16` that widening pays.
  package static let product = OperatorTraits(rawValue: 1 << 2 | widens.rawValue)

  /// ``widens``, and all outputs have the type of its inputs.
  package static let widensAllOutputs = OperatorTraits(rawValue: 1 << 3 | widens.rawValue)

  /// The kernel applies ``NodeInfo/activation``.
  package static let appliesActivation = OperatorTraits(rawValue: 1 << 4)

  /// The result differs between runs.
  package static let random = OperatorTraits(rawValue: 1 << 5)
}

/// The lists of operators, each in the file of its kernels.
package enum OperatorFamilies {}

/// Domains of operators besides ONNX's own, which is `""`.
package enum OperatorDomain {
  /// The domain of ONNX Runtime's operators.
  package static let runtime = "com.microsoft"

  /// The domain of ONNX's operators for classical machine learning.
  package static let learning = "ai.onnx.ml"

  /// The domain of ONNX's operators for training.
  package static let training = "ai.onnx.preview.training"

  // Files cannot use an operator of the following domains: their layouts are known only with the
  // passes that make them.

  /// The prefix of the domains of operators that only passes make.
  package static let ownPrefix = "tally."

  /// The domain of nodes on tensors in blocks of channels.
  package static let blocks = "tally.blocks"

  /// The domain of nodes that give a signal the shape of an image of one row, and back.
  package static let signals = "tally.signals"

  /// The domain of nodes on 8-bit numbers with the channels of a pixel side by side.
  package static let pixels = "tally.pixels"

  /// The domain of nodes on 8-bit numbers in the place of float ones.
  package static let quantized = "tally.int8"

  /// The domain of products in `bfloat16`.
  package static let bfloat16 = "tally.bfloat16"

  /// The domain of ONNX's current operators in models of an opset that does not have them yet.
  package static let newer = "tally.newer"

  /// The domain of conversions from and to numbers of 8 and 4 bits.
  package static let narrow = "tally.narrow"

  /// The domain of nodes that replace several of a file's nodes.
  package static let fused = "tally.fused"

  /// The domain of operations for derivatives that ONNX does not have.
  package static let derivatives = "tally.derivatives"
}
