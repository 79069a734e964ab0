/// Draws edges as chains of neighbouring pixels along the ridges of the gradient.
///
/// Chains begin at anchors, pixels on every second row or column where the gradient is larger than at both
/// neighbours across the edge, and go on both ways to the strongest of the three pixels ahead until there is
/// no edge or another chain has been there. No pixel is in two chains.
struct EdgeDrawing {
  let gradient: GradientField

  /// Every how many rows and columns anchors are looked for: long edges have many.
  private static let interval = 2
  /// How much stronger than what lies two pixels away an anchor is, as a share of itself: 1 / 16.
  private static let prominenceShift: Int16 = 4

  /// Marks of pixels: in no chain, beside one (no second one begins there), in one.
  private static let (free, beside, drawn): (UInt8, UInt8, UInt8) = (0, 1, 2)

  /// Calls `body` with each chain, pixel indices in order along the edge.
  func chains(_ body: ([Int32]) -> Void) {
    var marks = [UInt8](repeating: Self.free, count: gradient.magnitude.count)
    var chain: [Int32] = []
    let width = gradient.width
    // Unsafe pointers for the walk: no index leaves the picture, for edges end two pixels before it.
    gradient.magnitude.withUnsafeBufferPointer { magnitude in
      gradient.x.withUnsafeBufferPointer { x in
        gradient.y.withUnsafeBufferPointer { y in
          marks.withUnsafeMutableBufferPointer { marks in
            let walk = Walk(x: x, y: y, magnitude: magnitude, width: width)
            for row in 2..<gradient.height - 2 {
              let step = row % Self.interval == 0 ? 1 : Self.interval
              for column in stride(from: 2, to: width - 2, by: step) {
                let index = row * width + column
                guard magnitude[index] > 0, marks[index] == Self.free, walk.isAnchor(index)
                else { continue }
                chain.removeAll(keepingCapacity: true)
                walk.run(from: index, sign: -1, marks: marks, into: &chain)
                chain.reverse()
                chain.append(Int32(truncatingIfNeeded: index))
                walk.run(from: index, sign: 1, marks: marks, into: &chain)
                body(chain)
              }
            }
          }
        }
      }
    }
  }

  /// The steps from pixel to pixel.
  private struct Walk {
    let x: UnsafeBufferPointer<Int16>
    let y: UnsafeBufferPointer<Int16>
    let magnitude: UnsafeBufferPointer<Int16>
    let width: Int

    /// Whether the gradient is largest here across the edge, and clearly larger than two pixels away.
    func isAnchor(_ index: Int) -> Bool {
      let here = magnitude[index]
      let across = across(index)
      // Of two equal ones beside a step between pixels the first.
      guard magnitude[index - across] < here, magnitude[index + across] <= here else {
        return false
      }
      let most = here &- here >> EdgeDrawing.prominenceShift
      return magnitude[index - 2 * across] <= most && magnitude[index + 2 * across] <= most
    }

    /// Goes along the edge, with the gradient on the right for a `sign` of 1 and on the left for -1.
    func run(
      from start: Int, sign: Int, marks: UnsafeMutableBufferPointer<UInt8>,
      into chain: inout [Int32]
    ) {
      mark(start, in: marks)
      var index = start
      var (lastX, lastY) = (0, 0)
      while true {
        // Along the edge is across the gradient; the sense is that of the last step.
        var (dx, dy) = (sign * Int(y[index]), -sign * Int(x[index]))
        if dx * lastX + dy * lastY < 0 { (dx, dy) = (-dx, -dy) }
        var step = Self.octant(dx, dy)
        let (first, second) = Self.beside(step.0, step.1)
        if strength(index, first) > strength(index, step) { step = first }
        if strength(index, second) > strength(index, step) { step = second }
        let next = index + step.0 + step.1 * width
        guard magnitude[next] > 0, marks[next] != EdgeDrawing.drawn else { return }
        mark(next, in: marks)
        chain.append(Int32(truncatingIfNeeded: next))
        (index, lastX, lastY) = (next, step.0, step.1)
      }
    }

    /// The magnitude of the pixel that a step leads to.
    private func strength(_ index: Int, _ step: (Int, Int)) -> Int16 {
      magnitude[index + step.0 + step.1 * width]
    }

    /// Marks a pixel as drawn and those across the edge as beside one.
    private func mark(_ index: Int, in marks: UnsafeMutableBufferPointer<UInt8>) {
      let across = across(index)
      marks[index] = EdgeDrawing.drawn
      if marks[index - across] == EdgeDrawing.free { marks[index - across] = EdgeDrawing.beside }
      if marks[index + across] == EdgeDrawing.free { marks[index + across] = EdgeDrawing.beside }
    }

    /// How far the next pixel across the edge is: to the right or below.
    private func across(_ index: Int) -> Int {
      abs(Int(x[index])) >= abs(Int(y[index])) ? 1 : width
    }

    /// The neighbour a direction points at.
    private static func octant(_ dx: Int, _ dy: Int) -> (Int, Int) {
      let (ax, ay) = (abs(dx), abs(dy))
      // tan 22.5 degrees is near to 5 / 12.
      return (
        12 * ax < 5 * ay ? 0 : dx.signum(), 12 * ay < 5 * ax ? 0 : dy.signum()
      )
    }

    /// The two neighbours next to a neighbour.
    private static func beside(_ dx: Int, _ dy: Int) -> ((Int, Int), (Int, Int)) {
      if dx == 0 { return ((-1, dy), (1, dy)) }
      if dy == 0 { return ((dx, -1), (dx, 1)) }
      return ((dx, 0), (0, dy))
    }
  }
}
