import Geometry

/// The boxes kept so far, arranged so that a candidate is compared only with those near it.
///
/// Boxes of similar size form a layer (see ``SizeLayers``), and a layer's kept boxes are listed by
/// the cell that their center lies in. A candidate looks through the cells in which the center of a
/// box that overlaps it too much can lie (see ``Reach``). Pairs that are never compared do not
/// overlap too much, so the result is that of comparing all pairs, exactly.
///
/// The cells have no bounds: they are distinguished by a hash. If two of them fall together, a
/// candidate is compared with boxes that are far away, which changes nothing.
///
/// A class, because it owns memory that is written piece by piece; one call of a suppression uses
/// it.
final class KeptBoxes {
  /// A kept box with what each comparison needs beside it in memory.
  private struct Entry {
    var box: Box
    var area: Float
    var classID: Int32
    /// The box kept before this one in the same cell, or -1.
    var next: Int32 = -1
  }

  private let threshold: Double
  /// The share of the whole area above which an overlap is certainly too large.
  ///
  /// Below a second limit it certainly is not. In between, and at very low thresholds, the quotient
  /// decides.
  private let surelyAbove: Float
  private let surelyBelow: Float
  private let measure: OverlapMeasure
  private let reach: Reach
  private let layers: SizeLayers?

  /// The box kept last in each cell, or -1.
  private let heads: UnsafeMutablePointer<Int32>
  /// The number of cells less 1, all bits of which are ones.
  private let cellMask: UInt64
  /// The kept boxes that are in a cell: each layer's one after the other, in a part that has room
  /// for all of its candidates.
  private let entries: UnsafeMutablePointer<Entry>
  /// How many boxes were kept in each layer.
  private let keptCounts: UnsafeMutablePointer<Int>
  /// Whether there are candidates that belong in no cell.
  private let mayBeApart: Bool
  /// Kept boxes that are in no cell; every candidate is compared with them.
  private var apart: [Entry] = []

  /// Starts with nothing kept.
  ///
  /// - Parameters:
  ///   - candidates: every box that will be asked about, once at most.
  ///   - threshold: overlap greater than this is too much, 0...1.
  init(for candidates: [Box], threshold: Double, measure: OverlapMeasure) {
    self.threshold = threshold
    // The quotient and the products below are each off by a rounding error of 2^-24.
    let isPlain = threshold >= 1e-6
    surelyAbove = isPlain ? Float(threshold * (1 + 1e-6)) : .infinity
    surelyBelow = isPlain ? Float(threshold * (1 - 1e-6)) : 0
    self.measure = measure
    reach = Reach(threshold: threshold, measure: measure)
    layers = SizeLayers(for: candidates)
    var cells = layers == nil ? 1 : 64
    while layers != nil, cells < candidates.count { cells *= 2 }
    cellMask = UInt64(cells - 1)
    heads = .allocate(capacity: cells)
    heads.initialize(repeating: -1, count: cells)
    entries = .allocate(capacity: layers?.boxCount ?? 0)
    keptCounts = .allocate(capacity: layers?.count ?? 0)
    keptCounts.initialize(repeating: 0, count: layers?.count ?? 0)
    mayBeApart = candidates.count > layers?.boxCount ?? 0
  }

  deinit {
    heads.deallocate()
    entries.deallocate()
    keptCounts.deallocate()
  }

  /// Keeps a candidate unless it overlaps one of its class that is kept by more than the threshold.
  ///
  /// - Returns: whether it is kept.
  func keepUnlessCovered(_ box: Box, classID: Int32) -> Bool {
    // A box without area, or whose area underflows, overlaps no other box.
    let entry = Entry(box: box, area: box.area, classID: classID)
    if box.isEmpty || entry.area == 0 { return true }
    // A finite area over an infinite one is 0, and an infinite one is not a number.
    if entry.area == .infinity, measure == .intersectionOverUnion { return true }

    guard let layers, Reach.isKnown(for: box) else {
      let isCovered = (0..<(self.layers?.count ?? 0)).contains { layerCovers($0, entry) }
      if isCovered || apart.contains(where: { covers($0, entry) }) { return false }
      apart.append(entry)
      return true
    }
    let place = Place(box)
    let own = layers.layer(of: place)
    let home = cell(
      row: layers[own].row(place.y), column: layers[own].column(place.x),
      hash: hash(layer: own, classID: classID))
    // What covers a box most often lies in the same cell.
    if chainCovers(heads[home], entry)
      || isCovered(entry, at: place, own: own, home: home, in: layers)
      || mayBeApart && apart.contains(where: { covers($0, entry) })
    {
      return false
    }
    let index = layers[own].start + keptCounts[own]
    (entries + index).initialize(to: entry)
    entries[index].next = heads[home]
    heads[home] = Int32(truncatingIfNeeded: index)
    keptCounts[own] += 1
    return true
  }

