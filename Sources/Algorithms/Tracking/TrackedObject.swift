import Geometry

/// An object that is followed or remembered.
struct TrackedObject: Sendable {
  let id: Int
  /// Its place in the panorama.
  private(set) var place = PlacedBox(Box(minX: 0, minY: 0, maxX: 0, maxY: 0), in: nil)
  /// Its outline in the panorama.
  private(set) var outline: Quadrilateral?
  private(set) var appearance: Appearance?
  private(set) var hits = 0
  var misses = 0
  var isConfirmed = false

  init(id: Int) {
    self.id = id
  }

  /// Updates the object with a sighting.
  mutating func see(_ seen: SeenObject, pan: Shift) {
    let new = seen.landmark.placed
    let expected = place.moved(by: pan)
    place = (hits == 0 ? new : new.completed(by: expected)).moved(by: -pan)
    outline = seen.outline?.mapCorners { $0.translated(dx: -pan.dx, dy: -pan.dy) }
    appearance = appearance?.blended(with: seen.landmark.appearance) ?? seen.landmark.appearance
    hits += 1
    misses = 0
  }

  /// Its appearance and its place in a frame.
  func landmark(pan: Shift) -> Landmark {
    Landmark(placed: place.moved(by: pan), appearance: appearance)
  }
}

/// A sighting that can be tracked.
struct SeenObject: Sendable {
  /// Its index among the frame's sightings.
  let sighting: Int
  let landmark: Landmark
  let outline: Quadrilateral?

  /// The sightings with a place, each object once.
  ///
  /// Of sightings that overlap by more than ``TrackerConfiguration/duplicateIoU``, it keeps the one
  /// with the highest confidence.
  static func all(
    in sightings: [Sighting], _ configuration: TrackerConfiguration
  ) -> [SeenObject] {
    let placed = sightings.indices.filter { index in
      let box = sightings[index].box
      let isNear = [box.minX, box.minY, box.maxX, box.maxY].allSatisfy { abs($0) <= 1e9 }
      return isNear && !box.isEmpty && box.area > 0
    }
    let seen = placed.map { index in
      let sighting = sightings[index]
      return SeenObject(
        sighting: index,
        landmark: Landmark(
          placed: PlacedBox(sighting.box, in: configuration.frame),
          appearance: Appearance(sighting.appearance)),
        outline: sighting.outline.flatMap { $0.isFinite ? $0 : nil })
    }
    return surest(of: seen, sightings.map(\.confidence), configuration)
  }

  /// The sightings that remain, in their order.
  private static func surest(
    of seen: [SeenObject], _ confidences: [Float], _ configuration: TrackerConfiguration
  ) -> [SeenObject] {
    let boxes = seen.map(\.landmark.placed.box)
    // A confidence that is NaN counts as the lowest.
    let sure = seen.map { confidences[$0.sighting].isNaN ? -.infinity : confidences[$0.sighting] }
    let order = seen.indices.sorted { sure[$0] == sure[$1] ? $0 < $1 : sure[$0] > sure[$1] }
    let index = BoxIndex(boxes)
    var isDropped = [Bool](repeating: false, count: seen.count)
    for best in order where !isDropped[best] {
      index.forEach(overlapping: boxes[best]) { other in
        guard other != best, !isDropped[other],
          overlap(boxes[best], seen[best].outline, boxes[other], seen[other].outline)
            > configuration.duplicateIoU
        else { return }
        // Two objects that pass each other may share a place for a moment, but differ in
        // appearance.
        let alike = similarity(seen[best].landmark.appearance, seen[other].landmark.appearance)
        isDropped[other] = alike.map { $0 >= configuration.minimumSimilarity } ?? true
      }
    }
    return seen.indices.filter { !isDropped[$0] }.map { seen[$0] }
  }
}

/// The overlap of two objects: by their outlines if both have one, else by their boxes.
///
/// Books that lean side by side have boxes that nearly coincide, and outlines that hardly touch.
func overlap(
  _ firstBox: Box, _ firstOutline: Quadrilateral?, _ secondBox: Box, _ secondOutline: Quadrilateral?
) -> Double {
  let boxes = Double(firstBox.iou(secondBox))
  guard boxes > 0, let firstOutline, let secondOutline else { return boxes }
  let shapes = firstOutline.iou(secondOutline)
  return shapes.isNaN ? boxes : shapes
}
