import Geometry
import Perception

/// Cuts the crops out of the image and turns them into embeddings, a batch at a time.
///
/// Pixels of one batch are held at a time. Between batches the task's cancellation is honoured.
public struct EmbeddingStage: Hashable, Sendable {
  /// How many crops go to the embedder at once, at least 1.
  public var batchSize: Int

  /// Makes the stage; a size below 1 counts as 1.
  public init(batchSize: Int = 16) {
    self.batchSize = max(1, batchSize)
  }

  /// One row per crop, in order.
  ///
  /// - Parameters:
  ///   - crops: rectangles inside the image, from ``CropStage``.
  ///   - image: the image they lie in.
  ///   - embedder: what turns pixels into a row.
  ///   - afterEachBatch: called with the number of crops done so far.
  /// - Throws: ``CountingError`` where the embedder answers too few or too many rows, rows of
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
      let rows = try await embedder.embeddings(
        of: batch.map { crop in
          guard let piece = image.cropped(to: crop.rect) else {
            throw CountingError.cropRefused(crop.rect, width: image.width, height: image.height)
          }
          return piece
        })
      guard rows.count == batch.count else {
        throw CountingError.embeddingCount(expected: batch.count, got: rows.count)
      }
      if let dimension, dimension != rows.dimension {
        throw CountingError.embeddingDimension(expected: dimension, got: rows.dimension)
      }
      try Self.check(rows, firstCrop: done)
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

  /// Refuses rows that have no direction.
  private static func check(_ rows: EmbeddingMatrix, firstCrop: Int) throws {
    for row in 0..<rows.count {
      var isZero = true
      for value in rows[row: row] {
        guard value.isFinite else {
          throw CountingError.nonFiniteEmbedding(crop: firstCrop + row)
        }
        if value != 0 { isZero = false }
      }
      if isZero { throw CountingError.zeroEmbedding(crop: firstCrop + row) }
    }
  }
}
