#if canImport(Vision)
  import CoreML
  import Geometry
  import Vision
  import VisionProtocols

  /// Finds objects with a Core ML model that answers boxes and labels, as Create ML makes them and
  /// as exports with the suppression inside are.
  ///
  /// ```swift
  /// let model = try FruitDetector(configuration: MLModelConfiguration()).model    // Xcode's class
  /// let detector = try CoreMLObjectDetector<Raster>(model: model)
  /// let found = try await detector.detections(in: image, minimumConfidence: 0.3)
  /// print(detector.labels[found[0].classID])
  /// ```
  ///
  /// The whole image is seen, stretched to the model's input. The score of a detection is Vision's
  /// confidence times that of the label. A model that answers numbers needs
  /// ``CoreMLTensorDetector``.
  public struct CoreMLObjectDetector<Image: VisionImage>: ObjectDetector {
    /// The names of the classes; a detection's `classID` is an index of them.
    public let labels: [String]

    private let classIDs: [String: Int]
    private let model: SharedVisionModel
    private let inputSize: (width: Int, height: Int)?
    private let queue = BlockingQueue(label: "tally.vision.objects")

    /// Makes a detector.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - labels: the names of its classes in order; nil if the model says them.
    /// - Throws: ``AppleVisionError/model(reason:found:)`` if Vision does not take the model or no
    ///   labels are known.
    public init(model: MLModel, labels: [String]? = nil) throws {
      let found = model.modelDescription.signature
      let known = labels ?? model.modelDescription.classLabels?.map { String(describing: $0) }
      guard let known, !known.isEmpty else {
        throw AppleVisionError.model(
          reason: "it does not say the labels of its classes; pass them", found: found)
      }
      self.labels = known
      classIDs = Dictionary(zip(known, known.indices)) { first, _ in first }
      self.model = try SharedVisionModel(model, found: found)
      inputSize = model.modelDescription.imageInput.map {
        (width: $0.pixelsWide, height: $0.pixelsHigh)
      }
    }

    /// Every object whose score is at least `minimumConfidence`.
    ///
    /// If the model has an input `confidenceThreshold`, it gets the minimum, so that a low one
    /// finds more than the model's own.
    ///
    /// - Throws: ``AppleVisionError``; `CancellationError` if the task is cancelled, which cancels
    ///   the request; what the image throws.
    public func detections(
      in image: Image, minimumConfidence: Float
    ) async throws -> [Detection] {
      try await queue.answer(
        "objects", for: image, make: { try model.request(minimumConfidence: minimumConfidence) }
      ) { request, space in
        let results = request.results ?? []
        let objects = results.compactMap { $0 as? VNRecognizedObjectObservation }
        guard objects.count == results.count else {
          throw AppleVisionError.model(
            reason: "it does not answer boxes with labels", found: model.found)
        }
        var unknown: String?
        let detections = objects.compactMap { object in
          ObservedObject(
            box: NormalizedBox(object.boundingBox), confidence: object.confidence,
            classes: object.labels.map { ($0.identifier, $0.confidence) }
          ).detection(in: space, classIDs: classIDs, unknown: &unknown)
        }
        if let unknown { throw AppleVisionError.unknownLabel(unknown, labels: labels) }
        return detections.filter { $0.score >= minimumConfidence }
      }
    }

    /// The smaller of the two scales by which an image is stretched.
    public func scale(imageWidth: Int, imageHeight: Int) -> Double {
      guard let inputSize, inputSize.width > 0, inputSize.height > 0, imageWidth > 0,
        imageHeight > 0
      else { return 1 }
      return min(
        Double(inputSize.width) / Double(imageWidth),
        Double(inputSize.height) / Double(imageHeight))
    }
  }

  /// A model that requests of Vision share.
  private final class SharedVisionModel: @unchecked Sendable {
    // Unchecked: the queue of its detector makes and performs one request at a time.

    let found: String
    private let model: VNCoreMLModel
    private let takesThreshold: Bool

    init(_ model: MLModel, found: String) throws {
      do {
        self.model = try VNCoreMLModel(for: model)
      } catch {
        throw AppleVisionError.model(reason: error.localizedDescription, found: found)
      }
      self.found = found
      takesThreshold =
        model.modelDescription.inputDescriptionsByName["confidenceThreshold"]?.type == .double
    }

    func request(minimumConfidence: Float) throws -> VNCoreMLRequest {
      if takesThreshold {
        model.featureProvider = try MLDictionaryFeatureProvider(
          dictionary: [
            "confidenceThreshold": MLFeatureValue(double: Double(minimumConfidence))
          ])
      }
      let request = VNCoreMLRequest(model: model)
      request.imageCropAndScaleOption = .scaleFill
      return request
    }
  }
#endif
