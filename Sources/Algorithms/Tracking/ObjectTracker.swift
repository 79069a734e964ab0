import Geometry
import LinearAssignment

/// Tracks objects from frame to frame, and counts the distinct ones over a pan.
///
/// ```swift
/// var tracker = ObjectTracker()
/// for frame in frames {
///   for track in tracker.update(with: frame.sightings, at: frame.time) where track.isConfirmed {
///     draw(frame.sightings[track.sighting].box, named: "\(track.id)")
///   }
/// }
/// tracker.distinctCount  // how many different objects passed by
/// ```
///
/// For every frame, the motion of the whole picture is estimated first, because a panning camera
/// moves everything at once, with nearly constant velocity. The motions are summed up to a panorama
/// in which objects on shelves do not move. Sightings are then assigned to objects at the least
/// total cost. The cost depends on the overlap with the expected place, and on the cosine of
/// appearances if both have one. An object that was lost, or left the frame, is remembered with its
/// place in the panorama and its appearance. It gets its old id when the camera comes back to it.
///
/// Objects that move by themselves are followed while they overlap their last place; two that pass
/// each other may exchange ids, unless their appearances differ.
///
/// The same sightings at the same times give the same tracks on every run.
///
/// ### Edge cases
/// Sightings have no track if their box is empty or has a coordinate that is not finite or beyond
/// 10^9. If two sightings are of one object, the one with less confidence has no track. An
/// appearance without a direction counts as none. A time that repeats or goes backward counts as
/// the usual time between frames.
///
/// Complexity of an update: O(*n* log *n*) for *n* sightings and objects side by side on a shelf,
/// O(*n*²) in the worst case. In addition, the estimate of the motion compares up to 400,000 pairs.
/// Memory: the objects in view and ``TrackerConfiguration/maximumRemembered`` lost ones.
///
/// Sources: Bewley et al., "Simple online and realtime tracking", 2016 (assignment by overlap,
/// confirmation, survival), and Wojke et al., "Simple online and realtime tracking with a deep
/// association metric", 2017 (appearance).
public struct ObjectTracker: Sendable {
  /// The thresholds.
  public let configuration: TrackerConfiguration

  /// The number of distinct objects confirmed so far.
  public private(set) var distinctCount = 0

  /// The frame's origin in the panorama: the negated sum of the picture's motion.
  public var panoramaOrigin: Point { Point(x: -pan.dx, y: -pan.dy) }

  /// The motion of the picture since the first frame.
  private var pan = Shift.none
  /// The picture's motion per second.
  private var velocity = Shift.none
  private var lastTime: FrameTime?
  private var lastInterval: Double?
  private var nextID = 1
  /// Objects in view, or missed for a few frames.
  private var live: [TrackedObject] = []
  /// Confirmed objects out of view, in the order in which they were lost.
  private var remembered: [TrackedObject] = []

  /// Makes a tracker with the default thresholds.
  public init() {
    configuration = TrackerConfiguration()
  }

  /// Makes a tracker with the default thresholds and a known frame.
  ///
  /// A frame that is empty or not finite counts as unknown.
  public init(frame: Box) {
    var configuration = TrackerConfiguration()
    if frame.isFinite, !frame.isEmpty { configuration.frame = frame }
    self.configuration = configuration
  }

  /// Makes a tracker with thresholds; the error names one that is out of range.
  public init(configuration: TrackerConfiguration) throws(TrackerConfigurationError) {
    self.configuration = try configuration.validated()
  }

