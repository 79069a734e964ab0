import RunnerGraph
import RunnerTensors

/// A pass's name, as in `constant-folding`.
package struct PassID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let description: String

  package init(stringLiteral name: String) {
    description = name
  }

  /// The pass of this name; nil if none has it.
  package init?(_ name: String) {
    self.init(stringLiteral: name)
    guard Self.all.contains(self) else { return nil }
  }

  /// All passes that can be switched off, in their order.
  package static let all: [PassID] =
    (GraphPasses.preparing + [.shapeFolding] + GraphPasses.finishing).reduce(into: []) {
      if !$0.contains($1.id) { $0.append($1.id) }
    } + [.subgraphs, .winograd, .memoryPlanning]
}

/// A change of a graph that keeps what it computes, and makes it faster or smaller.
struct GraphPass: Sendable {
  /// The settings of a pass.
  struct Settings: Sendable {
    /// The most bytes that constants may take if a pass computes them.
    var memoryLimit = Int.max
    /// Whether products use `bfloat16` operands.
    var computesInBFloat16 = false
    /// Whether 3x3 convolutions may use Winograd's method.
    var usesWinograd = true
    /// The types and shapes of the graph's inputs, in their order, if they are known.
    var inputs: [ValueFact]?
  }

  let id: PassID

  /// The passes that must come before this one, because it depends on their changes.
  let after: [PassID]

  let apply: @Sendable (inout Graph, Settings) throws -> Void

  init(
    _ id: PassID, after: [PassID] = [],
    _ apply: @escaping @Sendable (inout Graph, Settings) throws -> Void
  ) {
    self.id = id
    self.after = after
    self.apply = apply
  }
}

extension PassID {
  /// Winograd's method for 3x3 convolutions, used if it is faster.
  package static let winograd: PassID = "winograd"

  /// Places for activations of known shape in one block of memory, reused by lifetime.
  package static let memoryPlanning: PassID = "memory-planning"
}
