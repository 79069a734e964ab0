import RunnerTensors

/// A type that knows its node, for errors.
package protocol NodeFailures {
  /// The error for a node that its operator does not allow.
  func failure(_ reason: String) -> ModelError
}

extension NodeInfo: NodeFailures {}

extension KernelContext: NodeFailures {}
