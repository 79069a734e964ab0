import Geometry

/// The boxes kept so far, arranged so that a candidate is compared only with those near it.
///
/// A uniform grid over the boxes: a kept box is listed in every cell it touches, a candidate looks
/// through the cells that it touches. Boxes that share a point share that point's cell, because the
/// way from a coordinate to its cell never decreases; pairs that are never compared share no area.
/// The result is therefore that of comparing all pairs, exactly.
///
/// Boxes that touch many cells are kept in a list of their own, which every candidate looks
/// through.
struct KeptBoxes {
  private let threshold: Double
  private let measure: OverlapMeasure

  // One array for each coordinate, so that a comparison loads no more than it needs.
  private var minX: [Float] = []
  private var minY: [Float] = []
  private var maxX: [Float] = []
  private var maxY: [Float] = []
  private var area: [Float] = []

  private let grid: CellGrid?
  /// For every cell the entry listed last, or -1.
  private var heads: [Int32] = []
  /// For every entry the box it lists, and the entry before it in its cell, or -1.
  private var entries: [(kept: Int32, next: Int32)] = []
  /// Boxes that are in no cell.
  private var everywhere: [Int] = []

  /// Boxes that touch more cells than this are listed apart.
  static let cellsPerBox = 16

  /// Starts with nothing kept.
  ///
  /// - Parameters:
  ///   - candidates: every box that will be asked about or kept.
  ///   - threshold: overlap greater than this is too much, 0...1.
  init(for candidates: [Box], threshold: Double, measure: OverlapMeasure) {
    self.threshold = threshold
    self.measure = measure
    grid = CellGrid(for: candidates)
    heads = Array(repeating: -1, count: grid?.cellCount ?? 0)
  }

  /// Keeps the box unless it overlaps one that is kept by more than the threshold.
  ///
  /// - Returns: whether it is kept.
  mutating func keepUnlessCovered(_ box: Box) -> Bool {
    // A box without area shares none with any other: nothing covers it, and it covers nothing.
    if box.isEmpty { return true }
    if isCovered(box) { return false }
    let kept = minX.count
    minX.append(box.minX)
    minY.append(box.minY)
    maxX.append(box.maxX)
    maxY.append(box.maxY)
    area.append(box.area)
    if let cells = grid?.cells(of: box), cells.count <= Self.cellsPerBox {
      for row in cells.rows {
        for column in cells.columns {
          let cell = cells.cell(column, row)
          entries.append((Int32(kept), heads[cell]))
          heads[cell] = Int32(entries.count - 1)
        }
      }
    } else {
      everywhere.append(kept)
    }
    return true
  }

  private func isCovered(_ box: Box) -> Bool {
    let boxArea = box.area
    for kept in everywhere where overlaps(kept, box, boxArea) { return true }
    guard let cells = grid?.cells(of: box) else { return false }
    if cells.count > minX.count {
      // More cells to look into than boxes to compare with.
      for kept in minX.indices where overlaps(kept, box, boxArea) { return true }
      return false
    }
    for row in cells.rows {
      for column in cells.columns {
        var entry = heads[cells.cell(column, row)]
        while entry >= 0 {
          let (kept, next) = entries[Int(entry)]
          if overlaps(Int(kept), box, boxArea) { return true }
          entry = next
        }
      }
    }
    return false
  }

  /// Whether the overlap is greater than the threshold, in torchvision's float32 arithmetic; the
  /// comparison itself is in `Double`, as torchvision's is.
  @inline(__always)
  private func overlaps(_ kept: Int, _ box: Box, _ boxArea: Float) -> Bool {
    let width = min(maxX[kept], box.maxX) - max(minX[kept], box.minX)
    let height = min(maxY[kept], box.maxY) - max(minY[kept], box.minY)
    if !(width > 0 && height > 0) { return false }
    let shared = width * height
    let whole: Float
    switch measure {
    case .intersectionOverUnion: whole = area[kept] + boxArea - shared
    case .intersectionOverSmaller: whole = min(area[kept], boxArea)
    }
    return Double(shared / whole) > threshold
  }
}

/// A uniform grid of cells about the size of the boxes.
struct CellGrid {
  private let originX: Double
  private let originY: Double
  private let cellsPerUnitX: Double
  private let cellsPerUnitY: Double
  let columns: Int
  let rows: Int

  var cellCount: Int { columns * rows }

  /// Fewer boxes than this are as quickly compared without a grid.
  private static let leastBoxes = 48
  /// With more, the numbers of the entries would not fit in 32 bits.
  private static let mostBoxes = Int(Int32.max) / KeptBoxes.cellsPerBox
  /// Cells along a side at most: what more of them cost in memory they don't save in comparisons.
  private static let mostCells = 256

  /// Lays a grid over boxes, or nil where comparing all pairs is as good.
  init?(for boxes: [Box]) {
    guard boxes.count >= Self.leastBoxes, boxes.count <= Self.mostBoxes else { return nil }
    var (left, top) = (Double.infinity, Double.infinity)
    var (right, bottom) = (-Double.infinity, -Double.infinity)
    var (widths, heights, usable) = (0.0, 0.0, 0.0)
    for box in boxes where box.isFinite && !box.isEmpty {
      left = min(left, Double(box.minX))
      top = min(top, Double(box.minY))
      right = max(right, Double(box.maxX))
      bottom = max(bottom, Double(box.maxY))
      // Means of logarithms would resist outliers; means of roots nearly do, and cost less.
      widths += Double(box.width).squareRoot()
      heights += Double(box.height).squareRoot()
      usable += 1
    }
    guard usable > 0 else { return nil }
    let cellWidth = (widths / usable) * (widths / usable)
    let cellHeight = (heights / usable) * (heights / usable)
    guard cellWidth > 0, cellHeight > 0, right > left, bottom > top else { return nil }
    originX = left
    originY = top
    columns = Int(min(max((right - left) / cellWidth, 1), Double(Self.mostCells)))
    rows = Int(min(max((bottom - top) / cellHeight, 1), Double(Self.mostCells)))
    cellsPerUnitX = Double(columns) / (right - left)
    cellsPerUnitY = Double(rows) / (bottom - top)
  }

  /// The cells a box touches.
  struct Cells {
    let columns: ClosedRange<Int>
    let rows: ClosedRange<Int>
    let rowLength: Int

    var count: Int { columns.count * rows.count }

    func cell(_ column: Int, _ row: Int) -> Int { row * rowLength + column }
  }

  /// The cells a box touches, which must not be empty.
  func cells(of box: Box) -> Cells {
    Cells(
      columns: column(box.minX)...column(box.maxX), rows: row(box.minY)...row(box.maxY),
      rowLength: columns)
  }

  private func column(_ x: Float) -> Int {
    index((Double(x) - originX) * cellsPerUnitX, count: columns)
  }

  private func row(_ y: Float) -> Int {
    index((Double(y) - originY) * cellsPerUnitY, count: rows)
  }

  /// Coordinates outside the grid, infinite ones too, belong to its outermost cells.
  @inline(__always)
  private func index(_ position: Double, count: Int) -> Int {
    Int(min(max(position, 0), Double(count - 1)))
  }
}
