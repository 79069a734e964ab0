import Geometry

extension SpineGeometry {
  /// The reading order of outlines, as indices.
  ///
  /// Rows are read from top to bottom, and each from left to right. The books of a stack in a row
  /// are read from top to bottom.
  ///
  /// The boxes around the outlines are cut into rows, each row into columns, and each column into
  /// rows again, until there is no cut (the recursive X-Y cut of Nagy and Seth, 1984). A row ends
  /// if the next outline shares less than ``SpineConfiguration/rowOverlap`` of the smaller height
  /// with it, so rows may overlap a little, as in photos taken at a slant. If there is no cut, left
  /// comes before right.
  ///
  /// Coordinates are pixels with the origin at the top left: y grows downward. Outlines with a
  /// coordinate that is infinite or NaN come last, in their order. The result does not depend on
  /// the order of the outlines, except for equal ones.
  ///
  /// - Complexity: O(n log n) for a shelf.
  public func readingOrder(of outlines: [Quadrilateral]) -> [Int] {
    let extents = outlines.map { $0.isFinite ? Extent(of: $0) : nil }
    return ReadingOrder(extents: extents, rowOverlap: configuration.rowOverlap).indices
  }

  /// The reading order of boxes, as indices, by the rules of
  /// ``readingOrder(of:)-([Quadrilateral])``.
  public func readingOrder(of boxes: [Box]) -> [Int] {
    let extents = boxes.map { box -> Extent? in
      let extent = Extent(
        left: Double(min(box.minX, box.maxX)), right: Double(max(box.minX, box.maxX)),
        top: Double(min(box.minY, box.maxY)), bottom: Double(max(box.minY, box.maxY)))
      return extent.isFinite ? extent : nil
    }
    return ReadingOrder(extents: extents, rowOverlap: configuration.rowOverlap).indices
  }
}

/// The recursive X-Y cut.
private struct ReadingOrder {
  private(set) var indices: [Int] = []
  private let extents: [Extent?]
  private let rowOverlap: Double

  /// The greatest depth of cuts: real pages need less, and each level costs stack.
  private static let maximumDepth = 24

  init(extents: [Extent?], rowOverlap: Double) {
    self.extents = extents
    self.rowOverlap = rowOverlap
    indices.reserveCapacity(extents.count)
    cut(extents.indices.filter { extents[$0] != nil }, intoRows: true, depth: 0)
    indices += extents.indices.filter { extents[$0] == nil }
  }

  /// Adds the members in their order; `isWhole` means that the other direction had no cut.
  private mutating func cut(_ members: [Int], intoRows: Bool, depth: Int, isWhole: Bool = false) {
    guard members.count > 1, depth < Self.maximumDepth else {
      indices += members.sorted(by: precedes)
      return
    }
    let bands = bands(of: members, areRows: intoRows)
    if bands.count == 1, isWhole {
      indices += members.sorted(by: precedes)
      return
    }
    for band in bands {
      cut(band, intoRows: !intoRows, depth: depth + 1, isWhole: bands.count == 1)
    }
  }

  /// Groups of members whose extents along one axis overlap, in order.
  private func bands(of members: [Int], areRows: Bool) -> [[Int]] {
    func range(_ index: Int) -> (low: Double, high: Double) {
      guard let extent = extents[index] else { return (0, 0) }
      return areRows ? (extent.top, extent.bottom) : (extent.left, extent.right)
    }
    // They are sorted by the middle, so that the members of one band follow each other even if a
    // tall one starts above the previous band.
    let sorted = members.sorted { first, second in
      let (a, b) = (range(first), range(second))
      let (middleA, middleB) = (a.low / 2 + a.high / 2, b.low / 2 + b.high / 2)
      return middleA == middleB ? precedes(first, second) : middleA < middleB
    }
    var bands: [[Int]] = []
    var low = 0.0
    var high = 0.0
    for index in sorted {
      let (start, end) = range(index)
      let shared = min(high, end) - max(low, start)
      let smaller = min(high - low, end - start)
      if !bands.isEmpty, shared > 0 ? shared >= rowOverlap * smaller : shared == 0 && smaller == 0 {
        bands[bands.count - 1].append(index)
        low = min(low, start)
        high = max(high, end)
      } else {
        bands.append([index])
        (low, high) = (start, end)
      }
    }
    return bands
  }

  /// Left before right, then top before bottom, then the given order.
  private func precedes(_ first: Int, _ second: Int) -> Bool {
    guard let a = extents[first], let b = extents[second] else { return first < second }
    let (middleA, middleB) = (a.left / 2 + a.right / 2, b.left / 2 + b.right / 2)
    if middleA != middleB { return middleA < middleB }
    return a.top != b.top ? a.top < b.top : first < second
  }
}
