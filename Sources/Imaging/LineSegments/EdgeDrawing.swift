/// Draws edges as chains of neighbouring pixels along the ridges of the gradient.
///
/// Chains begin at anchors. These are pixels on every second row or column where the gradient is
/// larger than at both neighbours across the edge. A chain is continued in both directions, each
/// time to the strongest of the three pixels ahead. It ends where the edge ends, or at another
/// chain. No pixel is in two chains.
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
    let ridges = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    defer {
      chain.deallocate()
      marks.deallocate()
      ridges.deallocate()
    }
    marks.initialize(repeating: Self.free, count: count)
    ridges.initialize(repeating: 0, count: count)
    for row in 2..<pixels.height - 2 { describe(row: row, into: ridges) }
    Step.ahead(width: width).withUnsafeBufferPointer { steps in
      guard let steps = steps.baseAddress else { return }
      let walk = Walk(pixels: pixels, ridges: ridges, marks: marks, steps: steps)
      for row in 2..<pixels.height - 2 {
        let isWhole = row % Self.interval == 0
        let start = row * width
        var word = start + 2
        let end = start + width - 2
        while word < end {
          // Most pixels are not anchors: eight at a time.
          var found = UInt64(
            littleEndian: UnsafeRawPointer(ridges + word).loadUnaligned(as: UInt64.self))
          found &= isWhole ? Ridge.anchors : Ridge.everyOtherAnchor
          while found != 0 {
            let index = word + found.trailingZeroBitCount / 8
            found &= found - 1
            guard index < end, marks[index] == Self.free else { continue }
            // Back from the anchor, turned over, and on from it.
            let before = walk.run(from: index, turn: 4, into: chain)
            var back = UnsafeMutableBufferPointer(start: chain, count: before)
            back.reverse()
            chain[before] = Int32(truncatingIfNeeded: index)
            let after = walk.run(from: index, turn: 0, into: chain + before + 1)
            body(UnsafeBufferPointer(start: chain, count: before + 1 + after))
          }
          word += 8
        }
      }
    }
  }

  /// What is to be known about the edge at a pixel, in one byte.
  private enum Ridge {
    /// Which of the eight neighbours lies along it, with the brighter side on the right: 0 for the
    /// one to the right, on clockwise.
    static let direction: UInt8 = 7
    /// Whether it is rather upright than level.
    static let upright: UInt8 = 8
    /// Whether a chain may begin here.
    static let anchor: UInt8 = 16
    /// In eight bytes.
    static let anchors: UInt64 = 0x1010_1010_1010_1010
    static let everyOtherAnchor: UInt64 = 0x0010_0010_0010_0010
  }

  /// Describes a row's pixels, see ``Ridge``.
  ///
  /// An anchor is where the gradient is largest across the edge, and clearly larger than two pixels
  /// away.
  private func describe(row: Int, into ridges: UnsafeMutablePointer<UInt8>) {
    let width = pixels.width
    let start = row * width + 2
    let (x, y, here) = (pixels.x + start, pixels.y + start, pixels.magnitude + start)
    let (left, right, above, below) = (here - 1, here + 1, here - width, here + width)
    let (farLeft, farRight) = (here - 2, here + 2)
    let (farAbove, farBelow) = (here - 2 * width, here + 2 * width)
    let target = ridges + start
    // Masks instead of branches, all of one width: then many pixels are done at a time.
    for index in 0..<width - 4 {
      let (size, dx, dy) = (here[index], x[index], y[index])
      let (across, along) = (max(dx, 0 &- dx), max(dy, 0 &- dy))
      let isUpright: Int16 = across >= along ? -1 : 0

      let most = size &- size &>> Self.prominenceShift
      // If two pixels beside a step between pixels are equal, the first one is the largest.
      let upright = max(left[index] &+ 1, right[index])
      let level = max(above[index] &+ 1, below[index])
      let farUpright = max(farLeft[index], farRight[index])
      let farLevel = max(farAbove[index], farBelow[index])
      let beside = upright & isUpright | level & ~isUpright
      let far = farUpright & isUpright | farLevel & ~isUpright
      let isLargest: Int16 = size >= max(1, beside) ? -1 : 0
      let isProminent: Int16 = most >= far ? -1 : 0

      // Along the edge is across the gradient: (dy, -dx). Within 22.5 degrees of an axis it is
      // along that.
      let isLeftward: Int16 = dy < 0 ? -1 : 0
      let isUpward: Int16 = dx > 0 ? -1 : 0
      let isSteep: Int16 = along < Self.tangent(across) ? -1 : 0
      let isFlat: Int16 = across < Self.tangent(along) ? -1 : 0
      let diagonal = (1 | isLeftward & 2) ^ (isUpward & 6)
      let direction =
        (isLeftward & 4) & isFlat | (2 | isUpward & 4) & isSteep | diagonal & ~(isFlat | isSteep)
      target[index] = UInt8(
        truncatingIfNeeded: direction | isUpright & 8 | isLargest & isProminent & 16)
    }
  }

  /// The tangent of 22.5 degrees, times a number not below 0.
  @inline(__always)
  private static func tangent(_ value: Int16) -> Int16 {
    Int16(truncatingIfNeeded: (UInt32(UInt16(bitPattern: value)) &* 27_146) &>> 16)
  }

  /// Follows edges.
  private struct Walk {
    let pixels: GradientField.Pixels
    let ridges: UnsafePointer<UInt8>
    let marks: UnsafeMutablePointer<UInt8>
    /// See ``Step/ahead(width:)``.
    let steps: UnsafePointer<Step>

    /// Goes along the edge, with the brighter side on the right for a `turn` of 0 and on the left
    /// for 4, and returns how many pixels it has written.
    func run(from start: Int, turn: Int, into chain: UnsafeMutablePointer<Int32>) -> Int {
      let magnitude = pixels.magnitude
      mark(start)
      var (index, count) = (start, 0)
      var last = (Int(ridges[start] & Ridge.direction) &+ turn) & 7
      // The turns of an edge cannot be predicted, so choices are made without branches.
      while true {
        // The direction that is nearer to the last step: one that turns by more than a right angle
        // is reversed.
        let direction = Int(ridges[index] & Ridge.direction)
        let isBack = (direction &- last &+ 5) & 7 < 3
        let ahead = steps + 3 &* (isBack ? direction ^ 4 : direction)
        let (first, straight, second) = (ahead[0], ahead[1], ahead[2])
        let here = magnitude + index
        let most = max(here[first.offset], here[straight.offset])
        let isFirst = here[first.offset] > here[straight.offset]
        let isSecond = here[second.offset] > most
        last = isSecond ? second.direction : (isFirst ? first.direction : straight.direction)
        index =
          index
          &+ (isSecond ? second.offset : (isFirst ? first.offset : straight.offset))
        guard magnitude[index] > 0, marks[index] != EdgeDrawing.drawn else { return count }
        mark(index)
        chain[count] = Int32(truncatingIfNeeded: index)
        count &+= 1
      }
    }

    /// Marks a pixel as drawn and those across the edge as beside one.
    @inline(__always)
    private func mark(_ index: Int) {
      let across = ridges[index] & Ridge.upright != 0 ? 1 : pixels.width
      marks[index] = EdgeDrawing.drawn
      marks[index &- across] = max(marks[index &- across], EdgeDrawing.beside)
      marks[index &+ across] = max(marks[index &+ across], EdgeDrawing.beside)
    }
  }

  /// A step to a neighbour.
  private struct Step {
    /// How far on the neighbour is in memory.
    let offset: Int
    /// Which neighbour it is: 0 the one to the right, on clockwise.
    let direction: Int

    /// For each of the eight directions the three steps that lead ahead: the middle one straight.
    ///
    /// If two turns are equally good, the one nearer to a row is taken. If both are equally near,
    /// the left or upper one is taken.
    static func ahead(width: Int) -> [Step] {
      let ring = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
      return ring.indices.flatMap { direction in
        let neighbors = [(direction + 7) % 8, (direction + 1) % 8]
          .sorted { a, b in
            let (a, b) = (ring[a], ring[b])
            return (abs(a.1), a.0, a.1) < (abs(b.1), b.0, b.1)
          }
        return [neighbors[0], direction, neighbors[1]].map {
          Step(offset: ring[$0].0 + ring[$0].1 * width, direction: $0)
        }
      }
    }
  }
}