  /// Whether a kept box in a cell other than `home` covers the candidate.
  private func isCovered(
    _ candidate: Entry, at place: Place, own: Int, home: Int, in layers: SizeLayers
  ) -> Bool {
    if isCovered(candidate, at: place, by: own, home: home, in: layers) { return true }
    let (across, down) = layers.classes(for: place, reach)
    if across.count == 1, down.count == 1 { return false }
    // From the largest boxes on: these have the fewest cells.
    for heightClass in down.reversed() {
      for widthClass in across.reversed() {
        let number = layers.layer(widthClass, heightClass)
        if number < 0 || number == own || keptCounts[number] == 0 { continue }
        if isCovered(candidate, at: place, by: number, home: home, in: layers) { return true }
      }
    }
    return false
  }

  /// Whether a kept box of one layer covers the candidate.
  @inline(__always)
  private func isCovered(
    _ candidate: Entry, at place: Place, by number: Int, home: Int, in layers: SizeLayers
  ) -> Bool {
    let layer = layers[number]
    guard let x = reach.distance(place.width, layer.widths),
      let y = reach.distance(place.height, layer.heights)
    else { return false }
    let (left, right) = (layer.column(place.x - x), layer.column(place.x + x))
    let (top, bottom) = (layer.row(place.y - y), layer.row(place.y + y))
    if looksAtAll(keptCounts[number], right - left + 1, bottom - top + 1) {
      return layerCovers(number, candidate)
    }
    let hash = hash(layer: number, classID: candidate.classID)
    for row in top...bottom {
      for column in left...right {
        let cell = cell(row: row, column: column, hash: hash)
        if cell != home, chainCovers(heads[cell], candidate) { return true }
      }
    }
    return false
  }

  /// Whether comparing all kept boxes of a layer, which are contiguous, costs less than visiting
  /// this number of cells.
  @inline(__always)
  private func looksAtAll(_ kept: Int, _ columns: Int, _ rows: Int) -> Bool {
    let cells = kept / 16 + 4
    return columns > cells || rows > cells || columns &* rows > cells
  }

  @inline(__always)
  private func hash(layer: Int, classID: Int32) -> UInt64 {
    (UInt64(layer) &<< 32 | UInt64(UInt32(bitPattern: classID))) &* 0xBF58_476D_1CE4_E5B9
  }

  /// The number of a cell; those of a row follow each other.
  @inline(__always)
  private func cell(row: Int, column: Int, hash: UInt64) -> Int {
    let mixed = (UInt64(row) &+ hash) &* 0x9E37_79B9_7F4A_7C15 &>> 32 &+ UInt64(column)
    return Int(truncatingIfNeeded: mixed & cellMask)
  }

  @inline(__always)
  private func chainCovers(_ head: Int32, _ candidate: Entry) -> Bool {
    var index = head
    while index >= 0 {
      let entry = entries[Int(index)]
      if covers(entry, candidate) { return true }
      index = entry.next
    }
    return false
  }

  /// Whether a kept box of a layer covers the candidate.
  private func layerCovers(_ number: Int, _ candidate: Entry) -> Bool {
    guard let layers else { return false }
    let start = entries + layers[number].start
    for index in 0..<keptCounts[number] where covers(start[index], candidate) { return true }
    return false
  }

  /// Whether a box is of the candidate's class and overlaps it by more than the threshold, in
  /// torchvision's float32 arithmetic; the comparison itself is in `Double`, as torchvision's is.
  @inline(__always)
  private func covers(_ kept: Entry, _ candidate: Entry) -> Bool {
    let (box, other) = (candidate.box, kept.box)
    let width = smaller(other.maxX, box.maxX) - larger(other.minX, box.minX)
    let height = smaller(other.maxY, box.maxY) - larger(other.minY, box.minY)
    if !(width > 0 && height > 0) || kept.classID != candidate.classID { return false }
    let shared = width * height
    let whole =
      measure == .intersectionOverUnion
      ? kept.area + candidate.area - shared : smaller(kept.area, candidate.area)
    // A multiplication takes a third of a division's time.
    if shared < whole * surelyBelow { return false }
    if shared > whole * surelyAbove { return true }
    return Double(shared / whole) > threshold
  }
}

/// The larger of two numbers; there is no NaN, whose rule makes `max` slower.
@inline(__always)
private func larger(_ first: Float, _ second: Float) -> Float { first > second ? first : second }

/// The smaller of two numbers.
@inline(__always)
private func smaller(_ first: Float, _ second: Float) -> Float { first < second ? first : second }
