import Foundation
import Geometry
import TestSupport
import Testing
import Tracking

@Suite("Tracking objects from frame to frame")
struct ObjectTrackerTests {
  private let unit = Box(x: 0.4, y: 0.2, width: 0.1, height: 0.5)

  /// The ids of one box a frame, nil for frames in which nothing is seen.
  private func ids(
    _ frames: [Box?], _ change: (inout TrackerConfiguration) -> Void = { _ in }
  ) throws -> [Int?] {
    var configuration = TrackerConfiguration()
    change(&configuration)
    var tracker = try ObjectTracker(configuration: configuration)
    return frames.enumerated().map { index, box in
      let sightings = box.map { [Sighting(box: $0)] } ?? []
      return tracker.update(with: sightings, at: .milliseconds(Int64(index) * 150)).first?.id
    }
  }

  @Test(
    "An object is confirmed with the hit that the setting names, and counted then", arguments: 1...4
  )
  func confirmation(hits: Int) throws {
    var tracker = try unitTracker { $0.confirmingHits = hits }
    for frame in 1...5 {
      let track = try #require(
        tracker.update(
          with: [Sighting(box: unit)], at: .milliseconds(Int64(frame) * 150)
        ).first)
      #expect(track.hits == frame)
      #expect(track.isConfirmed == (frame >= hits))
      #expect(tracker.distinctCount == (frame >= hits ? 1 : 0))
    }
  }

  @Test("A confirmed object survives as many missed frames as the setting says")
  func survival() throws {
    let far = unit.translated(dx: 0, dy: 20)
    for missed in 0...4 {
      let frames = [unit, unit] + [Box?](repeating: nil, count: missed) + [unit]
      #expect(try ids(frames) { $0.maximumMisses = 2 }.last == 1)
      // With its memory off, a lost object is a new one.
      let id = try ids(frames) { ($0.maximumMisses, $0.maximumRemembered) = (2, 0) }.last
      #expect(id == (missed <= 2 ? 1 : 2))
    }
    // Before it is confirmed, one missed frame ends it.
    #expect(try ids([unit, nil, unit]) == [1, nil, 2])
    #expect(try ids([unit, unit, far, far]).last == 2)
  }

  @Test("No id is ever given twice")
  func freshIDs() throws {
    var tracker = try unitTracker { $0.maximumRemembered = 3 }
    var generator = SeededGenerator(seed: 6)
    var newest = 0
    var seen: Set<Int> = []
    for frame in 0..<300 {
      let sightings = (0..<5).map { _ in
        Sighting(
          box: Box(x: generator.unitFloat(), y: generator.unitFloat(), width: 0.1, height: 0.1))
      }
      let tracks = tracker.update(with: sightings, at: .milliseconds(Int64(frame) * 33))
      #expect(Set(tracks.map(\.id)).count == tracks.count)
      for track in tracks where seen.insert(track.id).inserted {
        #expect(track.id > newest)
        newest = track.id
      }
    }
  }

  @Test("Two objects that pass through each other keep their ids by their looks")
  func crossing() throws {
    var tracker = try unitTracker()
    let still = (0..<4).map {
      Sighting(box: Box(x: 0.22 * Float($0), y: 0.7, width: 0.2, height: 0.2))
    }
    var ids: [[Int]] = []
    for step in 0...20 {
      let way = Float(step) * 0.03
      let tracks = tracker.update(
        with: [
          Sighting(box: Box(x: 0.1 + way, y: 0.2, width: 0.2, height: 0.3), appearance: [1, 0.2]),
          Sighting(box: Box(x: 0.7 - way, y: 0.2, width: 0.2, height: 0.3), appearance: [0.2, 1]),
        ] + still, at: .milliseconds(Int64(step) * 150))
      ids.append(tracks.map(\.id))
    }
    #expect(ids.allSatisfy { $0 == [1, 2, 3, 4, 5, 6] })
    #expect(tracker.distinctCount == 6)
  }

  @Test("A missed object does not take its neighbour's sighting")
  func missedNeighbour() throws {
    var tracker = try unitTracker()
    let boxes =
      [0.6, 0.7, 0.9].map { Box(x: $0, y: 0.2, width: 0.05, height: 0.5) }
      + (0..<3).map { Box(x: 0.2 + 0.05 * Float($0), y: 0.2, width: 0.1, height: 0.5) }
    for frame in 0..<3 {
      let tracks = tracker.update(
        with: boxes.dropLast().map { Sighting(box: $0) }, at: .milliseconds(Int64(frame) * 150))
      #expect(tracks.map(\.id) == [1, 2, 3, 4, 5])
    }
    let tracks = tracker.update(
      with: (boxes[..<3] + boxes[4...]).map { Sighting(box: $0) }, at: .milliseconds(450))
    #expect(tracks.map(\.id) == [1, 2, 3, 5, 6])
  }

  @Test("Of an object seen twice the surer sighting has the track")
  func duplicates() throws {
    var tracker = try unitTracker()
    let shifted = unit.translated(dx: 0.002, dy: 0)
    let tracks = tracker.update(
      with: [Sighting(box: unit, confidence: 0.4), Sighting(box: shifted, confidence: 0.8)],
      at: .zero)
    #expect(tracks.map(\.sighting) == [1])
  }

  @Test("Leaning books, whose boxes nearly coincide, are told apart by their outlines")
  func leaningBooks() throws {
    var tracker = try unitTracker()
    let books = (0..<3).map { index in
      let x = 0.1 + 0.02 * Double(index)
      return Quadrilateral(
        topLeft: Point(x: x + 0.5, y: 0.9), topRight: Point(x: x + 0.52, y: 0.9),
        bottomRight: Point(x: x + 0.02, y: 0.2), bottomLeft: Point(x: x, y: 0.2))
    }
    #expect(books[0].boundingBox.iou(books[1].boundingBox) > 0.9)
    for frame in 0..<4 {
      let tracks = tracker.update(
        with: books.map { Sighting(box: $0.boundingBox, outline: $0) },
        at: .milliseconds(Int64(frame) * 150))
      #expect(tracks.map(\.id) == [1, 2, 3])
    }
  }

  @Test("Time that stands still or runs backward changes nothing")
  func strangeTimes() throws {
    let shelf = Shelf(seed: 1, length: 3)
    for times in [
      [0, 0, 0, 0, 0, 0], [5, 4, 3, 2, 1, 0], [0, .max, .min, 0, .max, 1],
    ] as [[Int64]] {
      var run = try unitTracker()
      var first: [Int] = []
      for (step, time) in times.enumerated() {
        let view = shelf.view(from: 0.04 * Float(step)).map(\.sighting)
        let tracks = run.update(with: view, at: FrameTime(nanoseconds: time))
        if step == 0 { first = tracks.map(\.id) }
        #expect(tracks.map(\.id).starts(with: first.drop { $0 < (tracks.first?.id ?? 0) }))
      }
    }
  }

  @Test("Nothing, and what is no box, has no track")
  func hostile() throws {
    var tracker = try unitTracker()
    let bad: [Float] = [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, 2e9, .leastNonzeroMagnitude,
    ]
    for (frame, value) in bad.enumerated() {
      let boxes = [
        Box(minX: value, minY: 0, maxX: 1, maxY: 1), Box(minX: 0, minY: 0, maxX: 1, maxY: value),
        Box(minX: 1, minY: 1, maxX: 0, maxY: 0), Box(minX: 0, minY: 0, maxX: 0, maxY: 1),
      ]
      let tracks = tracker.update(
        with: boxes.map { Sighting(box: $0) } + [
          Sighting(
            box: unit,
            outline: Quadrilateral(unit).mapCorners { _ in Point(x: .nan, y: Double(value)) },
            confidence: value, appearance: [value, .nan])
        ], at: .milliseconds(Int64(frame)))
      #expect(tracks.last?.sighting == 4)
      #expect(tracks.last?.id == 1 || frame == 5)
    }
    #expect(tracker.update(with: [], at: .zero).isEmpty)
    // Looks of other lengths cannot be compared, and don't stand in the way.
    for count in 0..<4 {
      let looks = [Float](repeating: 1, count: count)
      let tracks = tracker.update(with: [Sighting(box: unit, appearance: looks)], at: .zero)
      #expect(tracks.first?.id == 1)
    }
  }

  @Test("Ten thousand boxes keep their ids while everything moves")
  func many() throws {
    var tracker = try ObjectTracker(configuration: TrackerConfiguration())
    var generator = SeededGenerator(seed: 12)
    let boxes = (0..<10_000).map { index in
      Box(
        x: Float(index % 100) * 20, y: Float(index / 100) * 20,
        width: 8 + 10 * generator.unitFloat(), height: 8 + 10 * generator.unitFloat())
    }
    for frame in 0..<4 {
      let way = 7 * Float(frame)
      let tracks = tracker.update(
        with: boxes.map { Sighting(box: $0.translated(dx: way, dy: 0)) },
        at: .milliseconds(Int64(frame) * 150))
      #expect(tracks.map(\.id) == Array(1...10_000))
    }
    #expect(tracker.distinctCount == 10_000)
  }

  @Test(
    "Ten thousand boxes on one place are one object, and as many on nearly one place no trouble")
  func heap() throws {
    var tracker = try ObjectTracker(configuration: TrackerConfiguration())
    var generator = SeededGenerator(seed: 13)
    for frame in 0..<2 {
      let same = [Sighting](repeating: Sighting(box: unit), count: 10_000)
      #expect(tracker.update(with: same, at: .milliseconds(Int64(frame) * 150)).map(\.id) == [1])
    }
    let heap = (0..<10_000).map { _ in
      Sighting(
        box: unit.translated(dx: generator.unitFloat() * 0.2, dy: generator.unitFloat() * 0.5))
    }
    for frame in 2..<4 {
      let tracks = tracker.update(with: heap, at: .milliseconds(Int64(frame) * 150))
      #expect(Set(tracks.map(\.id)).count == tracks.count)
    }
  }

  @Test("A setting out of range is an error that names it")
  func settings() throws {
    func error(_ change: (inout TrackerConfiguration) -> Void) -> String? {
      var configuration = TrackerConfiguration()
      change(&configuration)
      do {
        _ = try ObjectTracker(configuration: configuration)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(error { _ in } == nil)
    #expect(
      error { $0.minimumSimilarity = 2 } == "minimumSimilarity is 2.0; it must be in -1.0...1.0")
    #expect(error { $0.confirmingHits = 0 } == "confirmingHits is 0.0; it must be in 1.0...100.0")
    #expect(error { $0.appearanceWeight = .nan }?.hasPrefix("appearanceWeight is nan") == true)
    #expect(error { $0.minimumIoU = 0 }?.hasPrefix("minimumIoU is 0.0") == true)
    #expect(
      error { $0.frame = Box(minX: 0, minY: 0, maxX: 0, maxY: 1) }?.hasPrefix("frame") == true)
    let changes: [(inout TrackerConfiguration) -> Void] = [
      { $0.duplicateIoU = 1.1 }, { $0.recognitionSimilarity = -1.1 }, { $0.maximumMisses = -1 },
      { $0.maximumRemembered = 100_001 },
    ]
    for change in changes { #expect(error(change) != nil) }
  }
}
