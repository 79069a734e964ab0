import Geometry
import _CLibrary

/// Finds spines in maps by their cores: sets of cells that hang together, taken apart if two spines
/// touch, and joined if one is broken.
struct MapPieces {
  let maps: SpineMaps
  /// The probability of a core and no side: sides part what cores alone would join.
  private let kernel: [Float]
  private static let levels: [Float] = [0.4, 0.55, 0.7, 0.85]
  private static let leastCells = 6

  init(maps: SpineMaps) {
    self.maps = maps
    let cells = maps.width * maps.height
    let (core, side) = (
      SpineMaps.Plane.core.rawValue * cells, SpineMaps.Plane.side.rawValue * cells
    )
    kernel = (0..<cells).map { maps.values[core + $0] * (1 - maps.values[side + $0]) }
  }

  /// A piece, and its spine if that is known already.
  private struct Part {
    var piece: MapPiece
    var spine: MappedSpine?
  }

  /// The spines, as far as the maps say.
  func spines() -> [MappedSpine] {
    var marks = [Int32](repeating: Self.closed, count: kernel.count)
    let pieces = pieces(of: Array(kernel.indices), level: 0, &marks)
    let whole = joined(pieces.map { Part(piece: $0) })
    return joined(whole.flatMap { parted($0.piece) }).compactMap {
      $0.spine ?? MappedSpine($0.piece, in: maps)
    }
  }

  /// The piece, or two or more if a side runs through its inside.
  private func parted(_ piece: MapPiece) -> [Part] {
    let spine = MappedSpine(piece, in: maps)
    guard let cut = spine?.inner(in: maps) else { return [Part(piece: piece, spine: spine)] }
    var (left, right): ([Int], [Int]) = ([], [])
    for cell in piece.cells {
      let point = Point(x: Double(cell % maps.width) + 0.5, y: Double(cell / maps.width) + 0.5)
      let (along, across) = piece.coordinates(of: point)
      if across < cut.value(at: along) { left.append(cell) } else { right.append(cell) }
    }
    let parts = [left, right].filter { $0.count >= Self.leastCells }
      .compactMap { MapPiece(cells: $0, in: maps) }
    guard parts.count == 2 else { return [Part(piece: piece, spine: spine)] }
    return parts.flatMap { parted($0) }
  }

  /// Cells above a level that hang together by their sides; a set that falls into parts beside each
  /// other at a higher level is two spines.
  ///
  /// - Parameters:
  ///   - cells: in ascending order.
  ///   - marks: all ``closed``, before and after.
  private func pieces(of cells: [Int], level: Int, _ marks: inout [Int32]) -> [MapPiece] {
    components(of: cells, above: Self.levels[level], &marks).flatMap { component -> [MapPiece] in
      guard let piece = MapPiece(cells: component, in: maps) else { return [] }
      guard level + 1 < Self.levels.count else { return [piece] }
      let parts = pieces(of: component, level: level + 1, &marks)
      return areBeside(parts, in: piece) ? parts : [piece]
    }
  }

  /// Whether at least two of the parts lie beside each other for most of the shorter one's length.
  private func areBeside(_ parts: [MapPiece], in whole: MapPiece) -> Bool {
    let large = parts.filter {
      $0.cells.count * 12 >= whole.cells.count && $0.length >= 0.25 * whole.length
    }
    for (index, first) in large.enumerated() {
      for second in large[(index + 1)...] {
        let (start, end) = (
          first.coordinates(of: second.place(along: second.reach.lowerBound, across: 0)).along,
          first.coordinates(of: second.place(along: second.reach.upperBound, across: 0)).along
        )
        let common =
          min(first.reach.upperBound, max(start, end))
          - max(first.reach.lowerBound, min(start, end))
        if common > 0.5 * min(first.length, second.length) { return true }
      }
    }
    return false
  }

  /// A cell that is not above the level.
  private static let closed: Int32 = -1
  /// A cell above the level whose component is not known yet; its number stands there later.
  private static let open: Int32 = -2

