import Counting
import ONNXRunner

extension ObjectCounter where Detector == YOLOXDetector, Embedder == ImageEmbeddingModel {
  /// A counter with the bundled detector and embedder, and the configuration that suits them.
  ///
  /// ```swift
  /// let counter = try ObjectCounter.bundled()
  /// let photo = try ImageFile.load(contentsOf: URL(fileURLWithPath: "coins.png"))
  /// let result = try await counter.count(in: photo)
  /// ```
  ///
  /// To use other thresholds, set ``/Counting/ObjectCounter/configuration``. The interval of a
  /// count is calibrated for these thresholds.
  ///
  /// - Parameter options: threads and passes of the runner, for both models.
  /// - Throws: ``ReferenceModelError/missingResource(name:searched:)`` if a file is not beside the
  ///   program; `ModelError` if one is damaged.
  public static func bundled(
    options: SessionOptions = SessionOptions()
  ) throws -> ObjectCounter {
    ObjectCounter(
      detector: try BundledModels.detector(options: options),
      embedder: try BundledModels.embedder(options: options),
      configuration: .adaptive.suitedToBundledModels(), calibration: .bundledModels)
  }
}
