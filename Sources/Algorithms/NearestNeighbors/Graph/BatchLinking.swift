/// Links a batch of new rows: first all rows find neighbours, then the neighbours are linked back.
struct BatchLinking: Sendable {
  let layout: VectorLayout
  let settings: HNSWSettings
  let batch: [Int32]

  /// The links of a row on each of its levels, nearest first.
  typealias Found = [[Int32]]

  /// Finds and sets the links of each row of the batch.
  ///
  /// Walks read the links of rows in the graph. Only links of the batch's rows are written, which
  /// no link leads to yet.
  func findNeighbors(_ editor: GraphEditor, lanes: Int) -> [Found] {
    let view = editor.view
    return [Found](unsafeUninitializedCapacity: batch.count) { buffer, initialized in
      // Each lane writes to its own places.
      nonisolated(unsafe) let places = buffer.baseAddress!
      Lanes.run(lanes) { lane in
        let scratch = WalkScratch(
          layout: layout, rowCapacity: view.rowCapacity, links: settings.links)
        let ownRuler = RowRuler(layout: layout)
        for index in stride(from: lane, to: batch.count, by: lanes) {
          let found = neighbors(ofNew: index, view, scratch, ownRuler)
          for (level, links) in found.enumerated() {
            editor.setLinks(of: batch[index], level: level, to: links)
          }
          (places + index).initialize(to: found)
        }
      }
      initialized = batch.count
    }
  }

  /// The links of a new row on each of its levels (algorithm 1 of the paper).
  private func neighbors(
    ofNew index: Int, _ view: GraphView, _ scratch: WalkScratch, _ ownRuler: RowRuler
  ) -> Found {
    let row = batch[index]
    let ownLevel = Int(view.levels[Int(row)])
    let ruler = ownRuler.ruler(of: view.vector(row))
    // The earlier rows of the batch are treated as if they were in the graph.
    let earlier = batch[..<index].map { view.ranked($0, ruler) }
    var found = Found(repeating: [], count: ownLevel + 1)
    var start = view.descend(ruler, to: min(ownLevel, view.top), avoiding: row)
    for level in (0...ownLevel).reversed() {
      var candidates = earlier.filter { view.levels[Int($0.row)] >= level }
      if level <= view.top {
        scratch.forget()
        // The row itself is excluded: an old link may lead to it if it was removed before.
        scratch.visited[Int(row) >> 6] |= 1 << (UInt64(row) & 63)
        view.walk(
          from: start, level: level, breadth: settings.breadth, ruler, scratch: scratch,
          accepts: nil)
        let walked = scratch.found.sorted
        start = walked.first ?? start
        candidates += walked
        if candidates.count > walked.count { candidates.sort() }
      }
      if candidates.count > settings.breadth {
        candidates.removeLast(candidates.count - settings.breadth)
      }
      found[level] = view.selectNeighbors(
        among: candidates, limit: settings.links, rowRuler: scratch.rowRuler)
    }
    return found
  }

  /// Attaches each row to the nearest of its neighbours that has room.
  func growTree(_ editor: GraphEditor, _ found: [Found], largestChildCount: Int) {
    var unlinked: [Int32: [Int32]] = [:]
    for (row, found) in zip(batch, found) {
      let host = editor.host(
        among: found[0], largestChildCount: largestChildCount, unlinked: unlinked)
      unlinked[host, default: []].append(row)
      editor.parents[Int(row)] = host
      editor.childCounts[Int(host)] += 1
      editor.ensureLink(from: row, to: host)
    }
  }

  /// Links the neighbours back.
  ///
  /// A neighbour without room for all links chooses among its old and its new ones.
  func linkBack(_ editor: GraphEditor, _ found: [Found], lanes: Int) {
    var requests: [Request] = []
    for (index, (row, levels)) in zip(batch, found).enumerated() {
      for (level, links) in levels.enumerated() {
        for link in links { requests.append(Request(level, link, order: index, from: row)) }
      }
      // The tree may have needed a row that is farther away.
      let host = editor.parents[Int(row)]
      if !levels[0].contains(host) {
        requests.append(Request(0, host, order: index, from: row))
      }
    }
    requests.sort { $0.key < $1.key }
    var groups: [Range<Int>] = []
    var start = 0
    for index in 1...requests.count
    where index == requests.count || requests[index].key.target != requests[start].key.target {
      groups.append(start..<index)
      start = index
    }
    let (sorted, parts) = (requests, groups)
    Lanes.run(lanes) { lane in
      let (own, others) = (RowRuler(layout: layout), RowRuler(layout: layout))
      for index in stride(from: lane, to: parts.count, by: lanes) {
        let part = sorted[parts[index]]
        linkBack(editor, part, own, others)
      }
    }
  }

  private func linkBack(
    _ editor: GraphEditor, _ requests: ArraySlice<Request>, _ own: RowRuler, _ others: RowRuler
  ) {
    guard let first = requests.first else { return }
    let (target, level) = (first.row, first.level)
    let width = editor.places(of: target, level: level).count
    var links = editor.links(of: target, level: level)
    for request in requests where !links.contains(request.from) { links.append(request.from) }
    if links.count > width {
      links = editor.chosenLinks(of: target, among: links, level: level, own, others)
    }
    editor.setLinks(of: target, level: level, to: links)
  }

  /// A row that must be linked back to a new one.
  private struct Request {
    /// The order of the requests: those to one row on one level are together.
    let key: (target: UInt64, order: Int)
    let row: Int32
    let level: Int
    let from: Int32

    init(_ level: Int, _ row: Int32, order: Int, from: Int32) {
      key = (UInt64(level) << 32 | UInt64(row), order)
      self.row = row
      self.level = level
      self.from = from
    }
  }
}

extension GraphEditor {
  /// The links of a row on a level, chosen from `candidates` by the heuristic.
  ///
  /// They include the links that the tree needs.
  func chosenLinks(
    of row: Int32, among candidates: [Int32], level: Int, _ own: RowRuler, _ others: RowRuler
  ) -> [Int32] {
    let ruler = own.ruler(of: view.vector(row))
    let ranked = candidates.map { view.ranked($0, ruler) }.sorted()
    return view.selectNeighbors(
      among: ranked, limit: places(of: row, level: level).count, rowRuler: others,
      isFixed: level == 0 ? { isTreeLink(row, $0) } : nil)
  }
}
