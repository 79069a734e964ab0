import Geometry
import VisionProtocols

/// A photo without pixels, of which the places of its parts are known.
struct KeptImage: CroppableImage {
  let rect: PixelRect

  var width: Int { rect.width }
  var height: Int { rect.height }

  func cropped(to rect: PixelRect) -> KeptImage? {
    guard rect.x >= 0, rect.y >= 0, rect.maxX <= width, rect.maxY <= height else { return nil }
    return PixelRect(
      x: self.rect.x + rect.x, y: self.rect.y + rect.y, width: rect.width, height: rect.height
    ).map(KeptImage.init)
  }
}

/// A detector that answers what was kept.
struct KeptDetector: ObjectDetector {
  let look: KeptLook
  /// The fields that differ from those of the count, for errors.
  let changed: [String]
  let scale: @Sendable (_ width: Int, _ height: Int) -> Double

  func detections(in image: KeptImage, minimumConfidence: Float) async throws -> [Detection] {
    guard let answer = look.answers[image.rect] else {
      throw RecountError.tile(image.rect, fields: changed)
    }
    guard minimumConfidence >= answer.leastScore else {
      let field = CountingField.confidence.name
      throw RecountError.score(
        minimumConfidence, kept: answer.leastScore,
        fields: changed.contains(field) ? [field] : changed)
    }
    return answer.detections(from: minimumConfidence)
  }

  func scale(imageWidth: Int, imageHeight: Int) -> Double { scale(imageWidth, imageHeight) }
}

/// An embedder that answers what was kept.
struct KeptEmbedder: ImageEmbedder {
  let look: KeptLook
  /// The fields that differ from those of the count, for errors.
  let changed: [String]

  var dimension: Int { look.dimension }

  func embeddings(of images: [KeptImage]) async throws -> EmbeddingMatrix {
    var values: [Float] = []
    values.reserveCapacity(images.count * dimension)
    var length = dimension
    for image in images {
      guard let row = look.rows[image.rect] else {
        throw RecountError.crop(image.rect, fields: changed)
      }
      values += row
      length = row.count
    }
    return try EmbeddingMatrix(values: values, dimension: max(1, length))
  }
}
