import Foundation
import Geometry
import ONNXRunner
import Raster
import VisionProtocols
import YOLOXDecode

/// A YOLOX detector in an `.onnx` file.
///
/// ```swift
/// let detector = try YOLOXDetector(contentsOf: URL(fileURLWithPath: "yolox_s.onnx"))
/// let found = try await detector.detections(in: image, minimumConfidence: 0.25)
/// ```
///
/// It takes models of any size and number of classes, with three feature maps or four (P6), in
/// `float32` or `float16`. The head may be the raw one of the official export or a decoded one.
/// Scores may be with or without sigmoid. The image is letterboxed into the network's input as in
/// the official code: top left, margin 114, bilinear as OpenCV's, BGR, 0...255. Boxes are in pixels
/// of the image, not clipped to it. Grey images are copied to three channels, alpha is dropped.
///
/// Candidates are not suppressed; the module `NMS` does that, and a count does it as its first
/// stage.
///
/// Source: Ge et al., "YOLOX: Exceeding YOLO Series in 2021".
public struct YOLOXDetector: ObjectDetector {
  /// Size of input and output, and how the output is read.
  public let head: YOLOXHead

  /// Whether scores are probabilities or logits.
  public let scores: ScoreForm

  private let session: InferenceSession
  private let input: ValueDescription
  private let outputName: String

  /// What a network's objectness and class scores are.
  public enum ScoreForm: String, Hashable, Sendable, Codable, CaseIterable {
    /// Probabilities, as of the official export.
    case probabilities
    /// Logits, of an export without the closing sigmoid.
    case logits
    /// Logits if any objectness lies outside 0...1, otherwise probabilities.
    ///
    /// The objectness of empty cells is close to 0, and far below 0 as a logit. If thousands of
    /// cells all lie in 0...1, they are probabilities.
    case automatic
  }

  /// Loads a detector.
  ///
  /// - Parameters:
  ///   - url: the `.onnx` file.
  ///   - isSelfDecoded: whether the network decodes its boxes to pixels; its shapes do not show it.
  ///   - scores: whether scores are probabilities or logits.
  ///   - inputSize: the network's input in pixels, needed only if the model leaves it open.
  ///   - options: threads and passes of the runner.
  /// - Throws: `ModelError` if the file is not a model the runner can run; ``ReferenceModelError``
  ///   if it is not a YOLOX.
  public init(
    contentsOf url: URL, isSelfDecoded: Bool = false, scores: ScoreForm = .automatic,
    inputSize: PixelSize? = nil, options: SessionOptions = SessionOptions()
  ) throws {
    try self.init(
      session: InferenceSession(contentsOf: url, options: options), isSelfDecoded: isSelfDecoded,
      scores: scores, inputSize: inputSize)
  }

  /// Makes a detector of a model that is loaded.
  ///
  /// - Throws: ``ReferenceModelError`` if it is not a YOLOX.
  public init(
    session: InferenceSession, isSelfDecoded: Bool = false, scores: ScoreForm = .automatic,
    inputSize: PixelSize? = nil
  ) throws {
    let found = session.signature
    func refusal(_ reason: String) -> ReferenceModelError {
      .notYOLOX(reason: reason, found: found)
    }

    guard session.inputs.count == 1, let input = session.inputs.first else {
      throw refusal("it has \(session.inputs.count) inputs")
    }
    if let reason = input.reasonNotToTakeImages { throw refusal(reason) }
    if let batch = input.fixedExtent(0), batch != 1 { throw refusal("it takes \(batch) images") }
    guard session.outputs.count == 1, let output = session.outputs.first else {
      throw refusal("it has \(session.outputs.count) outputs")
    }

    let size = try Self.inputSize(of: input, asked: inputSize, found: found)
    let shape: [Int]
    if let declared = output.fixedShape {
      shape = declared
    } else {
      // The model does not say; one run tells.
      let blank = try Tensor(
        shape: [1, 3, size.height, size.width], of: Float.self, initializedBy: { _ in })
      let answer = try session.run([input.name: blank.converted(to: input.elementType)])
      shape = answer[output.name]?.shape ?? []
    }
    do {
      head = try YOLOXHead(
        outputShape: shape, inputWidth: size.width, inputHeight: size.height,
        selfDecoded: isSelfDecoded)
    } catch {
      throw refusal(error.description)
    }
    self.session = session
    self.scores = scores
    self.input = input
    outputName = output.name
  }

