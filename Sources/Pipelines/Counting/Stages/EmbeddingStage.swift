import Geometry
import VisionProtocols

/// Crops the image and computes embeddings, batch by batch.
///
/// It holds the pixels of one batch at a time, and checks for cancellation between batches.
public struct EmbeddingStage: Hashable, Sendable {
  /// How many crops go to the embedder at once, at least 1.
  public var batchSize: Int

  /// Makes the stage; a size below 1 counts as 1.
  public init(batchSize: Int = 4) {
    self.batchSize = max(1, batchSize)
  }

  /// One row per crop, in order.
  ///
  /// - Parameters:
  ///   - crops: rectangles inside the image, from ``CropStage``.
  ///   - image: the image of the crops.
  ///   - embedder: the embedder of the crops.
  ///   - afterEachBatch: called with the number of crops done so far.
  /// - Throws: ``CountingError`` if the embedder answers too few or too many rows, rows of
  ///   unequal length, or a row of zeros or non-finite values; `CancellationError`; what the
  ///   embedder throws.
  public func embeddings<Embedder: ImageEmbedder>(
    of crops: [Crop], in image: Embedder.Image, with embedder: Embedder,
    afterEachBatch: (Int) -> Void = { _ in }
  ) async throws -> StageOutput<EmbeddingMatrix> where Embedder.Image: CroppableImage {
    var values: [Float] = []
    var dimension: Int?
    var done = 0
    while done < crops.count {
      try Task.checkCancellation()
      let batch = crops[done..<min(crops.count, done + max(1, batchSize))]
      let rows = try await Self.rows(of: batch, firstCrop: done, in: image, with: embedder)
      if let dimension, dimension != rows.dimension {
        throw CountingError.embeddingDimension(expected: dimension, got: rows.dimension)
      }
      if dimension == nil {
        dimension = rows.dimension
        values.reserveCapacity(rows.dimension * crops.count)
      }
      values += rows.values
      done += batch.count
      afterEachBatch(done)
    }
    let matrix = try EmbeddingMatrix(
      values: values, dimension: dimension ?? max(1, embedder.dimension))
    return StageOutput(items: matrix, itemsIn: crops.count, itemsOut: matrix.count)
  }

  /// The rows of one batch, each of which has a direction.
  private static func rows<Embedder: ImageEmbedder>(
    of crops: ArraySlice<Crop>, firstCrop: Int, in image: Embedder.Image, with embedder: Embedder
  ) async throws -> EmbeddingMatrix where Embedder.Image: CroppableImage {
    let pieces = try crops.map { crop in
      guard let piece = image.cropped(to: crop.rect) else {
        throw CountingError.cropRefused(crop.rect, width: image.width, height: image.height)
      }
      return piece
    }
    do {
      let rows = try await embedder.embeddings(of: pieces)
      guard rows.count == crops.count else {
        throw CountingError.embeddingCount(expected: crops.count, got: rows.count)
      }
      try rows.requireDirections()
      return rows
    } catch EmbeddingMatrixError.zeroRow(let index) {
      // An embedder knows its batch; the crop's number is over all batches.
      throw CountingError.zeroEmbedding(crop: firstCrop + index)
    } catch EmbeddingMatrixError.nonFiniteRow(let index) {
      throw CountingError.nonFiniteEmbedding(crop: firstCrop + index)
    }
  }
}
