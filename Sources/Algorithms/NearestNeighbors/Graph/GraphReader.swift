/// Reads the bytes of a graph.
struct GraphReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var rowCapacity = 0
  private var upperCount = 0
  private var entry: Int32 = -1

  init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Checks the checksum and reads the header before the tables.
  mutating func header(layout: VectorLayout) throws(NeighborSearchError) -> HNSWSettings {
    guard bytes.count >= GraphFormat.headerSize + 8, bytes.count % 4 == 0 else {
      throw damage("\(bytes.count) bytes are not the length of a graph")
    }
    guard bytes.starts(with: GraphFormat.magic) else { throw damage("it does not begin as one") }
    let body = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 8)])
    offset = body.count
    guard number64() == GraphFormat.check(body) else { throw damage("the check does not agree") }
    offset = GraphFormat.magic.count
    let version = number()
    guard version == GraphFormat.version else { throw damage("version \(version) is unknown") }
    let (dimension, precision, metric) = (Int(number()), Int(number()), Int(number()))
    guard dimension == layout.dimension,
      precision == GraphFormat.precisions.firstIndex(of: layout.precision),
      metric == GraphFormat.metrics.firstIndex(of: layout.metric)
    else { throw damage("it is of vectors with another layout") }
    let (links, breadth, seed) = (Int(number()), Int(number()), number64())
    rowCapacity = Int(number())
    upperCount = Int(number())
    entry = Int32(bitPattern: number())
    guard number() == 0 else { throw damage("its header does not end in zero") }
    do {
      return try HNSWSettings(links: links, breadth: breadth, seed: seed)
    } catch { throw damage("\(error)") }
  }

  /// Reads the tables; their lengths are checked, not their content.
  mutating func tables(settings: HNSWSettings) throws(NeighborSearchError) -> GraphTables {
    guard rowCapacity <= HNSWGraph.largestRow + 1, upperCount <= Int(Int32.max) else {
      throw damage("\(rowCapacity) rows with \(upperCount) upper links are too many")
    }
    let padded = (rowCapacity + 3) & ~3
    // This is at most 2^31 times 2^12, so it does not overflow.
    let expected =
      GraphFormat.headerSize + padded + 4 * (rowCapacity * (1 + 2 * settings.links) + upperCount)
      + 8
    guard bytes.count == expected else {
      throw damage("\(bytes.count) bytes where its header announces \(expected)")
    }
    var tables = GraphTables(links: settings.links)
    tables.states = Array(bytes[offset..<offset + rowCapacity])
    for place in offset + rowCapacity..<offset + padded where bytes[place] != 0 {
      throw damage("its states do not end in zeros")
    }
    offset += padded
    tables.parents = numbers(rowCapacity)
    tables.ground = numbers(rowCapacity * 2 * settings.links)
    tables.upper = numbers(upperCount)
    tables.entry = entry
    tables.levels = [UInt8](repeating: 0, count: rowCapacity)
    tables.upperStarts = [Int32](repeating: 0, count: rowCapacity)
    var start = 0
    for row in 0..<rowCapacity where tables.states[row] != GraphTables.State.absent {
      let level = GraphTables.level(of: row, seed: settings.seed, links: settings.links)
      tables.levels[row] = level
      guard start <= upperCount else { break }
      tables.upperStarts[row] = Int32(start)
      start += Int(level) * settings.links
    }
    guard start == upperCount else {
      throw damage("\(upperCount) upper links do not fit its rows' levels")
    }
    return tables
  }

  private mutating func number() -> UInt32 {
    defer { offset += 4 }
    return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  private mutating func number64() -> UInt64 {
    let low = number()
    return UInt64(number()) << 32 | UInt64(low)
  }

  private mutating func numbers(_ count: Int) -> [Int32] {
    let start = offset
    offset += 4 * count
    return [Int32](unsafeUninitializedCapacity: count) { values, initialized in
      if count > 0 {
        UnsafeMutableRawPointer(values.baseAddress!).copyMemory(
          from: bytes.baseAddress! + start, byteCount: 4 * count)
        if UInt32(1).littleEndian != 1 {
          for index in 0..<count { values[index] = Int32(littleEndian: values[index]) }
        }
      }
      initialized = count
    }
  }
}

