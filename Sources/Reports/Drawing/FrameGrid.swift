/// Frames on a photo, found by their position.
///
/// The photo is divided into cells, and each cell knows the frames that touch it. A query reads
/// only the cells below it.
struct FrameGrid {
  private let cell: Double
  private let columns: Int
  private let rows: Int
  private var cells: [[Int32]]
  private var frames: [Frame] = []

  /// The greatest number of cells of a frame; larger frames cover too much of the photo and are not
  /// kept.
  private let mostCells: Int

  /// A grid without frames, with cells about `cell` wide and high.
  init(width: Double, height: Double, cell: Double, mostCells: Int = .max) {
    // At most 128 x 128 cells on a square.
    self.cell = max(cell, (width * height).squareRoot() / 128, max(width, height) / 1024, 1e-3)
    columns = max(Int((width / self.cell).rounded(.up)), 1)
    rows = max(Int((height / self.cell).rounded(.up)), 1)
    cells = [[Int32]](repeating: [], count: columns * rows)
    self.mostCells = mostCells
  }

  /// Adds a frame.
  ///
  /// - Complexity: O(the cells that it touches).
  mutating func add(_ frame: Frame) {
    let (across, down) = span(of: frame)
    guard across.count <= mostCells / down.count else { return }
    let index = Int32(frames.count)
    frames.append(frame)
    for row in down {
      for column in across { cells[row * columns + column].append(index) }
    }
  }

  /// Whether no frame covers any part of `frame`.
  func isFree(_ frame: Frame) -> Bool {
    let (across, down) = span(of: frame)
    for row in down {
      for column in across {
        for index in cells[row * columns + column]
        where frames[Int(index)].overlap(with: frame) > 1e-9 {
          return false
        }
      }
    }
    return true
  }

  /// The largest share of `frame` that one other frame covers, 0...1; `own` is excluded.
  ///
  /// - Parameter limit: a share above which the exact value does not matter.
  func largestShare(of frame: Frame, but own: Frame, limit: Double = .infinity) -> Double {
    let (across, down) = span(of: frame)
    let area = max(frame.width * frame.height, .leastNormalMagnitude)
    var most = 0.0
    var ownIndex: Int32?
    for row in down {
      for column in across {
        for index in cells[row * columns + column] {
          // If several frames are equal to `own`, only one is excluded.
          if frames[Int(index)] == own, index == ownIndex ?? index {
            ownIndex = index
            continue
          }
          most = max(most, frames[Int(index)].overlap(with: frame))
          if most > limit * area { return most / area }
        }
      }
    }
    return most / area
  }

  private func span(of frame: Frame) -> (ClosedRange<Int>, ClosedRange<Int>) {
    func place(_ value: Double, _ count: Int) -> Int {
      Int(min(max(value / cell, 0), Double(count - 1)))
    }
    let (left, right) = (place(frame.x, columns), place(frame.x + frame.width, columns))
    let (top, bottom) = (place(frame.y, rows), place(frame.y + frame.height, rows))
    return (left...max(left, right), top...max(top, bottom))
  }
}
