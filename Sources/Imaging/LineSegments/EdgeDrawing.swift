/// Draws edges as chains of neighbouring pixels along the ridges of the gradient.
///
/// Chains begin at anchors, pixels on every second row or column where the gradient is larger than at both
/// neighbours across the edge, and go on both ways to the strongest of the three pixels ahead until there is
/// no edge or another chain has been there. No pixel is in two chains.
struct EdgeDrawing {
  let pixels: GradientField.Pixels

  /// Every how many rows and columns anchors are looked for: long edges have many.
  private static let interval = 2
  /// How much stronger than what lies two pixels away an anchor is, as a share of itself: 1 / 16.
  private static let prominenceShift: Int16 = 4

  /// Marks of pixels: in no chain, beside one (no second one begins there), in one.
  private static let (free, beside, drawn): (UInt8, UInt8, UInt8) = (0, 1, 2)

  /// Calls `body` with each chain, pixel indices in order along the edge.
  func chains(_ body: (UnsafeBufferPointer<Int32>) -> Void) {
    let width = pixels.width
    let count = width * pixels.height
    // No pixel is in two chains, so none is longer.
    let chain = UnsafeMutablePointer<Int32>.allocate(capacity: count)
    let marks = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    let anchors = UnsafeMutablePointer<UInt8>.allocate(capacity: width)
    defer {
      chain.deallocate()
      marks.deallocate()
      anchors.deallocate()
    }
    marks.initialize(repeating: Self.free, count: count)
    Step.ahead(width: width).withUnsafeBufferPointer { steps in
      guard let steps = steps.baseAddress else { return }
      let walk = Walk(pixels: pixels, marks: marks, steps: steps)
      for row in 2..<pixels.height - 2 {
        walk.findAnchors(row: row, into: anchors)
        let step = row % Self.interval == 0 ? 1 : Self.interval
        for column in stride(from: 2, to: width - 2, by: step) where anchors[column] != 0 {
          let index = row * width + column
          guard marks[index] == Self.free else { continue }
          // Back from the anchor, turned over, and on from it.
          let before = walk.run(from: index, sign: -1, into: chain)
          var back = UnsafeMutableBufferPointer(start: chain, count: before)
          back.reverse()
          chain[before] = Int32(truncatingIfNeeded: index)
          let after = walk.run(from: index, sign: 1, into: chain + before + 1)
          body(UnsafeBufferPointer(start: chain, count: before + 1 + after))
        }
      }
    }
  }

  /// Follows edges.
  private struct Walk {
    let pixels: GradientField.Pixels
    let marks: UnsafeMutablePointer<UInt8>
    /// See ``Step/ahead(width:)``.
    let steps: UnsafePointer<Step>

    /// Writes for each column of a row whether the gradient is largest there across the edge, and clearly
    /// larger than two pixels away: 1 or 0.
    func findAnchors(row: Int, into anchors: UnsafeMutablePointer<UInt8>) {
      let width = pixels.width
      let start = row * width + 2
      let (x, y, here) = (pixels.x + start, pixels.y + start, pixels.magnitude + start)
      let (left, right, above, below) = (here - 1, here + 1, here - width, here + width)
      let (farLeft, farRight) = (here - 2, here + 2)
      let (farAbove, farBelow) = (here - 2 * width, here + 2 * width)
      let target = anchors + 2
      // Without branches many pixels are done at a time.
      for index in 0..<width - 4 {
        let (size, dx, dy) = (here[index], x[index], y[index])
        let most = size &- size &>> EdgeDrawing.prominenceShift
        // Of two equal ones beside a step between pixels the first.
        let upright = max(left[index] &+ 1, right[index])
        let level = max(above[index] &+ 1, below[index])
        let farUpright = max(farLeft[index], farRight[index])
        let farLevel = max(farAbove[index], farBelow[index])
        let isUpright: Int16 = max(dx, 0 &- dx) >= max(dy, 0 &- dy) ? -1 : 0
        let beside = upright & isUpright | level & ~isUpright
        let far = farUpright & isUpright | farLevel & ~isUpright
        let isAnchor: Int16 = size >= max(1, beside) ? 1 : 0
        let isProminent: Int16 = most >= far ? 1 : 0
        target[index] = UInt8(truncatingIfNeeded: isAnchor & isProminent)
      }
    }

    /// Goes along the edge, with the gradient on the right for a `sign` of 1 and on the left for -1, and
    /// returns how many pixels it has written.
    func run(from start: Int, sign: Int, into chain: UnsafeMutablePointer<Int32>) -> Int {
      let (x, y, magnitude) = (pixels.x, pixels.y, pixels.magnitude)
      mark(start)
      var (index, count) = (start, 0)
      var last = Step(offset: 0, x: 0, y: 0)
      // Where an edge turns is not foreseeable: choices without branches.
      while true {
        // Along the edge is across the gradient; the sense is that of the last step.
        let (right, down) = (sign &* Int(y[index]), 0 &- sign &* Int(x[index]))
        let turned = right &* last.x &+ down &* last.y < 0 ? -1 : 1
        let ahead = steps + 3 &* Self.octant(turned &* right, turned &* down)
        let first = magnitude[index &+ ahead[0].offset]
        let straight = magnitude[index &+ ahead[1].offset]
        let second = magnitude[index &+ ahead[2].offset]
        let choice = second > max(first, straight) ? 2 : (first > straight ? 0 : 1)
        last = ahead[choice]
        index = index &+ last.offset
        guard magnitude[index] > 0, marks[index] != EdgeDrawing.drawn else { return count }
        mark(index)
        chain[count] = Int32(truncatingIfNeeded: index)
        count &+= 1
      }
    }

    /// Marks a pixel as drawn and those across the edge as beside one.
    private func mark(_ index: Int) {
      let across = pixels.across(index)
      marks[index] = EdgeDrawing.drawn
      marks[index &- across] = max(marks[index &- across], EdgeDrawing.beside)
      marks[index &+ across] = max(marks[index &+ across], EdgeDrawing.beside)
    }

    /// Which of the eight neighbours a direction points at: 0 at the right one, on clockwise.
    private static func octant(_ dx: Int, _ dy: Int) -> Int {
      let (ax, ay) = (abs(dx), abs(dy))
      // tan 22.5 degrees is near to 5 / 12.
      let isLevel = 12 &* ay < 5 &* ax
      let isUpright = 12 &* ax < 5 &* ay
      let level = dx >= 0 ? 0 : 4
      let upright = dy >= 0 ? 2 : 6
      let diagonal = dx >= 0 ? (dy >= 0 ? 1 : 7) : (dy >= 0 ? 3 : 5)
      return isLevel ? level : (isUpright ? upright : diagonal)
    }
  }

  /// A step to a neighbour.
  private struct Step {
    /// How far on the neighbour is in memory.
    let offset: Int
    let x: Int
    let y: Int

    /// For each of the eight directions the three steps that lead ahead: the middle one straight.
    ///
    /// Of two equally good turns the first is taken.
    static func ahead(width: Int) -> [Step] {
      let ring = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
      return ring.indices.flatMap { direction in
        let (x, y) = ring[direction]
        let turns =
          x == 0
          ? ((-1, y), (1, y)) : y == 0 ? ((x, -1), (x, 1)) : ((x, 0), (0, y))
        return [turns.0, (x, y), turns.1].map { x, y in
          Step(offset: x + y * width, x: x, y: y)
        }
      }
    }
  }
}
