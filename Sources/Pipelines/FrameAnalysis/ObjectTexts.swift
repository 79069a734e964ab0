import Geometry

/// What was read on objects of earlier frames, and which object is read next.
///
/// Complexity of a frame: O(*n* log *m*) for *n* objects in it and *m* remembered ones.
struct ObjectTexts: Sendable {
  /// What is known of the text on one object.
  private struct Entry {
    /// The lines, in shares of the object's box.
    var lines: [TextLineRegion] = []
    /// How often it was read at about this size.
    var readings = 0
    /// The object's size when it was last read.
    var size = 0.0
    var isSure = false
    /// The number of the last frame that showed the object.
    var lastSeen: Int
  }

  private let maximumReadings: Int
  private let sureConfidence: Double
  private let growth: Double
  /// How many objects out of view keep their text.
  private let maximumRemembered: Int
  private var entries: [Int: Entry] = [:]
  private var frame = 0

  init(_ configuration: FrameConfiguration) {
    maximumReadings = configuration.maximumReadings
    sureConfidence = configuration.sureReadingConfidence
    growth = configuration.readingGrowth
    maximumRemembered = configuration.tracking.maximumRemembered
  }

  /// Forgets all that was read.
  mutating func clear() {
    entries = [:]
  }

  /// Takes in the objects of the next frame; answers the lines that are known of them, in their
  /// order, each placed where its object is now.
  mutating func lines(on objects: [FrameObject]) -> [[TextLineRegion]] {
    frame += 1
    if entries.isEmpty { return objects.map { _ in [] } }
    let lines = objects.map { object in
      entries[object.id]?.lines.map { $0.placed(in: object.box) } ?? []
    }
    for object in objects { entries[object.id]?.lastSeen = frame }
    forgetOldest(inView: objects.count)
    return lines
  }

  /// The object to be read next; nil if all were read well enough, or as often as is allowed.
  ///
  /// Objects that were read less often come first, then those that the frame shows whole, then the
  /// larger ones.
  func next(of objects: [FrameObject]) -> FrameObject? {
    typealias Candidate = (readings: Int, isCut: Bool, size: Double, object: FrameObject)
    let candidates = objects.compactMap { object -> Candidate? in
      guard object.isConfirmed else { return nil }
      let size = object.box.area.squareRoot()
      guard let entry = entries[object.id] else { return (0, object.box.isCut, size, object) }
      // What is larger now may be legible now.
      let readings = size >= growth * entry.size ? 0 : entry.readings
      guard !entry.isSure, readings < maximumReadings else { return nil }
      return (readings, object.box.isCut, size, object)
    }
    return candidates.min { a, b in
      if a.readings != b.readings { return a.readings < b.readings }
      if a.isCut != b.isCut { return b.isCut }
      return a.size != b.size ? a.size > b.size : a.object.id < b.object.id
    }?.object
  }

  /// Takes in what was read on an object, unless an earlier reading says more.
  mutating func add(_ reading: ObjectReading) {
    let object = reading.object
    guard object.box.isUsable else { return }
    var entry = entries[object.id] ?? Entry(lastSeen: frame)
    let size = object.box.area.squareRoot()
    entry.readings = size >= growth * entry.size ? 1 : entry.readings + 1
    entry.size = size
    let lines = reading.texts.filter { $0.box.isUsable && !$0.confidence.isNaN && !$0.text.isEmpty }
    if lines.strength > entry.lines.strength {
      entry.lines = lines.map { $0.relative(to: object.box) }
      entry.isSure = lines.meanConfidence >= sureConfidence
    }
    entries[object.id] = entry
  }

  /// Forgets the text of objects that were out of view longest.
  private mutating func forgetOldest(inView count: Int) {
    let excess = entries.count - maximumRemembered - count
    guard excess > 0 else { return }
    let oldest = entries.sorted { a, b in
      a.value.lastSeen != b.value.lastSeen
        ? a.value.lastSeen < b.value.lastSeen : a.key < b.key
    }
    for (id, _) in oldest.prefix(excess) { entries[id] = nil }
  }
}

extension [TextLineRegion] {
  /// How much is read, and how surely.
  fileprivate var strength: Double {
    reduce(0) { $0 + Double($1.confidence) * Double($1.text.count) }
  }

  /// The mean confidence of all characters.
  fileprivate var meanConfidence: Double {
    let count = reduce(0) { $0 + $1.text.count }
    return count == 0 ? 0 : strength / Double(count)
  }
}

extension NormalizedBox {
  /// Whether the frame may show a part of the object only.
  fileprivate var isCut: Bool {
    let margin = 0.002
    return x < margin || y < margin || x + width > 1 - margin || y + height > 1 - margin
  }
}

extension TextLineRegion {
  /// The line in shares of a box, instead of the frame's.
  fileprivate func relative(to box: NormalizedBox) -> TextLineRegion {
    mapped { Point(x: ($0.x - box.x) / box.width, y: ($0.y - box.y) / box.height) }
  }

  /// The line in shares of the frame, instead of a box.
  fileprivate func placed(in box: NormalizedBox) -> TextLineRegion {
    mapped { Point(x: box.x + $0.x * box.width, y: box.y + $0.y * box.height) }
  }

  /// The line with its corners moved, by a map that keeps the axes.
  private func mapped(_ map: (Point) -> Point) -> TextLineRegion {
    var result = self
    let corner = map(Point(x: box.x, y: box.y))
    let other = map(Point(x: box.x + box.width, y: box.y + box.height))
    result.box = NormalizedBox(
      x: corner.x, y: corner.y, width: other.x - corner.x, height: other.y - corner.y)
    result.outline = outline?.mapCorners(map)
    return result
  }
}
