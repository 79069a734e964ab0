import RunnerTensors

/// The rule for the types and shapes of an operator's outputs, as in the ONNX specification.
///
/// A rule throws ``ShapeQuery/Unknown`` if it needs to know more. Its result must always equal that
/// of a run: shape arithmetic is computed from it.
package struct ShapeRule: Sendable {
  /// The outputs' types and shapes, in order; nil for unknown ones.
  package typealias Outputs = @Sendable (ShapeQuery) throws -> [ValueFact?]

  /// The form of the rule.
  package enum Form: Sendable {
    case rule(Outputs)
    case dependsOnData
    case seenInRun
    case asReplaced
    case asExpanded
  }

  package let form: Form

  package init(_ outputs: @escaping Outputs) {
    form = .rule(outputs)
  }

  private init(form: Form) {
    self.form = form
  }

  /// The outputs' shapes depend on the inputs' elements.
  package static let dependsOnData = ShapeRule(form: .dependsOnData)

  /// The shapes follow from the inputs' shapes by a rule that is not written; a run shows them.
  package static let seenInRun = ShapeRule(form: .seenInRun)

  /// The outputs were known before a fusion as the results of the nodes that this one replaces.
  package static let asReplaced = ShapeRule(form: .asReplaced)

  /// A node is replaced by others before the rule is needed; see ``NodeExpansion``.
  package static let asExpanded = ShapeRule(form: .asExpanded)
}

extension ShapeRule {
  /// One output, like the first input.
  package static let likeFirst = ShapeRule { [try $0.input(0)] }

  /// All inputs broadcast to each other.
  package static let broadcast = ShapeRule { query in
    [ValueFact(try query.input(0).type, try broadcastShape(query))]
  }

  /// ``broadcast``, and the result is true or false.
  package static let broadcastTruth = ShapeRule { [ValueFact(.bool, try broadcastShape($0))] }

  private static func broadcastShape(_ query: ShapeQuery) throws -> [Int] {
    // Early opsets say by attributes how one side is repeated.
    if query.info.has("axis") || query.info.has("broadcast") { throw ShapeQuery.Unknown() }
    return try query.broadcast(query.inputs.indices.map { try query.shape($0) })
  }
}
