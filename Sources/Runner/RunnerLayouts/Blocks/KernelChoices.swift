import RunnerGraph

extension BlockedConvolution {
  package var choice: String? {
    let size = frame.kernel.map(String.init).joined(separator: "x")
    let strides = frame.window.strides ?? [1, 1]
    let step = strides.map(String.init).joined(separator: "x")
    let detail =
      "\(size) stride \(step), \(frame.input.channels) to \(frame.output.channels) channels"
      + (group > 1 && method != .depthwise ? " in \(group) groups" : "")
    switch method {
    case .winograd: return "Winograd F(4x4, 3x3): \(detail)"
    case .depthwise: return "depthwise: \(size) stride \(step), \(frame.input.channels) channels"
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
