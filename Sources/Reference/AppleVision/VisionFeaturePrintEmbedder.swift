#if canImport(Vision)
  import Raster
  import Vision
  import VisionProtocols

  /// Turns images into vectors with Vision's feature print, so that no model of yours is needed.
  ///
  /// ```swift
  /// let counter = ObjectCounter(
  ///   detector: try CoreMLObjectDetector(model: model),
  ///   embedder: try VisionFeaturePrintEmbedder<Raster>())
  /// ```
  ///
  /// The whole image is seen, out of proportion if it is not a square. Feature prints of different
  /// versions of a system may differ in length and meaning. Do not compare vectors that were stored
  /// under another version.
  public struct VisionFeaturePrintEmbedder<Image: VisionImage>: ImageEmbedder {
    /// How many values a feature print has on this system.
    public let dimension: Int

    private let queue = BlockingQueue(label: "tally.vision.print")

    /// Makes an embedder, and looks at a blank image to learn the dimension.
    ///
    /// It takes as long as one embedding, and the first one loads the system's model. Call it off
    /// the main thread.
    ///
    /// - Throws: ``AppleVisionError``.
    public init() throws {
      let blank = try Raster(width: 64, height: 64, channels: 3, fill: 128)
      dimension = try Self.print(of: blank, Interruption()).count
    }

    /// One L2-normalized row per image, in order.
    ///
    /// - Throws: ``AppleVisionError``; `EmbeddingMatrixError` if a feature print has no direction;
    ///   `CancellationError` if the task is cancelled, which cancels the request; what an image
    ///   throws.
    public func embeddings(of images: [Image]) async throws -> EmbeddingMatrix {
      try await queue.run { [dimension] interruption in
        var values: [Float] = []
        values.reserveCapacity(images.count * dimension)
        for image in images {
          try interruption.check()
          let print = try Self.print(of: image, interruption)
          guard print.count == dimension else {
            throw AppleVisionError.request(
              name: "a feature print", reason: "\(print.count) values instead of \(dimension)")
          }
          values += print
        }
        return try EmbeddingMatrix(values: values, dimension: dimension).normalized()
      }
    }

    private static func print(
      of image: some VisionImage, _ interruption: Interruption
    ) throws -> [Float] {
      try perform(
        "a feature print", on: image,
        make: {
          let request = VNGenerateImageFeaturePrintRequest()
          request.imageCropAndScaleOption = .scaleFill
          return request
        },
        read: { (request: VNGenerateImageFeaturePrintRequest, _) in
          guard let print = request.results?.first, let values = values(of: print),
            !values.isEmpty
          else {
            throw AppleVisionError.request(name: "a feature print", reason: "there is no result")
          }
          return values
        }, interruption)
    }

    private static func values(of print: VNFeaturePrintObservation) -> [Float]? {
      let element: MultiArrayLayout.Element
      switch print.elementType {
      case .float: element = .float32
      case .double: element = .float64
      default: return nil
      }
      return print.data.withUnsafeBytes { bytes in
        MultiArrayLayout(shape: [print.elementCount], element: element)?.values(in: bytes)
      }
    }
  }
#endif
