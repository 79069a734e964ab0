import Evaluation
import FrameAnalysis
import Geometry
import Tracking

extension Benchmark {
  /// Frames: what tracking, zones and guidance cost beside the recognizers.
  static let frames: [Benchmark] = [
    tracking(count: 20), tracking(count: 1000), tracking(count: 10_000),
    Benchmark(name: "zones/line-1000-boxes", items: 100) { _ in
      let frames = wanderers()
      return {
        var zone = try LineZone(
          LineSegment(start: Point(x: 0, y: 300), end: Point(x: 1900, y: 700)), minimumFrames: 2)
        for frame in frames { zone.update(with: frame) }
        return Double(zone.inCount + zone.outCount)
      }
    },
    Benchmark(name: "zones/polygon-1000-boxes", items: 100) { _ in
      let frames = wanderers()
      let corners: [(Double, Double)] = [
        (400, 200), (1500, 100), (1700, 900), (900, 500), (200, 800),
      ]
      return {
        var zone = try PolygonZone(
          corners: corners.map { Point(x: $0.0, y: $0.1) }, minimumFrames: 2)
        for frame in frames { zone.update(with: frame) }
        return Double(zone.entryCount + zone.exitCount)
      }
    },
    Benchmark(name: "evaluation/hota-1000-objects-100-frames", items: 100) { _ in
      let sequence = sequence()
      return { try HOTA(of: sequence).value }
    },
    Benchmark(name: "evaluation/mota-1000-objects-100-frames", items: 100) { _ in
      let sequence = sequence()
      return { try TrackingScore(of: sequence).mota ?? 0 }
    },
    Benchmark(name: "evaluation/idf1-1000-objects-100-frames", items: 100) { _ in
      let sequence = sequence()
      return { try IdentityMatching(of: sequence).score.f1 ?? 0 }
    },
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

  /// A thousand objects that wander over a frame, in a hundred frames.
  private static func wanderers() -> [[IdentifiedBox]] {
    var input = SeededInput(seed: 17)
    var boxes = (0..<1000).map { _ in
      Box(
        x: Float(1900 * input.uniform()), y: Float(1000 * input.uniform()), width: 20, height: 60)
    }
    return (0..<100).map { _ in
      for index in boxes.indices {
        boxes[index] = boxes[index].translated(
          dx: Float(40 * input.uniform() - 20), dy: Float(40 * input.uniform() - 20))
      }
      return boxes.enumerated().map { IdentifiedBox(id: $0.offset, box: $0.element) }
    }
  }

  /// The wanderers with shaken boxes, of which one in twenty is missing and one in fifty has a new
  /// number.
  private static func sequence() -> [EvaluatedFrame] {
    var input = SeededInput(seed: 18)
    var names = Array(0..<1000)
    return wanderers().map { truths in
      var predictions: [IdentifiedBox] = []
      for one in truths {
        if input.uniform() < 0.02 { names[one.id] += 1000 }
        guard input.uniform() > 0.05 else { continue }
        let box = one.box.translated(
          dx: Float(6 * input.uniform() - 3), dy: Float(12 * input.uniform() - 6))
        predictions.append(IdentifiedBox(id: names[one.id], box: box))
      }
      return EvaluatedFrame(truths: truths, predictions: predictions)
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