  /// Every candidate whose score is at least `minimumConfidence`, in the order of the output.
  ///
  /// - Throws: `CancellationError` soon after the task is cancelled; `ModelError`; `RasterError`.
  public func detections(
    in image: Raster, minimumConfidence: Float
  ) async throws -> [Detection] {
    let letterbox = try Letterbox(
      imageWidth: image.width, imageHeight: image.height, networkWidth: head.inputWidth,
      networkHeight: head.inputHeight)
    let answer = try await session.runCancellably([input.name: tensor(of: image)])
    guard let output = answer[outputName], output.shape == head.outputShape else {
      throw ReferenceModelError.outputShape(
        name: outputName, got: answer[outputName]?.shape ?? [], expected: "\(head.outputShape)")
    }
    let candidates = try output.converted(to: .float32).withElements(of: Float.self) { values in
      areLogits(values)
        ? try head.candidates(in: probabilities(values), minimumScore: minimumConfidence)
        : try head.candidates(in: values, minimumScore: minimumConfidence)
    }
    return candidates.map { candidate in
      Detection(
        box: letterbox.image(fromNetwork: candidate.box), score: candidate.score,
        objectness: candidate.objectness, classScore: candidate.classScore,
        classID: candidate.classID)
    }
  }

  /// The letterbox's: by how much an image of this size is made smaller or larger for the network.
  public func scale(imageWidth: Int, imageHeight: Int) -> Double {
    let letterbox = try? Letterbox(
      imageWidth: imageWidth, imageHeight: imageHeight, networkWidth: head.inputWidth,
      networkHeight: head.inputHeight)
    return letterbox?.ratio ?? 1
  }

  /// What the network sees of an image.
  private func tensor(of image: Raster) throws -> Tensor {
    let canvas = try image.converted(toChannels: 3)
      .letterboxed(width: head.inputWidth, height: head.inputHeight, fill: 114)
    return try Tensor(
      shape: [1, 3, head.inputHeight, head.inputWidth], canvas.planar(order: .bgr)
    ).converted(to: input.elementType)
  }

  private func areLogits(_ values: UnsafeBufferPointer<Float>) -> Bool {
    switch scores {
    case .probabilities: return false
    case .logits: return true
    case .automatic:
      let rows = stride(from: 4, to: values.count, by: 5 + head.classCount)
      return rows.contains { values[$0] < 0 || values[$0] > 1 }
    }
  }

  /// The output with its logits put through a sigmoid.
  private func probabilities(_ values: UnsafeBufferPointer<Float>) -> [Float] {
    var values = Array(values)
    let rowLength = 5 + head.classCount
    for row in stride(from: 0, to: values.count, by: rowLength) {
      for column in 4..<rowLength {
        values[row + column] = 1 / (1 + exp(-values[row + column]))
      }
    }
    return values
  }

  private static func inputSize(
    of input: ValueDescription, asked: PixelSize?, found: String
  ) throws -> PixelSize {
    let (height, width) = (input.fixedExtent(2), input.fixedExtent(3))
    guard let height = height ?? asked?.height, let width = width ?? asked?.width else {
      throw ReferenceModelError.openInputSize(found: found)
    }
    if let asked, asked.width != width || asked.height != height {
      throw ReferenceModelError.inputSize(asked: "\(asked.width) x \(asked.height)", found: found)
    }
    guard let size = PixelSize(width: width, height: height) else {
      throw ReferenceModelError.notYOLOX(
        reason: "its input is \(width) x \(height) pixels", found: found)
    }
    return size
  }
}

/// The width and height of a network's input in pixels, at most 16384 each.
public struct PixelSize: Hashable, Sendable, Codable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int

  /// Makes a size, or nil if a side is not in 1...16384.
  public init?(width: Int, height: Int) {
    guard (1...16384).contains(width), (1...16384).contains(height) else { return nil }
    self.width = width
    self.height = height
  }
}
