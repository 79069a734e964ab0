#if canImport(Vision)
  import Geometry
  import Vision
  import VisionProtocols

  /// Finds rectangles in perspective with Vision, such as cards, covers and signs.
  ///
  /// ```swift
  /// let outlines = try await VisionRectangleDetector(aspectRatios: 0.1...1).outlines(in: image)
  /// ```
  public struct VisionRectangleDetector<Image: VisionImage>: OutlineDetector {
    /// The shorter side divided by the longer one, 0...1.
    public let aspectRatios: ClosedRange<Float>
    /// By how many degrees a corner may differ from a right angle, 0...45.
    public let angleTolerance: Float
    /// The least side, as a share of the image's shorter side, 0...1.
    public let minimumSize: Float
    /// The least confidence, 0...1.
    public let minimumConfidence: Float
    /// How many are found at most; 0 for any number.
    public let maximumCount: Int

    private let queue = BlockingQueue(label: "tally.vision.rectangles")

    /// Makes a detector.
    ///
    /// Values outside of their ranges are moved to the nearest one inside; so is NaN to the least.
    ///
    /// - Parameters:
    ///   - aspectRatios: the shorter side divided by the longer one, 0...1.
    ///   - angleTolerance: by how many degrees a corner may differ from a right angle, 0...45.
    ///   - minimumSize: the least side, as a share of the image's shorter side, 0...1.
    ///   - minimumConfidence: the least confidence, 0...1.
    ///   - maximumCount: how many are found at most; 0 for any number.
    public init(
      aspectRatios: ClosedRange<Float> = 0.1...1, angleTolerance: Float = 30,
      minimumSize: Float = 0.1, minimumConfidence: Float = 0, maximumCount: Int = 0
    ) {
      let least = clamped(aspectRatios.lowerBound, to: 0...1)
      self.aspectRatios = least...max(least, clamped(aspectRatios.upperBound, to: 0...1))
      self.angleTolerance = clamped(angleTolerance, to: 0...45)
      self.minimumSize = clamped(minimumSize, to: 0...1)
      self.minimumConfidence = clamped(minimumConfidence, to: 0...1)
      self.maximumCount = max(maximumCount, 0)
    }

    /// Every rectangle that Vision finds.
    ///
    /// - Throws: ``AppleVisionError``; `CancellationError` if the task is cancelled, which cancels
    ///   the request; what the image throws.
    public func outlines(in image: Image) async throws -> [DetectedOutline] {
      try await queue.answer("rectangles", for: image, make: request) { request, space in
        (request.results ?? []).map { rectangle in
          DetectedOutline(
            outline: space.quadrilateral(of: rectangle), confidence: rectangle.confidence)
        }
      }
    }

    private func request() -> VNDetectRectanglesRequest {
      let request = VNDetectRectanglesRequest()
      request.minimumAspectRatio = aspectRatios.lowerBound
      request.maximumAspectRatio = aspectRatios.upperBound
      request.quadratureTolerance = angleTolerance
      request.minimumSize = minimumSize
      request.minimumConfidence = minimumConfidence
      request.maximumObservations = maximumCount
      return request
    }
  }

  private func clamped(_ value: Float, to range: ClosedRange<Float>) -> Float {
    // A comparison with NaN is false.
    value > range.lowerBound ? min(value, range.upperBound) : range.lowerBound
  }
#endif