private func damage(_ reason: String) -> NeighborSearchError { .damagedGraph(reason: reason) }

extension GraphTables {
  /// Checks that the tables are those of a graph, and computes the numbers that are not stored.
  mutating func validate() throws(NeighborSearchError) {
    try validateStates()
    for row in 0..<rowCapacity {
      if states[row] == State.absent {
        let places = row * groundWidth..<(row + 1) * groundWidth
        guard parents[row] == -1, ground[places].allSatisfy({ $0 == -1 }) else {
          throw damage("row \(row) is absent and has links")
        }
      }
    }
    // The last list in which each row was seen: a list must not contain a row twice.
    var lastSeen = [Int](repeating: -1, count: rowCapacity)
    var list = 0
    for row in 0..<rowCapacity where states[row] != State.absent {
      for level in 0...Int(levels[row]) {
        let start =
          level == 0 ? row * groundWidth : Int(upperStarts[row]) + (level - 1) * links
        let places = level == 0 ? ground[start..<start + groundWidth] : upper[start..<start + links]
        try validate(places, of: row, level: level, list: list, &lastSeen)
        list += 1
      }
    }
    try validateTree()
  }

  private mutating func validateStates() throws(NeighborSearchError) {
    var highest = -1
    for row in 0..<rowCapacity {
      switch states[row] {
      case State.absent: continue
      case State.live: break
      case State.removed: removedCount += 1
      default: throw damage("row \(row) has state \(states[row])")
      }
      nodeCount += 1
      highest = max(highest, Int(levels[row]))
    }
    guard nodeCount > 0 else {
      if entry != -1 { throw damage("row \(entry) is the entry of a graph without rows") }
      return
    }
    guard (0..<rowCapacity).contains(Int(entry)), states[Int(entry)] != State.absent,
      Int(levels[Int(entry)]) == highest
    else { throw damage("row \(entry) cannot be the entry") }
  }

  private func validate(
    _ places: ArraySlice<Int32>, of row: Int, level: Int, list: Int, _ lastSeen: inout [Int]
  ) throws(NeighborSearchError) {
    var hasEnded = false
    for link in places {
      if link == -1 {
        hasEnded = true
        continue
      }
      let other = Int(link)
      guard !hasEnded, (0..<rowCapacity).contains(other), other != row,
        states[other] != State.absent, Int(levels[other]) >= level, lastSeen[other] != list
      else { throw damage("row \(row) cannot have a link to \(link) on level \(level)") }
      lastSeen[other] = list
    }
  }

  /// Checks that all rows are in one tree, by links in both directions.
  private mutating func validateTree() throws(NeighborSearchError) {
    childCounts = [UInt16](repeating: 0, count: rowCapacity)
    var roots: [Int] = []
    for row in 0..<rowCapacity where states[row] != State.absent {
      if parents[row] == -1 {
        roots.append(row)
        continue
      }
      let parent = Int(parents[row])
      guard (0..<rowCapacity).contains(parent), hasLink(from: row, to: parent),
        hasLink(from: parent, to: row)
      else { throw damage("row \(row) cannot hang on \(parent)") }
      childCounts[parent] += 1
      guard Int(childCounts[parent]) <= largestChildCount else {
        throw damage("too many rows hang on \(parent)")
      }
    }
    guard roots.count == min(nodeCount, 1) else {
      throw damage("\(roots.count) rows hang on none")
    }
    // Rows in a cycle are not below the root.
    var below = roots
    var next = 0
    while next < below.count {
      let row = below[next]
      next += 1
      for link in ground[row * groundWidth..<(row + 1) * groundWidth]
      where link >= 0 && Int(parents[Int(link)]) == row { below.append(Int(link)) }
    }
    guard below.count == nodeCount else { throw damage("some rows hang in a circle") }
  }

  private func hasLink(from row: Int, to other: Int) -> Bool {
    ground[row * groundWidth..<(row + 1) * groundWidth].contains(Int32(other))
  }
}
