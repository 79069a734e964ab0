import Counting
import Foundation
import FuzzSupport
import Geometry
import VisionProtocols

/// An image that has a size and nothing else.
struct Frame: CroppableImage {
  let width: Int
  let height: Int

  func cropped(to rect: PixelRect) -> Frame? { Frame(width: rect.width, height: rect.height) }
}

/// What the models of a count answer next, taken from the fuzzer's bytes.
final class Answers: @unchecked Sendable {
  // Safe to share: the lock guards the one variable.
  private let lock = NSLock()
  private var choices: Choices

  init(_ choices: Choices) { self.choices = choices }

  func take<Value>(_ body: (inout Choices) -> Value) -> Value {
    lock.withLock { body(&choices) }
  }
}

/// A detector that answers anything.
struct AnyDetector: ObjectDetector {
  let answers: Answers

  func detections(in image: Frame, minimumConfidence: Float) async throws -> [Detection] {
    answers.take { choices in
      (0..<choices.below(64)).map { _ in
        Detection(
          box: choices.box(), score: choices.share(), objectness: choices.share(),
          classScore: choices.share(), classID: choices.once(in: 16) ? choices.integer() : 0)
      }
    }
  }
}

/// An embedder that answers anything: mostly directions of a few kinds.
struct AnyEmbedder: ImageEmbedder {
  let answers: Answers
  let dimension = 4

  func embeddings(of images: [Frame]) async throws -> EmbeddingMatrix {
    let values = answers.take { choices in
      images.flatMap { _ -> [Float] in
        let kind = choices.byte()
        if kind >= 250 { return (0..<4).map { _ in choices.anyFloat() } }
        if kind >= 245 { return (0..<4).map { _ in choices.float() } }
        var row: [Float] = [0.1, 0.1, 0.1, Float(kind >> 2) / 128]
        row[Int(kind % 4)] = 1
        let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return row.map { $0 / length }
      }
    }
    return try EmbeddingMatrix(values: values, dimension: dimension)
  }
}
