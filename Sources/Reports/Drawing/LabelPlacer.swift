import Geometry

/// Finds places for labels on a photo so that no label covers another.
///
/// It is greedy, in the order of the queries. The method is the point-feature labelling of
/// Christensen, Marks and Shieber ("An empirical study of algorithms for point-feature label
/// placement", 1995) with their candidates around the object. If all candidates are taken, it
/// searches in growing rings. Equal queries have equal results.
struct LabelPlacer {
  /// The place of a label, and whether it needs a line to its mark.
  struct Place: Hashable {
    let frame: Frame
    let isApart: Bool
  }

  private let width: Double
  private let height: Double
  /// Labels and other parts that must not be covered.
  private var taken: FrameGrid
  /// The marks, which labels should not cover.
  private let marks: FrameGrid
  /// The number of rings around a part of the photo that are known to be full.
  private var fullRings: [Int: Int] = [:]
  /// The last label that did not fit anywhere.
  private var lost: (width: Double, height: Double)?

  /// A label that covers more than this share of another mark would seem to belong to that mark.
  private static let tolerableShare = 0.3

  /// - Parameters:
  ///   - marks: the parts of the photo that marks take.
  ///   - labelHeight: the usual height of a label.
  init(width: Double, height: Double, marks: [Frame], labelHeight: Double) {
    self.width = width
    self.height = height
    taken = FrameGrid(width: width, height: height, cell: 2 * labelHeight)
    var grid = FrameGrid(
      width: width, height: height, cell: 2 * labelHeight, mostCells: 400)
    for frame in marks { grid.add(frame) }
    self.marks = grid
  }

  /// Whether the frame is on the photo and covers no part that must not be covered.
  func isFree(_ frame: Frame) -> Bool {
    frame.x >= 0 && frame.y >= 0 && frame.x + frame.width <= width + 1e-9
      && frame.y + frame.height <= height + 1e-9 && taken.isFree(frame)
  }

  /// Keeps a part of the photo free of labels from now on.
  mutating func take(_ frame: Frame) { taken.add(frame) }

  /// A place that touches `mark` from outside and hides little of other marks; nil if there is
  /// none.
  ///
  /// - Parameter isPolite: whether labels that seem to belong to other marks are excluded.
  func beside(_ mark: Frame, width: Double, height: Double, isPolite: Bool) -> Frame? {
    let (left, right) = (mark.x, mark.x + mark.width - width)
    let (top, bottom) = (mark.y, mark.y + mark.height - height)
    let (middle, center) = ((left + right) / 2, (top + bottom) / 2)
    let (above, below) = (mark.y - height, mark.y + mark.height)
    let (before, after) = (mark.x - width, mark.x + mark.width)
    // A label beyond the edge of the photo is moved along its side of the mark until it is inside.
    func along(_ value: Double, _ length: Double, _ room: Double) -> Double {
      min(max(value, 0), max(room - length, 0))
    }
    let level = [left, middle, right].map { along($0, width, self.width) }
    let plumb = [top, center, bottom].map { along($0, height, self.height) }
    var candidates = [above, below].flatMap { y in level.map { ($0, y) } }
    candidates += [after, before].flatMap { x in plumb.map { (x, $0) } }
    var best: (share: Double, frame: Frame)?
    for (x, y) in candidates {
      let frame = Frame(x: x, y: y, width: width, height: height)
      guard isFree(frame) else { continue }
      let share = marks.largestShare(
        of: frame, but: mark, limit: min(isPolite ? Self.tolerableShare : 1, best?.share ?? 1))
      if isPolite, share > Self.tolerableShare { continue }
      if share < (best?.share ?? .infinity) { best = (share, frame) }
      if share == 0 { break }
    }
    return best?.frame
  }

  /// The nearest free place around `mark` that hides little of other marks; nil if there is none
  /// nearby.
  ///
  /// - Parameters:
  ///   - share: the share of the label that another mark may take.
  ///   - rings: the greatest distance of the label, in halves of its size.
  func politelyApart(
    from mark: Frame, width: Double, height: Double, share: Double = 0.05, rings: Int = 10
  ) -> Frame? {
    for ring in 1...max(rings, 1) {
      let free = nearest(in: ring, around: mark, width: width, height: height) {
        isFree($0) && $0.overlap(with: mark) == 0
          && marks.largestShare(of: $0, but: mark, limit: share) <= share
      }
      if let free { return free }
    }
    return nil
  }

  /// The place around the middle of `mark`, if it hides no other mark; otherwise nil.
  func over(_ mark: Frame, width: Double, height: Double) -> Frame? {
    let frame = Frame(
      x: mark.x + (mark.width - width) / 2, y: mark.y + (mark.height - height) / 2, width: width,
      height: height)
    return isFree(frame) && marks.largestShare(of: frame, but: mark, limit: 0) == 0 ? frame : nil
  }

  /// The nearest free place around `mark` at any distance; nil if the photo is full.
  mutating func apart(from mark: Frame, width: Double, height: Double) -> Frame? {
    // If a label had no place, a larger one does not have one either.
    if let lost, width >= lost.width, height >= lost.height { return nil }
    let side = 32.0
    let block =
      Int(mark.x / max(self.width, 1) * side) + 64 * Int(mark.y / max(self.height, 1) * side)
    // Rings that were full for earlier labels are skipped first, and tried if nothing else is left.
    let start = fullRings[block, default: 0]
    let last = lastRing(around: mark, width: width, height: height)
    for ring in Array(min(start, last)...last) + Array(0..<min(start, last)) {
      if let free = nearest(
        in: ring, around: mark, width: width, height: height, where: { isFree($0) })
      {
        if ring >= start { fullRings[block] = max(ring - 1, 0) }
        return free
      }
    }
    lost = (width, height)
    return nil
  }

  // MARK: Rings

  /// Steps of half a label in both directions, from the place in the middle of the mark.
  private func lastRing(around mark: Frame, width: Double, height: Double) -> Int {
    Int(max(self.width / width, self.height / height) * 2) + 2
  }

  /// The nearest of a ring's places for which `isGood`; upper and left ones come first.
  private func nearest(
    in ring: Int, around mark: Frame, width: Double, height: Double,
    where isGood: (Frame) -> Bool
  ) -> Frame? {
    let step = (x: width / 2, y: height / 2)
    let origin = (
      x: mark.x + (mark.width - width) / 2, y: mark.y + (mark.height - height) / 2
    )
    // The columns and rows of the lattice that are on the photo.
    func range(_ origin: Double, _ step: Double, _ room: Double) -> ClosedRange<Int>? {
      let low = Int((-origin / step).rounded(.up))
      let high = Int(((room - origin) / step).rounded(.down))
      let (from, to) = (max(low, -ring), min(high, ring))
      return from <= to ? from...to : nil
    }
    guard let columns = range(origin.x, step.x, self.width - width),
      let rows = range(origin.y, step.y, self.height - height)
    else { return nil }
    var best: (distance: Double, frame: Frame)?
    func look(_ column: Int, _ row: Int) {
      let (dx, dy) = (Double(column) * step.x, Double(row) * step.y)
      let distance = dx * dx + dy * dy
      guard distance < best?.distance ?? .infinity else { return }
      let frame = Frame(
        x: max(origin.x + dx, 0), y: max(origin.y + dy, 0), width: width, height: height)
      if isGood(frame) { best = (distance, frame) }
    }
    for row in [-ring, ring] where rows.contains(row) {
      for column in columns { look(column, row) }
    }
    for column in [-ring, ring] where columns.contains(column) {
      for row in rows where abs(row) < ring { look(column, row) }
    }
    return best?.frame
  }
}
