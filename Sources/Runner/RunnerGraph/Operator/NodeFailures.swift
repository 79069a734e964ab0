import RunnerTensors

/// Something that knows which node it speaks of, for errors.
package protocol NodeFailures {
  /// The error for a node that is not as its operator wants it.
  func failure(_ reason: String) -> ModelError
}

extension NodeInfo: NodeFailures {}

extension KernelContext: NodeFailures {}
