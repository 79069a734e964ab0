import Geometry
import TestSupport
import Tracking

/// A made-up shelf of books side by side, of which a camera sees a frame of 1 by 1 at a time.
struct Shelf {
  struct Book {
    var box: Box
    var appearance: [Float]
  }

  var books: [Book] = []

  /// Books of seeded widths from 0 to `length`, with random looks.
  init(seed: UInt64, length: Float, equalWidths: Bool = false) {
    var generator = SeededGenerator(seed: seed)
    var x: Float = 0.02
    while x < length {
      let width = equalWidths ? 0.08 : 0.05 + 0.07 * generator.unitFloat()
      let height = equalWidths ? 0.7 : 0.5 + 0.3 * generator.unitFloat()
      books.append(
        Book(
          box: Box(x: x, y: 0.1, width: width, height: height),
          appearance: (0..<8).map { _ in generator.unitFloat() - 0.5 }))
      x += width + 0.004
    }
  }

  /// What a detector sees with the camera at `x`, cut off at the frame's edges; what is hardly in the
  /// frame is not seen.
  func view(from x: Float, y: Float = 0, looks: Bool = true) -> [(book: Int, sighting: Sighting)] {
    let frame = Box(minX: 0, minY: 0, maxX: 1, maxY: 1)
    return books.enumerated().compactMap { index, book in
      let box = book.box.translated(dx: -x, dy: -y)
      guard let visible = box.intersection(frame), visible.area > 0.3 * box.area else { return nil }
      return (
        index,
        Sighting(box: visible, confidence: 0.9, appearance: looks ? book.appearance : nil)
      )
    }
  }
}

/// A tracker of frames of 1 by 1.
func unitTracker(_ change: (inout TrackerConfiguration) -> Void = { _ in }) throws -> ObjectTracker
{
  var configuration = TrackerConfiguration()
  configuration.frame = Box(minX: 0, minY: 0, maxX: 1, maxY: 1)
  change(&configuration)
  return try ObjectTracker(configuration: configuration)
}

/// A run of a tracker, with the ids each book had once confirmed.
struct TrackedRun {
  var tracker: ObjectTracker
  private(set) var idsOfBook: [Int: Set<Int>] = [:]
  private(set) var booksOfID: [Int: Set<Int>] = [:]
  private(set) var frames = 0

  init(_ tracker: ObjectTracker) {
    self.tracker = tracker
  }

  /// Shows the next frame, 150 ms after the last; a book of -1 is none.
  mutating func show(_ view: [(book: Int, sighting: Sighting)]) {
    frames += 1
    let tracks = tracker.update(
      with: view.map(\.sighting), at: .milliseconds(Int64(frames) * 150))
    for track in tracks where track.isConfirmed {
      let book = view[track.sighting].book
      if book < 0 { continue }
      idsOfBook[book, default: []].insert(track.id)
      booksOfID[track.id, default: []].insert(book)
    }
  }

  /// Whether every book had one id, and every id one book.
  var isConsistent: Bool {
    idsOfBook.values.allSatisfy { $0.count == 1 } && booksOfID.values.allSatisfy { $0.count == 1 }
  }
}
