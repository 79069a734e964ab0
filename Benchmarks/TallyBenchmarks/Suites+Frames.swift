import FrameAnalysis
import Geometry
import Tracking

extension Benchmark {
  /// Frames: what tracking and guidance cost beside the recognizers.
  static let frames: [Benchmark] = [
    tracking(count: 20), tracking(count: 1000), tracking(count: 10_000),
    Benchmark(name: "frames/analyze-20-objects-20-texts", items: 100) { _ in
      let frames = try observations(count: 100)
      return {
        var session = FrameSession()
        return frames.reduce(0) { $0 + Double(session.analyze($1).objects.count) }
      }
    },
    Benchmark(name: "frames/display-20-objects-20-texts", items: 100) { _ in
      var session = FrameSession()
      let frames = try observations(count: 100).map { session.analyze($0) }
      return {
        var display = FrameDisplay()
        return frames.reduce(0) { $0 + Double(display.update(with: $1).rawValue) }
      }
    },
  ]

  /// A pan over 20 spines with a title each.
  private static func observations(count: Int) throws -> [FrameObservations] {
    try (0..<count).map { frame in
      let shift = Double(frame) * 0.002
      return FrameObservations(
        time: .milliseconds(Int64(frame) * 150),
        frame: try CoordinateSpace(width: 1920, height: 1080),
        texts: (0..<20).map { index in
          TextLineRegion(
            box: NormalizedBox(
              x: 0.04 * Double(index) + shift, y: 0.2, width: 0.02, height: 0.5),
            text: "The Histories", confidence: 0.9)
        },
        objects: (0..<20).map { index in
          ObjectRegion(
            box: NormalizedBox(
              x: 0.04 * Double(index) + shift, y: 0.1, width: 0.035, height: 0.8),
            confidence: 0.8, appearance: [Float(index), 1, 2, 3])
        })
    }
  }

  private static func tracking(count: Int) -> Benchmark {
    Benchmark(name: "tracking/pan-\(count)-boxes", items: 10) { _ in
      // A square of boxes that nearly touch, of sizes that tell them apart.
      let columns = Int(Double(count).squareRoot())
      var input = SeededInput(seed: 16)
      let boxes = (0..<count).map { index in
        Box(
          x: Float(index % columns) * 20, y: Float(index / columns) * 20,
          width: Float(8 + 10 * input.uniform()), height: Float(8 + 10 * input.uniform()))
      }
      return {
        var tracker = ObjectTracker()
        for frame in 0..<10 {
          let sightings = boxes.map { Sighting(box: $0.translated(dx: 7 * Float(frame), dy: 0)) }
          _ = tracker.update(with: sightings, at: .milliseconds(Int64(frame) * 150))
        }
        return Double(tracker.distinctCount)
      }
    }
  }
}
