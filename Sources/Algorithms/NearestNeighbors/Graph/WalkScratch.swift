/// The memory of one walk at a time.
final class WalkScratch {
  /// One bit per row: whether the walk has visited it.
  let visited: UnsafeMutablePointer<UInt64>
  private let visitedCount: Int
  /// The neighbours of a row that the walk has not visited.
  let fresh: UnsafeMutablePointer<Int32>
  /// Their distances.
  let distances: UnsafeMutablePointer<Float>
  /// Rows from which the walk can continue.
  var candidates = CandidateHeap()
  /// The nearest rows so far.
  var found = FoundHeap()
  let rowRuler: RowRuler
  var touched: UInt8 = 0

  init(layout: VectorLayout, rowCapacity: Int, links: Int) {
    visitedCount = (rowCapacity + 63) / 64
    visited = .allocate(capacity: max(visitedCount, 1))
    visited.initialize(repeating: 0, count: visitedCount)
    fresh = .allocate(capacity: 2 * links)
    distances = .allocate(capacity: 2 * links)
    rowRuler = RowRuler(layout: layout)
  }

  deinit {
    visited.deallocate()
    fresh.deallocate()
    distances.deallocate()
    candidates.deallocate()
    found.deallocate()
  }

  /// Clears the visited rows.
  func forget() {
    visited.update(repeating: 0, count: visitedCount)
  }
}

/// Rows in a binary heap with the nearest on top, in memory that grows.
struct CandidateHeap {
  private var memory: UnsafeMutablePointer<UInt64> = .allocate(capacity: 1024)
  private var capacity = 1024
  private var count = 0

  func deallocate() { memory.deallocate() }

  mutating func removeAll() { count = 0 }

  @inline(__always) mutating func push(_ row: RankedRow) {
    if count == capacity { grow() }
    var place = count
    count &+= 1
    while place > 0 {
      let parent = (place &- 1) &>> 1
      let above = memory[parent]
      if above <= row.bits { break }
      memory[place] = above
      place = parent
    }
    memory[place] = row.bits
  }

  @inline(__always) mutating func popNearest() -> RankedRow? {
    guard count > 0 else { return nil }
    let nearest = memory[0]
    count &-= 1
    let last = memory[count]
    var place = 0
    while true {
      var child = 2 &* place &+ 1
      if child >= count { break }
      if child &+ 1 < count, memory[child &+ 1] < memory[child] { child &+= 1 }
      if last <= memory[child] { break }
      memory[place] = memory[child]
      place = child
    }
    memory[place] = last
    return RankedRow(bits: nearest)
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * capacity)
    larger.update(from: memory, count: count)
    memory.deallocate()
    memory = larger
    capacity *= 2
  }
}

/// The nearest rows in a binary heap with the farthest on top, up to a fixed number.
struct FoundHeap {
  private(set) var memory: UnsafeMutablePointer<UInt64> = .allocate(capacity: 64)
  private var room = 64
  private var capacity = 0
  private(set) var count = 0

  func deallocate() { memory.deallocate() }

  mutating func reset(capacity: Int) {
    if capacity > room {
      memory.deallocate()
      memory = .allocate(capacity: capacity)
      room = capacity
    }
    self.capacity = capacity
    count = 0
  }

  /// The limit: a row must be nearer to be kept.
  @inline(__always) var limit: RankedRow {
    count < capacity ? .farthest : RankedRow(bits: memory[0])
  }

  /// Keeps a row that is nearer than the limit.
  @inline(__always) mutating func offer(_ row: RankedRow) {
    if count < capacity {
      var place = count
      count &+= 1
      while place > 0 {
        let parent = (place &- 1) &>> 1
        let above = memory[parent]
        if above >= row.bits { break }
        memory[place] = above
        place = parent
      }
      memory[place] = row.bits
    } else {
      var place = 0
      while true {
        var child = 2 &* place &+ 1
        if child >= count { break }
        if child &+ 1 < count, memory[child &+ 1] > memory[child] { child &+= 1 }
        if row.bits >= memory[child] { break }
        memory[place] = memory[child]
        place = child
      }
      memory[place] = row.bits
    }
  }

  /// The rows, nearest first.
  var sorted: [RankedRow] {
    UnsafeBufferPointer(start: memory, count: count).sorted().map(RankedRow.init(bits:))
  }
}
