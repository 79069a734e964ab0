import Counting
import Foundation
import Geometry
import VisionProtocols

/// An image that knows what it shows instead of having pixels.
struct Scene: CroppableImage {
  struct Thing: Sendable {
    var box: Box
    var score: Float
    /// The embedding of a crop of the thing's rectangle.
    var embedding: [Float]
  }

  var width: Int
  var height: Int
  var things: [Thing]
  /// Where the scene was cut, nil for a whole one.
  var rect: PixelRect?

  func cropped(to rect: PixelRect) -> Scene? {
    guard rect.x >= 0, rect.y >= 0, rect.x + rect.width <= width, rect.y + rect.height <= height
    else { return nil }
    return Scene(width: rect.width, height: rect.height, things: things, rect: rect)
  }

  /// `count` squares of one size in a row, kinds in turn, apart from each other.
  static func row(_ kinds: [Int], side: Float = 20) -> Scene {
    let things = kinds.enumerated().map { index, kind in
      var embedding = [Float](repeating: 0, count: 4)
      embedding[kind] = 1
      return Thing(
        box: Box(x: Float(index) * side * 2, y: 0, width: side, height: side),
        score: 0.9 - Float(index) / 1000, embedding: embedding)
    }
    return Scene(
      width: Int(side) * 2 * max(1, kinds.count), height: Int(side), things: things, rect: nil)
  }
}

/// Sees what the scene says.
struct SceneDetector: ObjectDetector {
  func detections(in image: Scene, minimumConfidence: Float) async throws -> [Detection] {
    image.things.map {
      Detection(box: $0.box, score: $0.score, objectness: $0.score, classScore: 1, classID: 0)
    }
  }
}

/// Answers the embedding of the thing whose rectangle a crop is.
struct SceneEmbedder: ImageEmbedder {
  var dimension = 4
  var log: BatchLog?
  var afterBatch: @Sendable (Int) async throws -> Void = { _ in }

  func embeddings(of images: [Scene]) async throws -> EmbeddingMatrix {
    let batches = log?.append(images.count) ?? 0
    let rows = try images.map { image -> [Float] in
      let thing = image.things.first {
        CropStage.rect(of: $0.box, width: 1 << 20, height: 1 << 20) == image.rect
      }
      guard let thing else { throw NoSuchThing() }
      return thing.embedding
    }
    try await afterBatch(batches)
    return try EmbeddingMatrix(values: rows.flatMap(\.self), dimension: dimension)
  }
}

struct NoSuchThing: Error {}

/// A detector that answers what it was told to, candidates below the least score too.
struct FixedDetector: ObjectDetector {
  var answer: [Detection]
  func detections(in image: Scene, minimumConfidence: Float) async throws -> [Detection] { answer }
}

/// An embedder that answers what it was told to, whatever it is asked.
struct FixedEmbedder: ImageEmbedder {
  var values: [Float]
  var dimension: Int
  func embeddings(of images: [Scene]) async throws -> EmbeddingMatrix {
    try EmbeddingMatrix(values: values, dimension: dimension)
  }
}

/// The sizes of the batches an embedder was given.
final class BatchLog: @unchecked Sendable {  // every access holds the lock
  private let lock = NSLock()
  private var entries: [Int] = []

  /// Adds an entry and answers how many there are.
  func append(_ size: Int) -> Int {
    lock.withLock {
      entries.append(size)
      return entries.count
    }
  }

  var sizes: [Int] { lock.withLock { entries } }
}

/// The progress a count reported.
final class ProgressLog: @unchecked Sendable {  // every access holds the lock
  private let lock = NSLock()
  private var entries: [CountingProgress] = []

  func append(_ progress: CountingProgress) { lock.withLock { entries.append(progress) } }

  var all: [CountingProgress] { lock.withLock { entries } }
}

func detection(_ box: Box, score: Float = 0.5) -> Detection {
  Detection(box: box, score: score, objectness: score, classScore: 1, classID: 0)
}

/// Boxes of the given areas: as wide as the area, one high.
func boxes(areas: [Float]) -> [Detection] {
  areas.map { detection(Box(x: 0, y: 0, width: $0, height: 1)) }
}

/// Boxes of the given ratios of width to height, one high.
func boxes(ratios: [Float]) -> [Detection] {
  ratios.map { detection(Box(x: 0, y: 0, width: $0, height: 1)) }
}
