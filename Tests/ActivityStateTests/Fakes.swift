import ActivityState
import Foundation
import Geometry
import VisionProtocols

/// A row of squares of 20 pixels, of one kind, that has no pixels.
struct Squares: CroppableImage {
  var count: Int
  var width: Int { max(1, count) * 40 }
  var height: Int { 20 }

  func cropped(to rect: PixelRect) -> Squares? { Squares(count: 1) }
}

/// Finds the squares.
struct SquareDetector: ObjectDetector {
  var calls = Tally()

  func detections(in image: Squares, minimumConfidence: Float) async throws -> [Detection] {
    calls.add(1)
    return (0..<image.count).map { index in
      Detection(
        box: Box(x: Float(index) * 40, y: 0, width: 20, height: 20), score: 0.9, objectness: 0.9,
        classScore: 1, classID: 0)
    }
  }

  func scale(imageWidth: Int, imageHeight: Int) -> Double { 0.5 }
}

/// Finds all squares alike; tells after each batch how many there were.
struct SquareEmbedder: ImageEmbedder {
  let dimension = 2
  var calls = Tally()
  var afterBatch: @Sendable (Int) -> Void = { _ in }

  func embeddings(of images: [Squares]) async throws -> EmbeddingMatrix {
    let batches = calls.add(1)
    defer { afterBatch(batches) }
    return try EmbeddingMatrix(
      values: images.flatMap { _ in [Float(1), 0] }, dimension: dimension)
  }
}

/// A number that tasks add to.
final class Tally: @unchecked Sendable {  // every access holds the lock
  private let lock = NSLock()
  private var sum = 0
  private var peak = 0

  /// Adds, and answers the new number.
  @discardableResult
  func add(_ number: Int) -> Int {
    lock.withLock {
      sum += number
      peak = max(peak, sum)
      return sum
    }
  }

  var value: Int { lock.withLock { sum } }
  /// The largest number there was.
  var largest: Int { lock.withLock { peak } }
}

/// An event that tasks wait for; waiting does not end by cancellation.
final class Signal: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

  func fire() { continuation.finish() }

  func wait() async {
    // A task of its own, as a stream ends when the task that reads it is cancelled.
    await Task { for await _ in stream {} }.value
  }
}

struct Mishap: Error, Equatable {
  var isLasting = false
}

extension Activity {
  /// The first snapshot that fits.
  func first(where fits: @Sendable (Snapshot) -> Bool) async -> Snapshot {
    for await snapshot in snapshots where fits(snapshot) { return snapshot }
    return snapshot
  }

  /// The first snapshot of a run that is over.
  func settled() async -> Snapshot { await first { $0.run > 0 && !$0.isActive } }
}

extension Activity.Snapshot {
  /// The phase's name.
  var name: Substring { phase.textKey.dropFirst("activity.".count) }
}
