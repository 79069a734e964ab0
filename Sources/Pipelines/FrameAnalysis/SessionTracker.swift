import Geometry
import Tracking

/// A tracker that can forget everything without giving a number twice.
struct SessionTracker: Sendable {
  private let empty: ObjectTracker
  private var tracker: ObjectTracker
  /// The numbers given before the tracker was last emptied.
  private var earlierIDs = 0
  private var earlierDistinct = 0
  private var lastID = 0

  /// Starts with a tracker that has seen nothing.
  init(_ empty: ObjectTracker) {
    self.empty = empty
    tracker = empty
  }

  /// The number of different objects confirmed so far.
  var distinctCount: Int { earlierDistinct + tracker.distinctCount }

  /// See `ObjectTracker/panoramaOrigin`.
  var panoramaOrigin: Point { tracker.panoramaOrigin }

  /// The tracks of a frame, and the numbers that no other object of the session has.
  mutating func update(
    with sightings: [Sighting], at time: FrameTime
  ) -> [(id: Int, track: Track)] {
    tracker.update(with: sightings, at: time).map { track in
      let id = earlierIDs + track.id
      lastID = max(lastID, id)
      return (id, track)
    }
  }

  /// Forgets all objects; what is seen again is new.
  mutating func clear() {
    (earlierIDs, earlierDistinct) = (lastID, distinctCount)
    tracker = empty
  }
}
