/// Visits what lies under a window, in any number of dimensions.
struct WindowWalk {
  let axes: [SlidingWindow.Axis]

  /// Calls `body` with each tap of the window at output pixel `pixel` that lies on the input, and the
  /// input pixel under it.
  ///
  /// Both are row-major numbers.
  func forEachTap(of pixel: Int, _ body: (_ tap: Int, _ source: Int) -> Void) {
    visit(axis: 0, outputs: axes.reduce(1) { $0 * $1.output }, rest: pixel, 0, 0, body)
  }

  private func visit(
    axis index: Int, outputs: Int, rest: Int, _ tap: Int, _ source: Int,
    _ body: (_ tap: Int, _ source: Int) -> Void
  ) {
    guard index < axes.count else { return body(tap, source) }
    let axis = axes[index]
    let inner = outputs / axis.output
    let start = rest / inner * axis.stride - axis.padBegin
    for offset in 0..<axis.kernel {
      let position = start + offset * axis.dilation
      guard position >= 0, position < axis.input else { continue }
      visit(
        axis: index + 1, outputs: inner, rest: rest % inner, tap * axis.kernel + offset,
        source * axis.input + position, body)
    }
  }
}
