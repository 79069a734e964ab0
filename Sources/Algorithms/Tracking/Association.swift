import Geometry
import LinearAssignment

/// Which sighting is which object.
struct Association {
  let configuration: TrackerConfiguration
  /// How far the picture has moved.
  let pan: Shift

  /// More candidates than these for one sighting don't help; the best are looked at.
  private static let candidates = 16
  /// Groups of more objects than these, all of them on top of each other, are assigned greedily.
  private static let exactLimit = 128

  /// For every sighting the index of the object that is followed there.
  func followed(_ objects: [TrackedObject], in seen: [SeenObject]) -> [Int?] {
    let expected = objects.map { inFrame($0.place.moved(by: pan).box) }
    let index = BoxIndex(expected)
    var pairs: [Assignment.Pair] = []
    for (row, one) in seen.enumerated() {
      var own: [Assignment.Pair] = []
      index.forEach(overlapping: one.landmark.placed.box) { column in
        let object = objects[column]
        // The outline of something cut off by the frame's edge changes with every step.
        let isWhole = one.landmark.placed.cut.isEmpty && object.place.cut.isEmpty
        let outline =
          isWhole ? object.outline?.mapCorners { $0.translated(dx: pan.dx, dy: pan.dy) } : nil
        let shared = overlap(expected[column], outline, one.landmark.placed.box, one.outline)
        guard shared >= configuration.minimumIoU else { return }
        let alike = similarity(object.appearance, one.landmark.appearance)
        if let alike, alike < configuration.minimumSimilarity { return }
        own.append(Assignment.Pair(row: row, column: column, cost: cost(shared, alike)))
      }
      pairs += best(own)
    }
    let least = configuration.minimumIoU
    return assign(
      pairs, rows: seen.count, columns: objects.count,
      worst: max(cost(least, nil), cost(least, configuration.minimumSimilarity)))
  }

  /// For every sighting the index of the known object that it is, by looks and by rough place.
  ///
  /// Where either has no known looks, the place alone has to be as right as for an object that is
  /// followed.
  func recognized(_ objects: [TrackedObject], in seen: [SeenObject]) -> [Int?] {
    let expected = objects.map { $0.place.moved(by: pan) }
    let index = BoxIndex(expected.map(\.box))
    var pairs: [Assignment.Pair] = []
    for (row, one) in seen.enumerated() {
      let placed = one.landmark.placed
      // The panorama is summed up from many small steps and may be off by the size of an object.
      let around = Box(
        minX: placed.box.minX - placed.box.width, minY: placed.box.minY - placed.box.height,
        maxX: placed.box.maxX + placed.box.width, maxY: placed.box.maxY + placed.box.height)
      var own: [Assignment.Pair] = []
      index.forEach(overlapping: around) { column in
        let shared = Double(inFrame(expected[column].box).iou(placed.box))
        let alike = similarity(objects[column].appearance, one.landmark.appearance)
        if let alike {
          guard alike >= configuration.recognitionSimilarity,
            placed.hasSize(of: expected[column], within: 1.6),
            isNear(expected[column], placed)
          else { return }
        } else if shared < configuration.minimumIoU {
          return
        }
        own.append(Assignment.Pair(row: row, column: column, cost: cost(shared, alike)))
      }
      pairs += best(own)
    }
    return assign(
      pairs, rows: seen.count, columns: objects.count,
      worst: max(
        cost(configuration.minimumIoU, nil), cost(0, configuration.recognitionSimilarity)))
  }

  /// Whether the places differ by less than the larger size, along the axes where that is known.
  private func isNear(_ first: PlacedBox, _ second: PlacedBox) -> Bool {
    let off = first.displacement(to: second)
    let width = Double(max(first.box.width, second.box.width))
    let height = Double(max(first.box.height, second.box.height))
    return abs(off.dx ?? 0) < width && abs(off.dy ?? 0) < height
  }

  /// What of a box the frame can show.
  private func inFrame(_ box: Box) -> Box {
    configuration.frame.flatMap { box.intersection($0) } ?? box
  }

  private func cost(_ overlap: Double, _ similarity: Double?) -> Double {
    let place = max(0, 1 - overlap)
    guard let similarity else { return place }
    let weight = configuration.appearanceWeight
    return (1 - weight) * place + weight * min(1, max(0, 1 - similarity))
  }

  private func best(_ pairs: [Assignment.Pair]) -> ArraySlice<Assignment.Pair> {
    if pairs.count <= Self.candidates { return pairs[...] }
    return pairs.sorted { ($0.cost, $0.column) < ($1.cost, $1.column) }.prefix(Self.candidates)
  }

  /// The assignment of least cost where a sighting without an object costs a little more than the
  /// worst pair allowed.
  ///
  /// Not the one with the most pairs: an object that was missed would take its neighbour's
  /// sighting, and that one the next, only to have one more.
  private func assign(
    _ pairs: [Assignment.Pair], rows: Int, columns: Int, worst: Double
  ) -> [Int?] {
    // Every sighting has a column of its own that stands for a new object.
    let own = Set(pairs.map(\.row)).sorted().map { row in
      Assignment.Pair(row: row, column: columns + row, cost: min(1, worst + 0.05))
    }
    let assignment = Assignment(
      rows: rows, columns: columns + rows, pairs: pairs + own, exactLimit: Self.exactLimit)
    return assignment.columnOfRow.map { $0.flatMap { $0 < columns ? $0 : nil } }
  }
}
