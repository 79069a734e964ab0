import Geometry

/// The boxes kept so far, arranged so that a candidate is compared only with those near it.
///
/// Kept boxes are listed by their center in the cells of a grid; a candidate looks through the
/// cells in which the center of a box that overlaps it too much can lie (see ``Reach``). Pairs that
/// are never compared do not overlap too much, so the result is that of comparing all pairs,
/// exactly.
struct KeptBoxes {
  /// A box with its area, beside each other in memory because each comparison needs all of it.
  private struct Entry {
    var box: Box
    var area: Float

    init(_ box: Box) {
      self.box = box
      area = box.area
    }
  }

  private let candidates: [Box]
  private let threshold: Double
  private let measure: OverlapMeasure
  private let reach: Reach

  private let grid: CellGrid?
  /// The cell of each candidate's center, or -1 for a candidate that is listed apart.
  private var cells: [Int32] = []
  /// Where each cell's part of `entries` begins: it has room for every candidate in the cell.
  private var starts: [Int32] = []
  /// How many boxes each cell's part of `entries` holds.
  private var fills: [Int32] = []
  private var entries: [Entry] = []

  /// Kept boxes that are in no cell: every candidate looks through them.
  private var apart: [Entry] = []
  /// All kept boxes, for candidates whose reach is not known, or covers most of the grid.
  private var all: [Entry] = []

  /// Starts with nothing kept.
  ///
  /// - Parameters:
  ///   - candidates: every box that will be asked about.
  ///   - threshold: overlap greater than this is too much, 0...1.
  init(for candidates: [Box], threshold: Double, measure: OverlapMeasure) {
    self.candidates = candidates
    self.threshold = threshold
    self.measure = measure
    reach = Reach(threshold: threshold, measure: measure)
    grid = CellGrid(for: candidates)
    guard let grid else { return }

    let widestInGrid = reach.widestListed(in: grid)
    fills = Array(repeating: 0, count: grid.cellCount)
    cells = candidates.map { box in
      guard Reach.isKnown(for: box), Double(box.width) <= widestInGrid.width,
        Double(box.height) <= widestInGrid.height
      else { return -1 }
      let center = box.center
      let cell = grid.cell(column: grid.column(center.x), row: grid.row(center.y))
      fills[cell] += 1
      return Int32(cell)
    }
    var total: Int32 = 0
    starts = fills.map { fill in
      defer { total += fill }
      return total
    }
    entries = Array(
      repeating: Entry(Box(minX: 0, minY: 0, maxX: 0, maxY: 0)), count: Int(total))
    for cell in fills.indices { fills[cell] = 0 }
  }

  /// Keeps a candidate unless it overlaps one that is kept by more than the threshold.
  ///
  /// - Parameter index: which candidate.
  /// - Returns: whether it is kept.
  mutating func keepUnlessCovered(_ index: Int) -> Bool {
    let box = candidates[index]
    // A box without area shares none with any other: nothing covers it, and it covers nothing.
    if box.isEmpty { return true }
    let entry = Entry(box)
    if isCovered(entry) { return false }
    all.append(entry)
    if grid == nil { return true }
    let cell = Int(cells[index])
    if cell < 0 {
      apart.append(entry)
    } else {
      entries[Int(starts[cell] + fills[cell])] = entry
      fills[cell] += 1
    }
    return true
  }

  private func isCovered(_ candidate: Entry) -> Bool {
    guard let grid, Reach.isKnown(for: candidate.box) else {
      return covers(all, 0..<all.count, candidate)
    }
    let center = candidate.box.center
    let reach = reach.around(candidate.box, in: grid)
    let columns = grid.column(center.x - reach.x)...grid.column(center.x + reach.x)
    let rows = grid.row(center.y - reach.y)...grid.row(center.y + reach.y)
    if columns.count * rows.count > all.count {
      return covers(all, 0..<all.count, candidate)
    }
    if covers(apart, 0..<apart.count, candidate) { return true }
    for row in rows {
      for column in columns {
        let cell = grid.cell(column: column, row: row)
        let start = Int(starts[cell])
        if covers(entries, start..<start + Int(fills[cell]), candidate) { return true }
      }
    }
    return false
  }

  /// Whether one of these boxes overlaps the candidate by more than the threshold, in
  /// torchvision's float32 arithmetic; the comparison itself is in `Double`, as torchvision's is.
  @inline(__always)
  private func covers(_ kept: [Entry], _ range: Range<Int>, _ candidate: Entry) -> Bool {
    let box = candidate.box
    for index in range {
      let other = kept[index].box
      let width = min(other.maxX, box.maxX) - max(other.minX, box.minX)
      let height = min(other.maxY, box.maxY) - max(other.minY, box.minY)
      if !(width > 0 && height > 0) { continue }
      let shared = width * height
      let whole =
        measure == .intersectionOverUnion
        ? kept[index].area + candidate.area - shared : min(kept[index].area, candidate.area)
      if Double(shared / whole) > threshold { return true }
    }
    return false
  }
}

/// How far from a box's center the center of another can be that overlaps it too much.
///
/// Let two boxes have an IoU greater than t, and let them share an interval of length i across. The
/// union is at least as large as either, so `i > t * max(w, w')`; as `i <= (w + w')/2 - d` for
/// centers d apart, `d < (w + w')/2 - t * max(w, w')`. Because also `t * w < w' < w / t`, the
/// greatest d is `(1 - t) * w`, or `(1/t - 1)/2 * w` where that is more. The same holds downward.
///
/// For a small t, and for intersection over the smaller box, only `d < (w + w')/2` is of use. Boxes
/// much larger than a cell are listed apart then, so that w' is bounded.
struct Reach {
  /// What to multiply a side by, or nil where only half the sum of the sides bounds the distance.
  private let factor: Double?

  /// Below this threshold the reach is no less than that of boxes that merely touch.
  private static let leastThreshold = 0.1
  /// Boxes of more cells than this along a side are listed apart where their size is the bound.
  private static let mostCells = 4.0
  /// Overlaps are computed in float32: an IoU greater than the threshold there is greater than this
  /// much of it in truth. (The rounding error is a few times 2^-24.)
  private static let margin = 1 - 1e-5

  init(threshold: Double, measure: OverlapMeasure) {
    guard measure == .intersectionOverUnion, threshold >= Self.leastThreshold else {
      factor = nil
      return
    }
    let threshold = threshold * Self.margin
    factor = max(1 - threshold, (1 / threshold - 1) / 2)
  }

  /// Whether the reach bounds what overlaps this box: its area must be finite, and far enough from
  /// underflow for the rounding error to be relative.
  static func isKnown(for box: Box) -> Bool {
    box.isFinite && box.area.isFinite && box.area > 0x1p-80
  }

  /// The largest sides that a box listed in the grid may have.
  func widestListed(in grid: CellGrid) -> (width: Double, height: Double) {
    if factor != nil { return (.infinity, .infinity) }
    return (grid.cellWidth * Self.mostCells, grid.cellHeight * Self.mostCells)
  }

  /// How far the center of a box that is listed in the grid and overlaps this one too much can be.
  func around(_ box: Box, in grid: CellGrid) -> (x: Double, y: Double) {
    let width = Double(box.maxX) - Double(box.minX)
    let height = Double(box.maxY) - Double(box.minY)
    if let factor { return (width * factor, height * factor) }
    let widest = widestListed(in: grid)
    // Twice the margin is more than enough: nothing but the centers is rounded here.
    return (
      (width + widest.width) / 2 * (2 - Self.margin),
      (height + widest.height) / 2 * (2 - Self.margin)
    )
  }
}
