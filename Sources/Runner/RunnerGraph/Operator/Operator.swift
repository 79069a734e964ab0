import RunnerTensors

/// An operator that the runner knows: all that checks, passes, plans and documentation ask of it.
///
/// The value stands beside the kernel that it speaks of. Nothing else in the runner holds facts
/// about an operator by its name.
package struct Operator: Sendable {
  /// The operator, as in `Conv`.
  package let name: String

  /// `""` is ONNX's own domain.
  package let domain: String

  /// The opsets at which the operator was introduced or changed, as honoured here, ascending.
  package let versions: [Int]

  /// The last opset that has the operator; nil if it is current.
  package let lastOpset: Int?

  /// How many inputs a node may have; those below the lower bound must be given.
  package let inputs: ClosedRange<Int>

  /// How many outputs a node may have.
  package let outputs: ClosedRange<Int>

  /// The element types of its first input, or of the data if the first input is something else,
  /// such as a condition.
  package let types: ElementTypes

  /// The attributes that its kernel and its shape rule read; others of a node count for nothing.
  package let attributes: AttributeKinds

  /// How the outputs' types and shapes follow from the inputs'.
  package let shape: ShapeRule

  /// Where the result may lie.
  package let memory: MemoryTrait

  /// Which inputs a plan need not hold for the kernel.
  package let keeps: KeptInputs

  /// How much arithmetic a node takes; nil if it is little beside the products of a model.
  package let cost: OperationCount?

  /// What passes may do with a node.
  package let traits: OperatorTraits

  /// How its nodes are written out as others when a model is loaded; nil if they are not.
  package let expansion: Expansion?

  /// What is not done of what ONNX allows, in a sentence or two.
  package let limits: String?

  /// Makes the kernel for one node; throws where attributes are wrong or not supported.
  let make: @Sendable (NodeInfo) throws -> any Kernel

  /// The opsets of ONNX's own domain that are honoured.
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

  /// The kernel for one node; throws where attributes are wrong or not supported.
  package func kernel(for node: NodeInfo) throws -> any Kernel {
    let node = declared(node)
    try node.checkKinds()
    return try make(node)
  }

  /// Throws if a node has more or fewer inputs or outputs than the operator.
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

  /// The version of the operator that a model of `opset` means; nil if it has none.
  package func version(at opset: Int) -> Int? {
    if let lastOpset, opset > lastOpset { return nil }
    return versions.last { $0 <= opset }
  }
}

/// Where an operator's result may lie, other than in memory of its own.
///
/// Each but ``fresh`` is a promise of the operator's kernel.
package enum MemoryTrait: Sendable {
  /// In new memory.
  case fresh
  /// It is the first input, seen in another shape.
  case view
  /// In the place of an input of its own shape and type: the kernel reads what it needs of a place
  /// before it writes there, and allocates nothing else.
  case inPlace
  /// Around its inputs: it is these one after the other, and those that lie where they belong
  /// already are not copied.
  case join
}

/// The inputs that a kernel keeps in a form of its own from when it is made, and does not read in a
/// run.
package enum KeptInputs: Sendable {
  case nothing
  /// All that are known by then.
  case constants
  /// The one at this place.
  case input(Int)
}

/// What passes may do with an operator's nodes.
package struct OperatorTraits: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Works on each element by itself if its other inputs are one number each.
  package static let elementwise = OperatorTraits(rawValue: 1)

  /// Does the same in `float32` as in `float16`, and its first output has the type of its inputs.
  package static let widens = OperatorTraits(rawValue: 1 << 1)

  /// ``widens``, and so slow in `float16` that it is worth it.
  package static let product = OperatorTraits(rawValue: 1 << 2 | widens.rawValue)

  /// ``widens``, and all outputs have the type of its inputs.
  package static let widensAllOutputs = OperatorTraits(rawValue: 1 << 3 | widens.rawValue)

  /// The kernel looks at ``NodeInfo/activation``.
  package static let appliesActivation = OperatorTraits(rawValue: 1 << 4)

  /// The result is not the same each time.
  package static let random = OperatorTraits(rawValue: 1 << 5)
}

/// The lists of operators, each in the file of its kernels.
package enum OperatorFamilies {}

/// Domains of operators besides ONNX's own, which is `""`.
package enum OperatorDomain {
  /// Of ONNX Runtime's operators.
  package static let runtime = "com.microsoft"

  /// Of ONNX's operators for classical machine learning.
  package static let learning = "ai.onnx.ml"

  /// Of ONNX's operators for training.
  package static let training = "ai.onnx.preview.training"

  // No file can name an operator of the following ones: without the passes that make them their
  // form is not known.

  /// How the domains of operators begin that only passes make.
  package static let ownPrefix = "tally."

  /// Of nodes on tensors in blocks of channels.
  package static let blocks = "tally.blocks"

  /// Of nodes on 8-bit numbers with the channels of a pixel side by side.
  package static let pixels = "tally.pixels"

  /// Of nodes on 8-bit numbers in the place of float ones.
  package static let quantized = "tally.int8"

  /// Of products in `bfloat16`.
  package static let bfloat16 = "tally.bfloat16"

  /// Of ONNX's own operators, current ones, in models of an opset that does not have them yet.
  package static let newer = "tally.newer"

  /// Of conversions from and to numbers of 8 and 4 bits.
  package static let narrow = "tally.narrow"

  /// Of nodes that stand for several of a file's.
  package static let fused = "tally.fused"

  /// Of what derivatives need and ONNX has no operator for.
  package static let derivatives = "tally.derivatives"
}
