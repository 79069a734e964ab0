import _CLibrary

/// A grey picture cut into small blocks, with what the dots of a code of two dimensions leave in
/// them.
///
/// In such a code dark and light turn every few pixels everywhere, so a block's mean square
/// gradient is a large share of the square of the contrast around it. Along the edge of a thing,
/// and on paper, it is a small one.
struct DotBlocks {
  /// The side of a block in pixels: a module or two of the codes that are found at this size of the
  /// picture.
  static let side = 4
  /// The least contrast around a block, in grey levels.
  private static let leastContrast = 32
  /// The least mean square gradient, in squares of the contrast.
  private static let leastEnergy: Float = 0.07

  /// The most that edges around a block of a code of dots run in one direction.
  private static let mostCoherence: Float = 0.8

  let columns: Int
  let rows: Int
  /// The mean square of each block's gradients.
  private(set) var energy: [Float]
  /// The sums of each block's gradients with their angle taken four times, x and y, at the size of
  /// their squares: those that differ by a quarter turn add up, others cancel.
  private(set) var quarters: [SIMD2<Float>]
  /// The same with the angle taken twice: those along one axis add up.
  private(set) var halves: [SIMD2<Float>]
  private var low: [UInt8]
  private var high: [UInt8]

  init(of plane: GreyPlane) {
    columns = plane.width / Self.side
    rows = plane.height / Self.side
    energy = [Float](repeating: 0, count: columns * rows)
    quarters = [SIMD2<Float>](repeating: .zero, count: columns * rows)
    halves = quarters
    low = [UInt8](repeating: 255, count: columns * rows)
    high = [UInt8](repeating: 0, count: columns * rows)
    guard columns > 0, rows > 0 else { return }
    // Unsafe pointers, because bounds checks would double the time for every picture.
    plane.samples.withUnsafeBufferPointer { samples in
      for block in energy.indices {
        let (column, row) = (block % columns, block / columns)
        measure(
          block, samples, width: plane.width,
          columns: column * Self.side..<min((column + 1) * Self.side, plane.width - 1),
          rows: row * Self.side..<min((row + 1) * Self.side, plane.height - 1))
      }
    }
  }

  private mutating func measure(
    _ block: Int, _ samples: UnsafeBufferPointer<UInt8>, width: Int, columns: Range<Int>,
    rows: Range<Int>
  ) {
    var (squares, twice, fourfold) = (Float(0), SIMD2<Float>.zero, SIMD2<Float>.zero)
    var (least, most) = (UInt8.max, UInt8.min)
    for y in rows {
      let (upperRow, lowerRow) = (y * width, (y + 1) * width)
      for x in columns {
        let sample = samples[upperRow + x]
        least = min(least, sample)
        most = max(most, sample)
        let (upper, nextUpper) = (Int32(sample), Int32(samples[upperRow + x + 1]))
        let (lower, nextLower) = (
          Int32(samples[lowerRow + x]), Int32(samples[lowerRow + x + 1])
        )
        // The slopes between four samples, doubled.
        let dx = nextUpper + nextLower - upper - lower
        let dy = lower + nextLower - upper - nextUpper
        let square = dx * dx + dy * dy
        squares += Float(square)
        guard square > 64 else { continue }
        let (real, imaginary) = (Float(dx * dx - dy * dy), Float(2 * dx * dy))
        twice += SIMD2(real, imaginary)
        fourfold +=
          SIMD2(real * real - imaginary * imaginary, 2 * real * imaginary) / Float(square)
      }
    }
    energy[block] = squares / Float(4 * Self.side * Self.side)
    halves[block] = twice / 4
    quarters[block] = fourfold / 4
    low[block] = least
    high[block] = most
  }

  /// The angle by which the edges of all blocks lean, -pi/4...pi/4.
  var lean: Double {
    let sum = quarters.reduce(into: SIMD2<Double>.zero) { $0 += SIMD2<Double>($1) }
    return atan2(sum.y, sum.x) / 4
  }

  /// Groups of neighbouring blocks full of edges.
  ///
  /// The first pass closes holes and breaks thin lines, and finds codes with any content. The
  /// second pass sets each block to the majority of its neighbours and ignores edges of one
  /// direction, which separates the rim of a label.
  func groups() -> [[Int]] {
    guard columns >= 3, rows >= 3 else { return [] }
    let members = (0..<columns * rows).map { block in
      let contrast = self.contrast(around: block)
      return contrast >= Self.leastContrast
        && energy[block] >= Self.leastEnergy * Float(contrast * contrast)
    }
    guard members.contains(true) else { return [] }
    var whole = members
    for value in [true, false, false, true] { whole = spread(whole, to: value) }
    let crossing = members.indices.map {
      members[$0] && coherence(around: $0) <= Self.mostCoherence
    }
    let apart = members.indices.map { block in
      var count = 0
      forNeighbours(of: block) { if crossing[$0] { count += 1 } }
      return count >= 6
    }
    return connected(whole) + connected(apart)
  }

  /// How well the edges in and around a block run in one direction, 0...1.
  private func coherence(around block: Int) -> Float {
    var (sum, total) = (SIMD2<Float>.zero, Float(0))
    forNeighbours(of: block) {
      sum += halves[$0]
      total += energy[$0]
    }
    return (sum * sum).sum().squareRoot() / max(total * Float(Self.side * Self.side), 1)
  }

  private func contrast(around block: Int) -> Int {
    var (least, most) = (UInt8.max, UInt8.min)
    forNeighbours(of: block) {
      least = min(least, low[$0])
      most = max(most, high[$0])
    }
    return max(Int(most) - Int(least), 0)
  }

  private func forNeighbours(of block: Int, _ body: (Int) -> Void) {
    let (column, row) = (block % columns, block / columns)
    for y in max(row - 1, 0)...min(row + 1, rows - 1) {
      for x in max(column - 1, 0)...min(column + 1, columns - 1) { body(y * columns + x) }
    }
  }

  /// Every block becomes what one of its neighbours is.
  private func spread(_ members: [Bool], to value: Bool) -> [Bool] {
    members.indices.map { block in
      guard members[block] != value else { return value }
      var isNear = false
      forNeighbours(of: block) { if members[$0] == value { isNear = true } }
      return isNear ? value : !value
    }
  }

  private func connected(_ members: [Bool]) -> [[Int]] {
    var seen = members.map { !$0 }
    var groups: [[Int]] = []
    for start in members.indices where !seen[start] {
      var group = [start]
      seen[start] = true
      var next = 0
      while next < group.count {
        let (column, row) = (group[next] % columns, group[next] / columns)
        next += 1
        for (x, y) in [
          (column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1),
        ] where x >= 0 && x < columns && y >= 0 && y < rows && !seen[y * columns + x] {
          seen[y * columns + x] = true
          group.append(y * columns + x)
        }
      }
      groups.append(group)
    }
    return groups
  }
}
