import Counting
import Foundation
import Geometry
import Raster
import TestSupport
import VisionProtocols

@testable import CountReport

/// Made-up counts.
enum Examples {
  /// A detection of `side` pixels at a place.
  static func detection(
    x: Float, y: Float, side: Float = 20, score: Float = 0.9
  ) -> Detection {
    Detection(
      box: Box(x: x, y: y, width: side, height: side), score: score, objectness: score,
      classScore: 1, classID: 0)
  }

  /// `count` objects of kinds in turn, in rows of 40, and `dropped` smaller ones below.
  static func count(
    _ count: Int, kinds: Int = 1, dropped: Int = 0, width: Int = 800, height: Int = 600,
    change: (inout Detection, Int) -> Void = { _, _ in }
  ) throws -> TracedCount {
    let objects = (0..<count).map { index in
      var detection = detection(x: Float(index % 40) * 20, y: Float(index / 40) * 20, side: 18)
      change(&detection, index)
      return CountedDetection(
        detection: detection, cluster: index % kinds, isMain: index % kinds == 0)
    }
    let small = (0..<dropped).map { detection(x: Float($0), y: 580, side: 4, score: 0.2) }
    let sizes = Dictionary(grouping: objects, by: \.cluster).mapValues(\.count)
    var generator = SeededGenerator(seed: 7)
    let rows = objects.flatMap { object in
      (0..<4).map { place in
        (place == object.cluster % 4 ? 1 : 0) + Float.random(in: 0...0.1, using: &generator)
      }
    }
    let steps: [CountingStep] = [.detected, .size, .aspect, .area, .embedded, .clustered, .merged]
    return TracedCount(
      result: CountingResult(
        count: sizes[0] ?? 0, mainCluster: count > 0 ? 0 : nil, clusterSizes: sizes,
        detections: objects,
        steps: steps.map {
          CountingStepReport(
            step: $0, itemsIn: count, itemsOut: $0 == .detected ? count + dropped : count)
        }, seconds: CountingSeconds(), hint: count > 0 ? nil : .nothingDetected, width: width,
        height: height),
      trace: CountTrace(
        detections: objects.map { TracedDetection(detection: $0.detection, survived: steps) }
          + small.map {
            TracedDetection(detection: $0, survived: [.detected], droppedBy: .size)
          }, embedded: objects,
        embeddings: try EmbeddingMatrix(values: rows, dimension: 4)))
  }

  /// A photo of soft colours.
  static func photo(width: Int = 800, height: Int = 600, channels: Int = 3) throws -> Raster {
    let count = width * height * channels
    var samples: [UInt8] = []
    for run in 0...count / 97 {
      samples.append(contentsOf: repeatElement(UInt8(truncatingIfNeeded: run), count: 97))
    }
    return try Raster(
      width: width, height: height, channels: channels, samples: Array(samples.prefix(count)))
  }

  /// The page of a count, as text.
  static func page(
    _ count: TracedCount, name: String = "photo.jpg",
    configuration: CountingConfiguration = .standard, correction: CountCorrection? = nil
  ) throws -> String {
    let page = CountPage(
      name: name, count: count, configuration: configuration, correction: correction)
    let photo = try photo(width: count.result.width, height: count.result.height)
    return String(decoding: try page.html(photo: photo), as: UTF8.self)
  }
}
