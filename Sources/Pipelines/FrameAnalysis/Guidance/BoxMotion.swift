import Geometry

/// The motion of boxes within the last results.
///
/// Boxes are matched by their ids from tracking. A box's shift is the distance between its
/// outermost middles in the results, as a share of the frame's side, along the axis where it is
/// larger. The shift of all is the median over the boxes seen at least twice, because a moving
/// camera moves them all, and a single wrong box should not count.
struct BoxMotion: Sendable {
  /// What a box is known by.
  enum Key: Hashable, Sendable {
    case object(Int)
    case text(Int)
  }

  private var results: [[Key: Point]] = []
  private let length: Int

  init(length: Int) {
    self.length = length
  }

  /// Takes the middles of a result's boxes.
  mutating func add(_ middles: [Key: Point]) {
    results.append(middles)
    if results.count > length { results.removeFirst() }
  }

  /// Forgets all results.
  mutating func reset() {
    results = []
  }

  /// The shift, or nil if no box was seen twice.
  var shift: Double? {
    var extents: [Key: (left: Double, right: Double, bottom: Double, top: Double, count: Int)] = [:]
    for (key, middle) in results.joined() {
      guard let old = extents[key] else {
        extents[key] = (middle.x, middle.x, middle.y, middle.y, 1)
        continue
      }
      extents[key] = (
        min(old.left, middle.x), max(old.right, middle.x), min(old.bottom, middle.y),
        max(old.top, middle.y), old.count + 1
      )
    }
    let shifts = extents.values.filter { $0.count > 1 }
      .map { max($0.right - $0.left, $0.top - $0.bottom) }.sorted()
    if shifts.isEmpty { return nil }
    let middle = shifts.count / 2
    return shifts.count.isMultiple(of: 2)
      ? (shifts[middle - 1] + shifts[middle]) / 2 : shifts[middle]
  }
}