  /// The components of at least ``leastCells`` cells, each in ascending order.
  private func components(
    of cells: [Int], above level: Float, _ marks: inout [Int32]
  ) -> [[Int]] {
    let above = cells.filter { kernel[$0] >= level }
    for cell in above { marks[cell] = Self.open }
    let width = maps.width
    var sizes: [Int] = []
    var stack: [Int] = []
    for cell in above where marks[cell] == Self.open {
      let number = Int32(sizes.count)
      var size = 0
      marks[cell] = number
      stack.append(cell)
      while let next = stack.popLast() {
        size += 1
        func visit(_ neighbour: Int) {
          guard marks[neighbour] == Self.open else { return }
          marks[neighbour] = number
          stack.append(neighbour)
        }
        let x = next % width
        if x > 0 { visit(next - 1) }
        if x + 1 < width { visit(next + 1) }
        if next >= width { visit(next - width) }
        if next + width < marks.count { visit(next + width) }
      }
      sizes.append(size)
    }
    var result = sizes.map { size in
      var component: [Int] = []
      if size >= Self.leastCells { component.reserveCapacity(size) }
      return component
    }
    for cell in above {
      let number = Int(marks[cell])
      if sizes[number] >= Self.leastCells { result[number].append(cell) }
      marks[cell] = Self.closed
    }
    return result.filter { !$0.isEmpty }
  }

  /// Joins pieces that go on in one line, with a spine between them.
  private func joined(_ parts: [Part]) -> [Part] {
    var parts = parts.sorted { $0.piece.cells.count > $1.piece.cells.count }
    var index = 0
    while index < parts.count {
      var other = index + 1
      var hasGrown = false
      while other < parts.count {
        if goOn(parts[index].piece, parts[other].piece),
          let whole = MapPiece(
            cells: (parts[index].piece.cells + parts[other].piece.cells).sorted(), in: maps)
        {
          parts[index] = Part(piece: whole)
          parts.remove(at: other)
          hasGrown = true
        } else {
          other += 1
        }
      }
      if !hasGrown { index += 1 }
    }
    return parts
  }

  private func goOn(_ first: MapPiece, _ second: MapPiece) -> Bool {
    let cosine = abs(first.axis.x * second.axis.x + first.axis.y * second.axis.y)
    // A piece as wide as it is long has no direction to speak of.
    let isShort = second.length < 2.5 * second.meanWidth
    guard cosine > (isShort ? 0.5 : 0.97) else { return false }
    let ratio = first.meanWidth / second.meanWidth
    guard ratio > (isShort ? 0.4 : 0.5), ratio < (isShort ? 4 : 2.2) else { return false }
    let ends = [second.reach.lowerBound, second.reach.upperBound].map {
      first.coordinates(of: second.place(along: $0, across: second.course.value(at: $0)))
    }.sorted { $0.along < $1.along }
    // The nearer end of the second, and the end of the first that it faces.
    let isBefore =
      (ends[0].along + ends[1].along) / 2 < (first.reach.lowerBound + first.reach.upperBound) / 2
    let near = isBefore ? ends[1] : ends[0]
    let own = isBefore ? first.reach.lowerBound : first.reach.upperBound
    let gap = isBefore ? own - near.along : near.along - own
    guard gap > -0.5 * min(first.length, second.length),
      gap < max(8 * first.meanWidth, 0.6 * (first.length + second.length))
    else { return false }
    for end in ends {
      let off = abs(end.across - first.course.value(at: end.along))
      let most = isShort ? 0.6 : 0.5
      guard off < most * max(first.meanWidth, second.meanWidth) + 0.5 else { return false }
    }
    guard gap > 0 else { return true }
    // The gap must show a spine, or an object in front of one.
    let steps = max(2, Int(gap.rounded(.up)))
    var (spine, sides, board) = (0.0, 0.0, 0.0)
    for step in 0...steps {
      let along = own + (near.along - own) * Double(step) / Double(steps)
      let across = first.course.value(at: along)
      let point = first.place(along: along, across: across)
      spine += maps.value(.spine, at: point)
      board += maps.value(.board, at: point)
      for side in [-first.meanWidth, first.meanWidth] {
        sides +=
          [-1.0, 0, 1].map {
            maps.value(.side, at: first.place(along: along, across: across + side + $0))
          }.reduce(0, max) / 2
      }
    }
    let count = Double(steps + 1)
    return max(spine, sides) > 0.5 * count && board < 0.3 * count
  }
}
