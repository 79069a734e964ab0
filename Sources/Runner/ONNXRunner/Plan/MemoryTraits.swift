/// How operators' results may lie in memory that is there already.
///
/// Every kernel may be given new memory for its result; these are promises that allow for more.
enum MemoryTraits {
  /// Operators whose result is their first input, seen in another shape.
  private static let views: Set<String> = [
    "Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Dropout",
  ]

  /// Operators that compute each element from those in the same place.
  ///
  /// The result may take the place of an input of its own shape, and their kernels allocate nothing
  /// else.
  private static let elementwise: Set<String> = [
    "Relu", "Sigmoid", "HardSwish", "HardSigmoid", "LeakyRelu", "Clip", "Tanh", "Exp", "Erf",
    "Gelu", "Sqrt", "Add", "Sub", "Mul", "Div",
  ]

  /// Operators that read all of their one input that is computed before they write.
  private static let replacing: Set<String> = [SqueezeExciteFusion.operation]

  private static let domains: Set<String> = ["", ChannelBlocking.domain]

  static func isView(_ step: Plan.Step) -> Bool {
    step.domain.isEmpty && views.contains(step.operation)
  }

  /// Whether a step's result may take the place of an input of its own shape.
  static func canReplaceInput(_ step: Plan.Step) -> Bool {
    guard domains.contains(step.domain), step.outputs.count == 1 else { return false }
    return elementwise.contains(step.operation) && step.inputs.count <= 3
      || step.domain == ChannelBlocking.domain && replacing.contains(step.operation)
  }

  /// Where in a step's result its inputs lie without gaps, in elements, if it joins them one after
  /// the other; nil otherwise.
  static func parts(of step: Plan.Step, inputs: [[Int]], output: [Int]) -> [Int]? {
    guard domains.contains(step.domain), step.operation == "Concat",
      inputs.allSatisfy({ $0.count == output.count }), inputs.count > 1
    else { return nil }
    let joined = output.indices.first { axis in inputs.contains { $0[axis] != output[axis] } }
    guard let axis = joined, output[..<axis].allSatisfy({ $0 == 1 }),
      inputs.allSatisfy({ $0[(axis + 1)...] == output[(axis + 1)...] })
    else { return nil }
    let each = output[(axis + 1)...].reduce(1, *)
    var offsets: [Int] = []
    var total = 0
    for input in inputs {
      offsets.append(total * each)
      total += input[axis]
    }
    return total == output[axis] ? offsets : nil
  }
}
