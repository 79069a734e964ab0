import Counting
import Dispatch
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
    kinds(count: 100), kinds(count: 300), recount(count: 300),
  ]

  /// A slider's step: a photo of `count` objects of two kinds is counted again, by other thresholds
  /// each time.
  private static func recount(count: Int) -> Benchmark {
    Benchmark(name: "counting/recount-\(count)") { _ in
      let tray = RecountTray(count: count)
      let counter = ObjectCounter(detector: tray, embedder: tray)
      let photo = RecountTray.Photo(width: 4000, height: 3000)
      let traced = try finished { try await counter.tracedCount(in: photo, recountableFrom: 0.01) }
      var steps = 0
      return {
        steps += 1
        var configuration = CountingConfiguration.adaptive
        configuration.confidence = 0.01 + 0.001 * Double(steps % 100)
        configuration.adaptive?.sizeFactor = 1.5 + 0.001 * Double(steps % 7)
        let wanted = configuration
        let again = try finished {
          try await counter.recount(traced, configuration: wanted).result.count
        }
        return Double(again)
      }
    }
  }

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

/// A detector and an embedder of objects in rows, five candidates for each.
private struct RecountTray: ObjectDetector, ImageEmbedder {
  /// A photo without pixels, or a part of one.
  struct Photo: CroppableImage {
    let width: Int
    let height: Int
    var left = 0

    func cropped(to rect: PixelRect) -> Photo? {
      Photo(width: rect.width, height: rect.height, left: left + rect.x)
    }
  }

  let count: Int
  let dimension = 128

  func detections(in image: Photo, minimumConfidence: Float) async throws -> [Detection] {
    (0..<5 * count).map { place in
      let (object, shift) = (place / 5, Float(place % 5))
      let score = 0.9 - 0.1 * shift - 0.0005 * Float(object)
      return Detection(
        box: Box(
          x: Float(object % 25) * 160 + 20 + shift, y: Float(object / 25) * 200 + 20,
          width: 100 + Float(object % 11), height: 100), score: score, objectness: score,
        classScore: 1, classID: 0)
    }
  }

  func embeddings(of images: [Photo]) async throws -> EmbeddingMatrix {
    let noise = try SeededInput.embeddings(count: images.count, dimension: dimension, seed: 16)
    var values = Array(noise.elements)
    // Columns of objects are of two kinds in turn.
    for (row, image) in images.enumerated() { values[row * dimension + image.left / 160 % 2] += 9 }
    return try EmbeddingMatrix(values: values, dimension: dimension)
  }
}

/// The answer of an asynchronous call, for which this thread waits.
private func finished<Value: Sendable>(
  _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let (answer, done) = (Answer<Value>(), DispatchSemaphore(value: 0))
  Task.detached {
    do {
      answer.result = .success(try await body())
    } catch {
      answer.result = .failure(error)
    }
    done.signal()
  }
  done.wait()
  guard let result = answer.result else { throw CancellationError() }
  return try result.get()
}

/// It is written before the semaphore is signalled, and read after.
private final class Answer<Value>: @unchecked Sendable {
  var result: Result<Value, any Error>?
}
