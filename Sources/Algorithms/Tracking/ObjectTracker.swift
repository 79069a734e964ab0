import Geometry
import LinearAssignment

/// Keeps the ids of objects from frame to frame, and counts the different ones over a pan.
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
/// For every frame the motion of the picture as a whole is found first (a camera that pans moves
/// everything at once, with nearly constant velocity), and summed up to a panorama in which shelved
/// objects stand still. Sightings are then assigned to objects at the least total cost, of overlap
/// with the expected place and of the cosine of appearances where both have one. An object that was
/// lost, or left the frame, is remembered with its place in the panorama and its looks, and has its
/// old id when the camera comes back to it.
///
/// Objects that move by themselves are followed while they overlap their last place; two that pass
/// each other may exchange ids, unless their appearances differ.
///
/// The same sightings at the same times give the same tracks on every run.
///
/// ### Edge cases
/// Sightings whose box is empty or has a coordinate that is not finite or beyond 10^9 have no
/// track, nor has the less sure one of two that are one object seen twice. An appearance without a
/// direction counts as none. A time that repeats or goes backward counts as the usual time between
/// frames.
///
/// Complexity of an update: O(*n* log *n*) for *n* sightings and objects side by side on a shelf,
/// O(*n*²) at worst, beside the estimate of the motion, which compares up to 400,000 pairs. Memory:
/// the objects in view and ``TrackerConfiguration/maximumRemembered`` lost ones.
///
/// After Bewley et al., "Simple online and realtime tracking", 2016 (assignment by overlap,
/// confirmation, survival), and Wojke et al., "Simple online and realtime tracking with a deep
/// association metric", 2017 (appearance).
public struct ObjectTracker: Sendable {
  /// The thresholds.
  public let configuration: TrackerConfiguration

  /// How many different objects were confirmed so far.
  public private(set) var distinctCount = 0

  /// Where the frame's origin is in the panorama: minus the sum of the picture's motion.
  public var panoramaOrigin: Point { Point(x: -pan.dx, y: -pan.dy) }

  /// How far the picture has moved since the first frame.
  private var pan = Shift.none
  /// The picture's motion in a second.
  private var velocity = Shift.none
  private var lastTime: FrameTime?
  private var lastInterval: Double?
  private var nextID = 1
  /// Objects in view, or missed for a few frames.
  private var live: [TrackedObject] = []
  /// Confirmed objects out of view, the one lost longest first.
  private var remembered: [TrackedObject] = []

  /// Starts with the default thresholds.
  public init() {
    configuration = TrackerConfiguration()
  }

  /// Starts with the default thresholds and a known frame; one that is empty or not finite counts
  /// as unknown.
  public init(frame: Box) {
    var configuration = TrackerConfiguration()
    if frame.isFinite, !frame.isEmpty { configuration.frame = frame }
    self.configuration = configuration
  }

  /// Starts with thresholds; an error names one that is out of range.
  public init(configuration: TrackerConfiguration) throws(TrackerConfigurationError) {
    self.configuration = try configuration.validated()
  }

  /// Takes the sightings of the next frame.
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
  /// Seconds since the frame before; nil for the first frame.
  private mutating func interval(to time: FrameTime) -> Double? {
    defer { lastTime = max(time, lastTime ?? time) }
    guard let lastTime else { return nil }
    guard time > lastTime else { return lastInterval }
    let interval = (time - lastTime).seconds
    lastInterval = interval
    return interval
  }

  /// Finds the motion since the frame before and adds it to the panorama.
  private mutating func movePanorama(to seen: [SeenObject], after interval: Double?) {
    // After a pause of more than a second nobody knows where the camera points.
    let expected = interval.map { $0 > 1 ? .none : velocity * $0 } ?? .none
    // With nothing in view, what was there last may come back.
    let known = live.isEmpty ? Array(remembered.suffix(64)) : live
    let motion = CameraMotion(
      of: known.map { $0.landmark(pan: pan) }, to: seen.map(\.landmark), expected: expected,
      frame: configuration.frame)
    pan = pan + motion.shift
    guard let interval else { return }
    velocity = motion.isSeen ? motion.shift * (1 / interval) : velocity * 0.5
  }

  /// The object of every sighting, by place and looks, each taken out of those in view.
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

  /// Counts the frame as missed for objects in view that have no sighting, and takes those that are
  /// lost, or out of the frame, out of view.
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

  /// Gives sightings that would be new objects, or belong to one not confirmed yet, to the known
  /// objects they are.
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
