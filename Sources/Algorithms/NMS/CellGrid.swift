import Geometry

/// A uniform grid over boxes, of cells about half their size.
struct CellGrid {
  private let originX: Double
  private let originY: Double
  /// The width of a cell.
  let cellWidth: Double
  /// The height of a cell.
  let cellHeight: Double
  private let columns: Int
  private let rows: Int

  /// The number of cells.
  var cellCount: Int { columns * rows }

  /// Fewer boxes than this are as quickly compared without a grid.
  private static let leastBoxes = 48
  /// With more, their numbers would not fit in 32 bits.
  private static let mostBoxes = Int(Int32.max)

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
      // The mean of the roots: a few huge boxes hardly move it.
      widths += Double(box.width).squareRoot()
      heights += Double(box.height).squareRoot()
      usable += 1
    }
    guard usable > 0, widths.isFinite, heights.isFinite else { return nil }
    let typicalWidth = (widths / usable) * (widths / usable)
    let typicalHeight = (heights / usable) * (heights / usable)
    guard typicalWidth > 0, typicalHeight > 0, right > left, bottom > top else { return nil }

    var across = max((right - left) / typicalWidth * 2, 1)
    var down = max((bottom - top) / typicalHeight * 2, 1)
    // No more cells than boxes: empty cells cost more than they save.
    let excess = across * down / usable
    if excess > 1 {
      across = min(max(across / excess.squareRoot(), 1), usable)
      down = max(min(down, usable / across), 1)
    }
    originX = left
    originY = top
    columns = Int(across)
    rows = Int(down)
    cellWidth = (right - left) / Double(columns)
    cellHeight = (bottom - top) / Double(rows)
  }

  /// The number of the cell in a column and a row.
  func cell(column: Int, row: Int) -> Int { row * columns + column }

  /// The column of a place; one outside the grid belongs to the outermost.
  ///
  /// Greater places never have smaller columns, however the division rounds: that is all that
  /// suppression relies on.
  func column(_ x: Double) -> Int { Self.index((x - originX) / cellWidth, count: columns) }

  /// The row of a place; one outside the grid belongs to the outermost.
  func row(_ y: Double) -> Int { Self.index((y - originY) / cellHeight, count: rows) }

  @inline(__always)
  private static func index(_ position: Double, count: Int) -> Int {
    Int(min(max(position, 0), Double(count - 1)))
  }
}
