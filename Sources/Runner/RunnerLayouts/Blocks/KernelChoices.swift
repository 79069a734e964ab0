import RunnerGraph

extension BlockedConvolution {
  package var choice: String? {
    let detail = frame.detail(group: group)
    switch method {
    case .winograd: return "Winograd F(4x4, 3x3): \(detail)"
    case .depthwise: return "depthwise: \(frame.size), \(frame.input.channels) channels"
    case .direct:
      let reason =
        frame.kernel.allSatisfy { $0 == 1 }
        ? "pointwise product" : "direct by register tiles"
      return "\(reason): \(detail)"
    }
  }
}

extension ToBlocks {
  var choice: String? {
    "\(blocks.channels) channels into blocks of \(ChannelBlocks.width)"
  }
}

extension FromBlocks {
  var choice: String? { "\(blocks.channels) channels back from blocks" }
}

extension BlockedConcat {
  var choice: String? { "parts computed in their place are not copied" }
}

extension BlockedFrame {
  /// The extents and the steps of the window.
  fileprivate var size: String {
    let strides = window.strides ?? [1, 1]
    return kernel.map(String.init).joined(separator: "x") + " stride "
      + strides.map(String.init).joined(separator: "x")
  }

  func detail(group: Int) -> String {
    "\(size), \(input.channels) to \(output.channels) channels"
      + (group > 1 ? " in \(group) groups" : "")
  }
}
