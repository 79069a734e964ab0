import Geometry
import VisionProtocols

/// What detector and embedder answered about a photo.
///
/// ``ObjectCounter/recount(_:configuration:guide:)`` counts from it, without the photo and without
/// the models. ``ObjectCounter/tracedCount(in:guide:recountableFrom:progress:)`` returns one.
///
/// Memory: the candidates of the detector, about 110 bytes each, and one embedding for each crop.
public struct KeptLook: Hashable, Sendable {
  /// The lowest score of the detections that are kept, 0...1.
  ///
  /// It is the lower bound of a slider for ``CountingConfiguration/confidence``.
  public var leastScore: Float { answers.values.map(\.leastScore).max() ?? 0 }
  /// The number of detections that are kept, before any overlap is suppressed.
  public var detectionCount: Int { answers.values.reduce(0) { $0 + $1.detections.count } }
  /// The number of crops whose embedding is kept.
  public var embeddingCount: Int { rows.count }

  /// What the detector answered about one part of the photo.
  struct Answer: Hashable, Sendable {
    let leastScore: Float
    let detections: [Detection]
  }

  /// The photo's width in pixels.
  let width: Int
  /// The photo's height in pixels.
  let height: Int
  /// The settings of the count.
  let configuration: CountingConfiguration
  /// The guide of the count.
  let guide: CountingGuide
  /// The detector's scale for each part that it saw.
  var scales: [PixelRect: Double] = [:]
  /// How many values the embedder says that a row has.
  var dimension: Int
  var answers: [PixelRect: Answer] = [:]
  /// The embeddings by the part of the photo that each shows.
  var rows: [PixelRect: [Float]] = [:]
}

/// Collects a look while a photo is counted.
actor LookRecorder {
  private(set) var look: KeptLook

  init(_ look: KeptLook) { self.look = look }

  func note(_ answer: KeptLook.Answer, scale: Double, at rect: PixelRect) {
    look.answers[rect] = answer
    look.scales[rect] = scale
  }

  func note(_ embeddings: EmbeddingMatrix, at rects: [PixelRect]) {
    for (place, rect) in rects.enumerated() {
      look.rows[rect] = Array(embeddings[row: place])
    }
  }
}

/// A part of a photo that knows where it lies.
struct PhotoPart<Photo: CroppableImage>: CroppableImage {
  let pixels: Photo
  let rect: PixelRect

  var width: Int { rect.width }
  var height: Int { rect.height }

  /// Nil if the photo has no pixels.
  init?(whole photo: Photo) {
    guard let rect = PixelRect(x: 0, y: 0, width: photo.width, height: photo.height) else {
      return nil
    }
    (pixels, self.rect) = (photo, rect)
  }

  private init(_ pixels: Photo, at rect: PixelRect) {
    (self.pixels, self.rect) = (pixels, rect)
  }

  func cropped(to rect: PixelRect) -> PhotoPart? {
    guard let part = pixels.cropped(to: rect),
      let place = PixelRect(
        x: self.rect.x + rect.x, y: self.rect.y + rect.y, width: rect.width, height: rect.height)
    else { return nil }
    return PhotoPart(part, at: place)
  }
}

/// A detector whose answers are kept.
struct RecordingDetector<Detector: ObjectDetector>: ObjectDetector
where Detector.Image: CroppableImage {
  let detector: Detector
  let recorder: LookRecorder
  /// Detections are kept from this score on, even if higher ones are asked for; nil keeps what is
  /// asked for.
  let leastScore: Float?

  func detections(
    in image: PhotoPart<Detector.Image>, minimumConfidence: Float
  ) async throws -> [Detection] {
    let least = min(leastScore ?? minimumConfidence, minimumConfidence)
    let answer = KeptLook.Answer(
      leastScore: least,
      detections: try await detector.detections(in: image.pixels, minimumConfidence: least))
    await recorder.note(
      answer, scale: scale(imageWidth: image.width, imageHeight: image.height), at: image.rect)
    return answer.detections(from: minimumConfidence)
  }

  func scale(imageWidth: Int, imageHeight: Int) -> Double {
    detector.scale(imageWidth: imageWidth, imageHeight: imageHeight)
  }
}

extension KeptLook.Answer {
  /// What the detector would answer if it were asked for scores from `least` on.
  func detections(from least: Float) -> [Detection] {
    least > leastScore ? detections.filter { $0.score >= least } : detections
  }
}

/// An embedder whose answers are kept.
struct RecordingEmbedder<Embedder: ImageEmbedder>: ImageEmbedder
where Embedder.Image: CroppableImage {
  let embedder: Embedder
  let recorder: LookRecorder

  var dimension: Int { embedder.dimension }

  func embeddings(of images: [PhotoPart<Embedder.Image>]) async throws -> EmbeddingMatrix {
    let embeddings = try await embedder.embeddings(of: images.map(\.pixels))
    // A wrong number of rows is the count's to report.
    if embeddings.count == images.count {
      await recorder.note(embeddings, at: images.map(\.rect))
    }
    return embeddings
  }
}
