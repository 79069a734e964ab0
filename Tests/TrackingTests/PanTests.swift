import Geometry
import TestSupport
import Testing
import Tracking

@Suite("Tracking over a pan")
struct PanTests {
  /// Along the shelf and back, speeding up and slowing down; five boxes in a hundred are missed, all
  /// shake.
  private func pan(
    over shelf: Shelf, step: Float, looks: Bool, seed: UInt64, falsePositives: Int = 0
  ) throws -> TrackedRun {
    var run = TrackedRun(try unitTracker())
    var generator = SeededGenerator(seed: seed)
    func view(from x: Float) -> [(book: Int, sighting: Sighting)] {
      var result = shelf.view(from: x, looks: looks).filter { _ in generator.unit() > 0.05 }
      for index in result.indices {
        let shaken = result[index].sighting.box.translated(
          dx: 0.004 * (generator.unitFloat() - 0.5), dy: 0.004 * (generator.unitFloat() - 0.5))
        result[index].sighting.box = shaken
      }
      for _ in 0..<falsePositives {
        let box = Box(
          x: generator.unitFloat() * 0.9, y: generator.unitFloat() * 0.5,
          width: 0.05 + 0.07 * generator.unitFloat(), height: 0.3 * generator.unitFloat() + 0.2)
        let looks = looks ? (0..<8).map { _ in generator.unitFloat() - 0.5 } : nil
        result.append((-1, Sighting(box: box, confidence: 0.3, appearance: looks)))
      }
      return result.shuffled(using: &generator)
    }
    var x: Float = 0
    var speed: Float = 0
    for _ in 0..<3 { run.show(view(from: x)) }
    while x < 3 {
      speed = min(step, speed + step / 4)
      x += speed
      run.show(view(from: x))
    }
    while x > 0 {
      speed = max(-step, speed - step / 4)
      x += speed
      run.show(view(from: x))
    }
    return run
  }

  @Test(
    "Every book keeps its one id there and back, and is counted once",
    arguments: [
      (step: Float(0.02), looks: false), (0.06, false), (0.15, false), (0.02, true), (0.06, true),
      (0.15, true), (0.3, true),
    ])
  func thereAndBack(step: Float, looks: Bool) throws {
    for seed in 0..<4 as Range<UInt64> {
      for equalWidths in [false, true] {
        let shelf = Shelf(seed: seed, length: 4, equalWidths: equalWidths)
        let run = try pan(over: shelf, step: step, looks: looks, seed: seed)
        #expect(run.isConsistent)
        #expect(run.tracker.distinctCount == run.idsOfBook.count)
        #expect(run.idsOfBook.count >= 40)
      }
    }
  }

  @Test("Boxes on nothing, new ones in every frame, hardly add to the count")
  func falsePositives() throws {
    for seed in 0..<4 as Range<UInt64> {
      let shelf = Shelf(seed: seed, length: 4)
      let run = try pan(over: shelf, step: 0.06, looks: true, seed: seed, falsePositives: 2)
      #expect(run.idsOfBook.values.count { $0.count > 1 } <= 1)
      #expect(run.booksOfID.values.allSatisfy { $0.count == 1 })
      #expect((0...4).contains(run.tracker.distinctCount - run.idsOfBook.count))
    }
  }

  @Test("The panorama's origin follows the camera")
  func panorama() throws {
    let shelf = Shelf(seed: 2, length: 4)
    var tracker = try unitTracker()
    for step in 0...20 {
      let x = 0.1 * Float(step)
      let y = 0.004 * Float(step)
      _ = tracker.update(
        with: shelf.view(from: x, y: y).map(\.sighting), at: .milliseconds(Int64(step) * 150))
      #expect(abs(tracker.panoramaOrigin.x - Double(x)) < 1e-4)
      #expect(abs(tracker.panoramaOrigin.y - Double(y)) < 1e-4)
    }
  }

  @Test("Pixels do as well as shares, at any scale of either axis")
  func scales() throws {
    let shelf = Shelf(seed: 4, length: 2)
    for (x, y) in [(1920, 1080), (0.001, 7)] as [(Float, Float)] {
      var tracker = try unitTracker { $0.frame = Box(minX: 0, minY: 0, maxX: x, maxY: y) }
      var plain = try unitTracker()
      for step in 0..<20 {
        let view = shelf.view(from: 0.05 * Float(step)).map(\.sighting)
        let scaled = view.map {
          Sighting(box: $0.box.scaled(x: x, y: y), appearance: $0.appearance)
        }
        let time = FrameTime.milliseconds(Int64(step) * 150)
        #expect(tracker.update(with: scaled, at: time) == plain.update(with: view, at: time))
      }
    }
  }

  @Test("The same frames give the same tracks on every run")
  func replay() throws {
    func transcript() throws -> [[Track]] {
      var tracker = try unitTracker()
      let shelf = Shelf(seed: 9, length: 3)
      return (0..<40).map { step in
        tracker.update(
          with: shelf.view(from: 0.05 * Float(step)).map(\.sighting),
          at: .milliseconds(Int64(step) * 150))
      }
    }
    #expect(try transcript() == transcript())
    // Not only in this process, where hashing has one seed.
    let newest = try transcript().last?.map(\.id)
    #expect(newest == Array(23...34))
  }
}
