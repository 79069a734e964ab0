import Counting
import Geometry
import VisionProtocols

extension Benchmark {
  /// Counting: what the stages of the adaptive method cost beside the networks.
  ///
  /// 1000 boxes are what a detector leaves of a full tray in 3 x 3 tiles, 100 things what is told apart
  /// by kind.
  static let counting: [Benchmark] = [
    typical("counting/typical-1000-boxes", TypicalObjectStage()),
    typical(
      "counting/typical-1000-boxes-no-perspective", TypicalObjectStage(perspectiveGain: nil)),
    typical("counting/typical-1000-boxes-no-aspect", TypicalObjectStage(aspectFactor: nil)),
    Benchmark(name: "counting/contained-1000-boxes") { _ in
      let detections = trayDetections().map {
        FittedDetection(detection: $0, fit: Double($0.score))
      }
      let stage = ContainmentStage()
      return { Double(try stage.kept(detections).items.count) }
    },
    Benchmark(name: "counting/score-cut-1000-boxes") { _ in
      let detections = trayDetections()
      let stage = ScoreCutStage()
      return { Double(stage.filter(detections).items.count) }
    },
    Benchmark(name: "counting/other-sizes-1000-boxes") { _ in
      let detections = trayDetections()
      let stage = OtherSizesStage()
      let kept = Array(detections.prefix(100))
      return {
        Double(try stage.others(among: detections, than: kept, median: 0.5, side: 60).count)
      }
    },
    kinds(count: 100), kinds(count: 300),
  ]

  private static func typical(_ name: String, _ stage: TypicalObjectStage) -> Benchmark {
    Benchmark(name: name) { _ in
      let detections = trayDetections()
      return {
        Double(stage.select(detections, width: 3000, height: 3000)?.kept.count ?? 0)
      }
    }
  }

  private static func trayDetections() -> [Detection] {
    let (boxes, scores) = SeededInput.clusteredBoxes(count: 1000, side: 2900, seed: 14)
    return zip(boxes, scores).map {
      Detection(box: $0, score: $1, objectness: $1, classScore: 1, classID: 0)
    }
  }

  private static func kinds(count: Int) -> Benchmark {
    Benchmark(name: "counting/kinds-\(count)x128") { _ in
      let rows = try SeededInput.embeddings(count: count, dimension: 128, seed: 15)
      let embeddings = try EmbeddingMatrix(values: Array(rows.elements), dimension: 128)
      let scores = [Float](repeating: 0.9, count: count)
      let stage = KindStage()
      return {
        Double(try stage.kinds(of: embeddings, scores: scores).labels.reduce(0, +))
      }
    }
  }
}
