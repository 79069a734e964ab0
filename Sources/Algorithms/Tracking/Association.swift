import Geometry
import LinearAssignment

/// The assignment of sightings to objects.
struct Association {
  let configuration: TrackerConfiguration
  /// The motion of the picture so far.
  let pan: Shift

  /// The greatest number of candidates per sighting; the best are kept, and more do not help.
  private static let candidates = 16
  /// Larger groups of overlapping objects are assigned greedily.
  private static let exactLimit = 128

  /// The index of the followed object for every sighting.
  func followed(_ objects: [TrackedObject], in seen: [SeenObject]) -> [Int?] {
    let expected = objects.map { inFrame($0.place.moved(by: pan).box) }
    let index = BoxIndex(expected)
    var pairs: [Assignment.Pair] = []
    for (row, one) in seen.enumerated() {
      var own: [Assignment.Pair] = []
      index.forEach(overlapping: one.landmark.placed.box) { column in
        let object = objects[column]
        // The outline of an object that the frame's edge cuts off changes with every step.
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

  /// The index of the known object for every sighting, by appearance and by rough place.
  ///
  /// If either appearance is unknown, the place alone must fit as well as for a followed object.
  func recognized(_ objects: [TrackedObject], in seen: [SeenObject]) -> [Int?] {
    let expected = objects.map { $0.place.moved(by: pan) }
    let index = BoxIndex(expected.map(\.box))
    var pairs: [Assignment.Pair] = []
    for (row, one) in seen.enumerated() {
      let placed = one.landmark.placed
      // The panorama is the sum of many small steps and may be off by the size of an object.
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

  /// Whether the places differ by less than the larger size, along the axes for which that is
  /// known.
  private func isNear(_ first: PlacedBox, _ second: PlacedBox) -> Bool {
    let off = first.displacement(to: second)
    let width = Double(max(first.box.width, second.box.width))
    let height = Double(max(first.box.height, second.box.height))
    return abs(off.dx ?? 0) < width && abs(off.dy ?? 0) < height
  }

  /// The part of a box that the frame can show.
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

  /// The assignment of least cost; a sighting without an object costs a little more than the worst
  /// allowed pair.
  ///
  /// It is not the assignment with the most pairs: a missed object would take its neighbour's
  /// sighting, and that neighbour the next, only to have one more pair.
  private func assign(
    _ pairs: [Assignment.Pair], rows: Int, columns: Int, worst: Double
  ) -> [Int?] {
    // Every sighting has its own column for a new object.
    let own = Set(pairs.map(\.row)).sorted().map { row in
      Assignment.Pair(row: row, column: columns + row, cost: min(1, worst + 0.05))
    }
    let assignment = Assignment(
      rows: rows, columns: columns + rows, pairs: pairs + own, exactLimit: Self.exactLimit)
    return assignment.columnOfRow.map { $0.flatMap { $0 < columns ? $0 : nil } }
  }
}
