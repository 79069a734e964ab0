import CommandKit
import Foundation
import Geometry
import ImageFiles
import Raster
import ReferenceModels
import VisionProtocols

/// A photo that is counted several times.
///
/// Its pixels are read when a model needs them, and can be released in between.
final class TunedPhoto: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.
  private let lock = NSLock()
  private var raster: Raster?
  let path: String
  let width: Int
  let height: Int

  /// Reads a photo.
  init(_ truth: TruePhoto) throws {
    path = truth.path
    let image = try ImageFile.load(contentsOf: InputFile.existing(path))
    try truth.check(image)
    (width, height) = (image.width, image.height)
    raster = image
  }

  /// The pixels, read again if they were released.
  func pixels() throws -> Raster {
    try lock.withLock {
      if let raster { return raster }
      let image = try ImageFile.load(contentsOf: InputFile.existing(path))
      guard image.width == width, image.height == height else {
        throw CommandError(.badData, at: path, "the photo was changed in the meantime")
      }
      raster = image
      return image
    }
  }

  /// Releases the pixels.
  func release() { lock.withLock { raster = nil } }
}

/// A piece of a photo, identified by its place, so that a model processes it only once.
struct PhotoPiece: CroppableImage, Hashable {
  let photo: TunedPhoto
  let rect: PixelRect

  /// The whole of a photo; nil for one without pixels.
  init?(_ photo: TunedPhoto) {
    guard let rect = PixelRect(x: 0, y: 0, width: photo.width, height: photo.height) else {
      return nil
    }
    self.init(photo, rect)
  }

  private init(_ photo: TunedPhoto, _ rect: PixelRect) {
    self.photo = photo
    self.rect = rect
  }

  var width: Int { rect.width }
  var height: Int { rect.height }

  func cropped(to part: PixelRect) -> PhotoPiece? {
    guard part.x >= 0, part.y >= 0, part.x + part.width <= width, part.y + part.height <= height,
      let place = PixelRect(
        x: rect.x + part.x, y: rect.y + part.y, width: part.width, height: part.height)
    else { return nil }
    return PhotoPiece(photo, place)
  }

  /// Its pixels.
  func pixels() throws -> Raster {
    let whole = try photo.pixels()
    if rect.width == whole.width, rect.height == whole.height { return whole }
    guard let piece = whole.cropped(to: rect) else {
      throw CommandError(.software, at: photo.path, "a piece of the photo lies outside it")
    }
    return piece
  }

  static func == (one: PhotoPiece, other: PhotoPiece) -> Bool {
    one.photo === other.photo && one.rect == other.rect
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(photo))
    hasher.combine(rect)
  }
}

/// The results of models.
private final class Answers<Value: Sendable>: @unchecked Sendable {
  // Unchecked: `values` is only touched under `lock`.
  private let lock = NSLock()
  private var values: [PhotoPiece: Value] = [:]

  subscript(_ piece: PhotoPiece) -> Value? {
    get { lock.withLock { values[piece] } }
    set { lock.withLock { values[piece] = newValue } }
  }
}

/// A detector that processes each piece of a photo once.
struct RememberedDetector: ObjectDetector {
  private let detector: AnyDetector
  private let floor: Float
  private let answers = Answers<[Detection]>()

  /// - Parameter floor: the least confidence that will be requested; below it the detector runs
  ///   again.
  init(_ detector: AnyDetector, floor: Float) {
    self.detector = detector
    self.floor = floor
  }

  func detections(
    in image: PhotoPiece, minimumConfidence: Float
  ) async throws -> [Detection] {
    guard minimumConfidence >= floor else {
      return try await detector.detections(
        in: image.pixels(), minimumConfidence: minimumConfidence)
    }
    let all: [Detection]
    if let known = answers[image] {
      all = known
    } else {
      all = try await detector.detections(in: image.pixels(), minimumConfidence: floor)
      answers[image] = all
    }
    return all.filter { $0.score >= minimumConfidence }
  }

  func scale(imageWidth: Int, imageHeight: Int) -> Double {
    detector.scale(imageWidth: imageWidth, imageHeight: imageHeight)
  }
}

/// An embedder that processes each piece of a photo once.
struct RememberedEmbedder: ImageEmbedder {
  private let embedder: AnyEmbedder
  private let answers = Answers<[Float]>()

  var dimension: Int { embedder.dimension }

  init(_ embedder: AnyEmbedder) {
    self.embedder = embedder
  }

  func embeddings(of images: [PhotoPiece]) async throws -> EmbeddingMatrix {
    let missing = images.filter { answers[$0] == nil }
    if !missing.isEmpty {
      let rows = try await embedder.embeddings(of: missing.map { try $0.pixels() })
      // The caller finds that an embedder returned too few rows.
      guard rows.count == missing.count else { return rows }
      for (index, image) in missing.enumerated() { answers[image] = Array(rows[row: index]) }
    }
    let rows = images.compactMap { answers[$0] }
    return try EmbeddingMatrix(values: rows.flatMap(\.self), dimension: rows.first?.count ?? 1)
  }
}
