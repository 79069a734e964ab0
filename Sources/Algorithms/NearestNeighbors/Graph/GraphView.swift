/// The tables of a graph and the rows as pointers, for walking.
///
/// It is unchecked, because several threads read the pointers: the creator of a view makes sure
/// that nothing is written during the reads.
struct GraphView: @unchecked Sendable {
  let states: UnsafePointer<UInt8>
  let levels: UnsafePointer<UInt8>
  let upperStarts: UnsafePointer<Int32>
  let ground: UnsafePointer<Int32>
  let upper: UnsafePointer<Int32>
  let links: Int
  let rowCapacity: Int
  let entry: Int32
  let top: Int
  let rows: UnsafeRawPointer
  let stride: Int

  /// The places of a row's links on a level; -1 ends a shorter list.
  @inline(__always) func neighbors(
    of row: Int32, level: Int
  ) -> UnsafeBufferPointer<Int32> {
    if level == 0 {
      return UnsafeBufferPointer(start: ground + Int(row) &* 2 &* links, count: 2 &* links)
    }
    let start = Int(upperStarts[Int(row)]) &+ (level &- 1) &* links
    return UnsafeBufferPointer(start: upper + start, count: links)
  }

  @inline(__always) func vector(_ row: Int32) -> UnsafeRawPointer { rows + Int(row) &* stride }

  @inline(__always) func ranked(_ row: Int32, _ ruler: Ruler) -> RankedRow {
    RankedRow(ruler.distance(vector(row)), row: row)
  }

  /// The start of a walk on `level`.
  ///
  /// From the entry down, it moves on each higher level to the row that is nearer than all its
  /// neighbours (algorithm 5 of the paper, first loop).
  ///
  /// - Parameter avoided: a row that is not visited, or -1; not the entry.
  func descend(_ ruler: Ruler, to level: Int, avoiding avoided: Int32 = -1) -> RankedRow {
    var nearest = ranked(entry, ruler)
    var current = top
    while current > level {
      var moved = true
      while moved {
        moved = false
        for neighbor in neighbors(of: nearest.row, level: current) {
          if neighbor < 0 { break }
          let candidate = ranked(neighbor, ruler)
          if candidate < nearest, neighbor != avoided {
            nearest = candidate
            moved = true
          }
        }
      }
      current -= 1
    }
    return nearest
  }

  /// Leaves in `scratch` the `breadth` nearest rows that a walk from `start` finds on `level`
  /// (algorithm 2 of the paper).
  ///
  /// - Parameter accepts: whether a row may be found; the walk passes through the others. nil: all.
  func walk(
    from start: RankedRow, level: Int, breadth: Int, _ ruler: Ruler, scratch: WalkScratch,
    accepts: ((Int32) -> Bool)?
  ) {
    let visited = scratch.visited
    let (fresh, distances) = (scratch.fresh, scratch.distances)
    // They are on the stack, because in the scratch they would share cache lines with another
    // thread's.
    var (candidates, found) = (scratch.candidates, scratch.found)
    candidates.removeAll()
    found.reset(capacity: breadth)
    visited[Int(start.row) &>> 6] |= 1 &<< (UInt64(start.row) & 63)
    candidates.push(start)
    if accepts?(start.row) ?? true { found.offer(start) }
    var limit = found.limit
    var touched: UInt8 = 0
    let touchedEnd = min(stride, 512)
    while let current = candidates.popNearest() {
      if current > limit { break }
      var count = 0
      for neighbor in neighbors(of: current.row, level: level) {
        if neighbor < 0 { break }
        let place = Int(neighbor) &>> 6
        let bit: UInt64 = 1 &<< (UInt64(neighbor) & 63)
        let word = visited[place]
        if word & bit == 0 {
          visited[place] = word | bit
          fresh[count] = neighbor
          count &+= 1
          // The rows are anywhere in memory. Reading all of them first lets the processor wait for
          // them at the same time instead of one after the other.
          let vector = vector(neighbor)
          var offset = 0
          while offset < touchedEnd {
            touched ^= vector.load(fromByteOffset: offset, as: UInt8.self)
            offset &+= 64
          }
        }
      }
      ruler.distances(of: fresh, count: count, rows: rows, stride: stride, into: distances)
      for index in 0..<count {
        let candidate = RankedRow(distances[index], row: fresh[index])
        if candidate < limit {
          candidates.push(candidate)
          if accepts?(candidate.row) ?? true {
            found.offer(candidate)
            limit = found.limit
          }
        }
      }
    }
    (scratch.candidates, scratch.found) = (candidates, found)
    // This use keeps the compiler from dropping the loads.
    scratch.touched ^= touched
  }
}
