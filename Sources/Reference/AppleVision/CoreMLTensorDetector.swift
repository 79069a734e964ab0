#if canImport(Vision)
  import CoreML
  import DetectionDecode
  import Geometry
  import Raster
  import VisionProtocols

  /// How the output of a Core ML detector is read.
  public enum CoreMLDetectionHead: Hashable, Sendable {
    /// A YOLOX head: `[1, N, 5 + C]`.
    case yolox(isSelfDecoded: Bool = false)
    /// A table of candidates, such as `CandidateTable.yolov8(classCount: 80)`, whose boxes are in
    /// pixels of the network's input.
    case table(CandidateTable)
  }

  /// How an image becomes the input of a Core ML detector.
  ///
  /// If the model takes an image, the order and the normalization are in the model.
  public struct CoreMLDetectionInput: Hashable, Sendable {
    /// The place of the image on the canvas.
    public var placement: Letterbox.Placement
    /// The rounding of the scaled sides.
    public var sides: Letterbox.SideRounding
    /// The value of every sample outside the image.
    public var fill: UInt8
    /// The order of the planes, if the model takes an array.
    public var order: ChannelOrder
    /// What is done to samples, if the model takes an array.
    public var normalization: PixelNormalization

    /// Makes a rule.
    public init(
      placement: Letterbox.Placement, sides: Letterbox.SideRounding, fill: UInt8 = 114,
      order: ChannelOrder = .rgb, normalization: PixelNormalization = .none
    ) {
      self.placement = placement
      self.sides = sides
      self.fill = fill
      self.order = order
      self.normalization = normalization
    }

    /// As YOLOX was trained: top left, blue first, 0...255.
    public static let yolox = CoreMLDetectionInput(
      placement: .topLeft, sides: .truncated, order: .bgr)

    /// As YOLOv5 and later were trained: in the middle, red first, 0...1.
    public static let yolo = CoreMLDetectionInput(
      placement: .centered, sides: .nearest, normalization: PixelNormalization(divisor: 255))
  }

  /// Finds objects with a Core ML model that answers an array of numbers.
  ///
  /// ```swift
  /// let detector = try CoreMLTensorDetector<Raster>(
  ///   model: model, head: .table(.yolov8(classCount: 80)))
  /// let found = try await detector.detections(in: image, minimumConfidence: 0.25)
  /// ```
  ///
  /// The model takes an image, or an array of `[1, 3, H, W]`. Its output may be `float16`,
  /// `float32` or `float64`, with any strides. Tally letterboxes the image and decodes the output,
  /// as it does for the same network on `ONNXRunner`.
  /// Candidates are not suppressed; a count does that as its first stage, and `NMS` does it alone.
  public struct CoreMLTensorDetector<Image: VisionImage>: ObjectDetector {
    /// How the output is read.
    public let head: CoreMLDetectionHead
    /// How an image becomes the input.
    public let preprocessing: CoreMLDetectionInput

    private let network: CoreMLNetwork
    private let queue = BlockingQueue(label: "tally.coreml.detector")

    /// Makes a detector.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - head: how the output is read.
    ///   - preprocessing: how an image becomes the input; nil for that with which networks with
    ///     this head are trained.
    ///   - output: the name of the output; nil if the model has only one that is an array.
    /// - Throws: ``AppleVisionError/model(reason:found:)`` if the model has other inputs or
    ///   outputs.
    public init(
      model: MLModel, head: CoreMLDetectionHead, preprocessing: CoreMLDetectionInput? = nil,
      output: String? = nil
    ) throws {
      network = try CoreMLNetwork(model, output: output)
      self.head = head
      self.preprocessing =
        preprocessing
        ?? {
          switch head {
          case .yolox: .yolox
          case .table: .yolo
          }
        }()
    }

    /// Every candidate whose score is at least `minimumConfidence`, in the order of the output.
    ///
    /// A prediction that has begun is not interrupted.
    ///
    /// - Throws: ``AppleVisionError``; `DetectionDecodeError` or `YOLOXDecodeError` if the output
    ///   is not that of the head; `CancellationError` if the task is cancelled; what the image
    ///   throws.
    public func detections(
      in image: Image, minimumConfidence: Float
    ) async throws -> [Detection] {
      try await queue.run { interruption in
        let letterbox = try letterbox(width: image.width, height: image.height)
        let canvas = try image.raster().converted(toChannels: 3)
          .letterboxed(letterbox, fill: preprocessing.fill)
        try interruption.check()
        let output = try network.output(
          for: canvas, order: preprocessing.order, normalization: preprocessing.normalization)
        switch head {
        case .yolox(let isSelfDecoded):
          return try AppleVision.detections(
            fromYOLOX: output, isSelfDecoded: isSelfDecoded, letterbox: letterbox,
            minimumScore: minimumConfidence)
        case .table(let table):
          return try AppleVision.detections(
            from: table, output: output, letterbox: letterbox, minimumScore: minimumConfidence)
        }
      }
    }

    /// The letterbox's: by how much an image of this size is made smaller or larger.
    public func scale(imageWidth: Int, imageHeight: Int) -> Double {
      (try? letterbox(width: imageWidth, height: imageHeight))?.ratio ?? 1
    }

    private func letterbox(width: Int, height: Int) throws -> Letterbox {
      try Letterbox(
        imageWidth: width, imageHeight: height, networkWidth: network.width,
        networkHeight: network.height, placement: preprocessing.placement,
        sides: preprocessing.sides)
    }
  }
#endif
