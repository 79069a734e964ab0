#if canImport(Vision)
  import CoreML
  import Raster
  import VisionProtocols

  /// Turns images into vectors with a Core ML model, such as a CLIP vision tower.
  ///
  /// ```swift
  /// let embedder = try CoreMLImageEmbedder<Raster>(model: model, preprocessing: .clip)
  /// let rows = try await embedder.embeddings(of: crops)
  /// ```
  ///
  /// The model takes a square image, or an array of `[1, 3, S, S]`, and answers an array, whose
  /// values are the vector. If it takes an image, the order of the planes and the normalization are
  /// in the model, and only the framing and the resampling of ``preprocessing`` are used.
  public struct CoreMLImageEmbedder<Image: VisionImage>: ImageEmbedder {
    /// How an image becomes the network's input.
    public let preprocessing: CropPreprocessing
    /// How many values an embedding has.
    public let dimension: Int

    private let network: CoreMLNetwork
    private let queue = BlockingQueue(label: "tally.coreml.embedder")

    /// Makes an embedder, and looks at a blank image to learn the dimension.
    ///
    /// It takes as long as one embedding. Call it off the main thread.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - preprocessing: how images are prepared, with the size of the model's input; nil for a
    ///     crop from the middle and samples 0...1.
    ///   - output: the name of the output; nil if the model has only one that is an array.
    /// - Throws: ``AppleVisionError`` if the model has other inputs or outputs, or cannot be run.
    public init(
      model: MLModel, preprocessing: CropPreprocessing? = nil, output: String? = nil
    ) throws {
      let network = try CoreMLNetwork(model, output: output)
      let rule =
        preprocessing
        ?? CropPreprocessing(
          size: network.width, normalization: PixelNormalization(divisor: 255))
      guard network.width == network.height, rule.size == network.width else {
        throw AppleVisionError.model(
          reason: "its input is \(network.width) x \(network.height) pixels, and "
            + "\(rule.size) x \(rule.size) are prepared", found: network.found)
      }
      let blank = try Raster(width: rule.size, height: rule.size, channels: 3, fill: 128)
      let values = try network.output(
        for: blank, order: rule.order, normalization: rule.normalization
      ).values
      guard !values.isEmpty else {
        throw AppleVisionError.model(reason: "it answers no values", found: network.found)
      }
      self.network = network
      self.preprocessing = rule
      dimension = values.count
    }

    /// One L2-normalized row per image, in order.
    ///
    /// A prediction that has begun is not interrupted; the next one is not begun.
    ///
    /// - Throws: ``AppleVisionError``; `EmbeddingMatrixError` if a vector has no direction;
    ///   `CancellationError` if the task is cancelled; what an image throws.
    public func embeddings(of images: [Image]) async throws -> EmbeddingMatrix {
      try await queue.run { interruption in
        var values: [Float] = []
        values.reserveCapacity(images.count * dimension)
        for image in images {
          try interruption.check()
          let output = try network.output(
            for: preprocessing.square(of: image.raster()), order: preprocessing.order,
            normalization: preprocessing.normalization)
          guard output.values.count == dimension else {
            throw AppleVisionError.prediction(
              reason: "\(output.values.count) values instead of \(dimension)")
          }
          values += output.values
        }
        return try EmbeddingMatrix(values: values, dimension: dimension).normalized()
      }
    }
  }
#endif
