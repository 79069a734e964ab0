/// The content of a graph: the state, level, links and place in the tree of every row.
struct GraphTables: Hashable, Sendable {
  /// The state of a row in the graph.
  enum State {
    /// Never inserted: no links from it or to it.
    static let absent: UInt8 = 0
    static let live: UInt8 = 1
    /// Removed: walks pass through it, and searches do not find it.
    static let removed: UInt8 = 2
  }

  /// The number of links of a row on each level above the lowest; the lowest has twice that number.
  let links: Int
  var states: [UInt8] = []
  var levels: [UInt8] = []
  /// The offset of a row's upper-level links in `upper`; undefined for rows of level 0.
  var upperStarts: [Int32] = []
  /// The links on the lowest level, `2 * links` per row; -1 ends a list that is shorter.
  var ground: [Int32] = []
  /// `links` links for each level of a row above the lowest.
  var upper: [Int32] = []
  /// The parent of each row in the tree; -1 for its root and absent rows.
  var parents: [Int32] = []
  /// The number of children of each row.
  var childCounts: [UInt16] = []
  /// The start of walks, a row of the highest level; -1 of an empty graph.
  var entry: Int32 = -1
  var removedCount = 0
  /// The number of rows that are live or removed.
  var nodeCount = 0

  init(links: Int) {
    self.links = links
  }

  var rowCapacity: Int { states.count }
  var groundWidth: Int { 2 * links }
  /// The greatest number of children of a row; with the link to its own parent, this leaves other
  /// links free.
  var largestChildCount: Int { links }
  /// The level of the entry.
  var top: Int { entry < 0 ? -1 : Int(levels[Int(entry)]) }

  /// Makes room for rows up to `row`.
  mutating func extend(to row: Int) {
    let missing = row + 1 - rowCapacity
    guard missing > 0 else { return }
    states.append(contentsOf: repeatElement(State.absent, count: missing))
    levels.append(contentsOf: repeatElement(0, count: missing))
    upperStarts.append(contentsOf: repeatElement(0, count: missing))
    parents.append(contentsOf: repeatElement(-1, count: missing))
    childCounts.append(contentsOf: repeatElement(0, count: missing))
    ground.append(contentsOf: repeatElement(-1, count: missing * groundWidth))
  }

  /// Gives an absent row its level and room for links.
  mutating func place(_ row: Int, level: UInt8) {
    levels[row] = level
    upperStarts[row] = Int32(upper.count)
    upper.append(contentsOf: repeatElement(-1, count: Int(level) * links))
  }

  /// The level of a row: 0 for most, and each higher one for a share of 1/`links` of those below.
  ///
  /// It follows from the row and the seed alone, so that a graph does not depend on the order of
  /// draws.
  static func level(of row: Int, seed: UInt64, links: Int) -> UInt8 {
    var generator = SplitMix(seed: seed, stream: row)
    let limit = UInt64.max / UInt64(links)
    var level: UInt8 = 0
    while level < 15 {
      guard generator.next() < limit else { break }
      level += 1
    }
    return level
  }

  /// Calls `body` with the memory of the tables and the rows, for reading.
  func withView<Result>(
    rows: UnsafeRawPointer, stride: Int, _ body: (GraphView) -> Result
  ) -> Result {
    states.withUnsafeBufferPointer { states in
      levels.withUnsafeBufferPointer { levels in
        upperStarts.withUnsafeBufferPointer { upperStarts in
          ground.withUnsafeBufferPointer { ground in
            upper.withUnsafeBufferPointer { upper in
              body(
                GraphView(
                  states: states.baseAddress!, levels: levels.baseAddress!,
                  upperStarts: upperStarts.baseAddress!, ground: ground.baseAddress!,
                  // It is not read if it is empty.
                  upper: upper.baseAddress ?? ground.baseAddress!, links: links,
                  rowCapacity: rowCapacity, entry: entry, top: top, rows: rows, stride: stride))
            }
          }
        }
      }
    }
  }
}