  /// Processes the sightings of the next frame.
  ///
  /// - Returns: the tracks of the objects in the frame, in the order of their sightings.
  public mutating func update(with sightings: [Sighting], at time: FrameTime) -> [Track] {
    let seen = SeenObject.all(in: sightings, configuration)
    let interval = interval(to: time)
    movePanorama(to: seen, after: interval)

    var objectOfSeen = match(seen)
    retireUnseen()
    recognize(seen, &objectOfSeen)

    var tracks: [Track] = []
    for (place, one) in seen.enumerated() {
      var object = objectOfSeen[place] ?? newObject()
      object.see(one, pan: pan)
      if !object.isConfirmed, object.hits >= configuration.confirmingHits {
        object.isConfirmed = true
        distinctCount += 1
      }
      live.append(object)
      tracks.append(
        Track(
          id: object.id, sighting: one.sighting, hits: object.hits,
          isConfirmed: object.isConfirmed))
    }
    return tracks
  }

  private mutating func newObject() -> TrackedObject {
    defer { nextID += 1 }
    return TrackedObject(id: nextID)
  }
}

extension ObjectTracker {
  /// The seconds since the previous frame; nil for the first frame.
  private mutating func interval(to time: FrameTime) -> Double? {
    defer { lastTime = max(time, lastTime ?? time) }
    guard let lastTime else { return nil }
    guard time > lastTime else { return lastInterval }
    let interval = (time - lastTime).seconds
    lastInterval = interval
    return interval
  }

  /// Estimates the motion since the previous frame and adds it to the panorama.
  private mutating func movePanorama(to seen: [SeenObject], after interval: Double?) {
    // After a pause of more than a second, the direction of the camera is unknown.
    let expected = interval.map { $0 > 1 ? .none : velocity * $0 } ?? .none
    // If nothing is in view, the last objects may come back.
    let known = live.isEmpty ? Array(remembered.suffix(64)) : live
    let motion = CameraMotion(
      of: known.map { $0.landmark(pan: pan) }, to: seen.map(\.landmark), expected: expected,
      frame: configuration.frame)
    pan = pan + motion.shift
    guard let interval else { return }
    velocity = motion.isSeen ? motion.shift * (1 / interval) : velocity * 0.5
  }

  /// The object of every sighting, by place and appearance; each is removed from those in view.
  private mutating func match(_ seen: [SeenObject]) -> [TrackedObject?] {
    let association = Association(configuration: configuration, pan: pan)
    let columns = association.followed(live, in: seen)
    var taken = [Bool](repeating: false, count: live.count)
    let result = columns.map { column -> TrackedObject? in
      guard let column else { return nil }
      taken[column] = true
      return live[column]
    }
    live = live.indices.filter { !taken[$0] }.map { live[$0] }
    return result
  }

  /// Counts the frame as missed for objects in view without a sighting.
  ///
  /// Objects that are lost or out of the frame are taken out of view.
  private mutating func retireUnseen() {
    var missed: [TrackedObject] = []
    for var object in live where object.isConfirmed {
      object.misses += 1
      let isOutside =
        configuration.frame.map { frame in
          let box = object.place.moved(by: pan).box
          return (box.intersection(frame)?.area ?? 0) < box.area / 4
        } ?? false
      if isOutside || object.misses > configuration.maximumMisses {
        remembered.append(object)
      } else {
        missed.append(object)
      }
    }
    live = missed
    if remembered.count > configuration.maximumRemembered {
      remembered.removeFirst(remembered.count - configuration.maximumRemembered)
    }
  }

  /// Assigns known objects to sightings of new or unconfirmed objects.
  private mutating func recognize(_ seen: [SeenObject], _ objects: inout [TrackedObject?]) {
    let open = seen.indices.filter { objects[$0]?.isConfirmed != true }
    let known = remembered + live
    if open.isEmpty || known.isEmpty { return }
    let association = Association(configuration: configuration, pan: pan)
    let columns = association.recognized(known, in: open.map { seen[$0] })
    var taken = [Bool](repeating: false, count: known.count)
    for (place, column) in zip(open, columns) {
      guard let column else { continue }
      taken[column] = true
      objects[place] = known[column]
    }
    live = live.indices.filter { !taken[remembered.count + $0] }.map { live[$0] }
    remembered = remembered.indices.filter { !taken[$0] }.map { remembered[$0] }
  }
}
