import Foundation
import ONNXRunner
import Raster
import VisionProtocols

/// An image classifier in an `.onnx` file, such as a ResNet, MobileNet or EfficientNet of
/// ImageNet's classes.
///
/// ```swift
/// let classifier = try ImageClassificationModel(contentsOf: URL(fileURLWithPath: "mobilenet.onnx"))
/// let seen = try await classifier.classification(of: photo)
/// print(seen.answer?.label ?? "not sure", seen.alternatives.map(\.label))
/// ```
///
/// The model takes `[N, C, H, W]` or, if only the last dimension can be channels, `[N, H, W, C]`,
/// with 1 or 3 channels, as `float32`, `float16` or `uint8`. It returns `[N, classes]`, and may
/// have further dimensions of 1. ``preprocessing`` is the caller's, or that named by the model's
/// metadata property `tally.preprocessing`, or ImageNet's, but 0...1 for grey models and 0...255
/// for `uint8`. If the input is not a square, the whole image is stretched to it.
///
/// Outputs may be probabilities or logits; see ``ClassScoreForm``.
public struct ImageClassificationModel: ImageClassifier {
  /// How an image becomes the network's input.
  public let preprocessing: ClassifierPreprocessing
  /// The size of the network's input.
  public let inputSize: PixelSize
  /// How many classes there are.
  public let classCount: Int
  /// The names of the classes; if nil, they are called `class 7`.
  public let labels: ClassLabels?
  /// What the outputs are taken for.
  public let scores: ClassScoreForm

  private let session: InferenceSession
  private let input: ClassifierInput
  private let outputName: String

  /// The source of the names of classes.
  public enum LabelSource: Hashable, Sendable {
    /// The model's metadata (`names`, `classes` or `labels`); without one of these classes have
    /// numbers.
    case model
    /// These, whose source is named in errors.
    case given(ClassLabels, source: String)
    /// From nowhere: classes have numbers.
    case none
  }

  /// Loads a classifier.
  ///
  /// - Parameters:
  ///   - url: the `.onnx` file.
  ///   - labels: the source of the names of classes.
  ///   - preprocessing: how images are prepared; nil for the model's own.
  ///   - scores: the form of the outputs.
  ///   - inputSize: the input in pixels if the model leaves it open; 224 x 224 without.
  ///   - options: threads and passes of the runner.
  /// - Throws: `ModelError` if the file is not a model the runner can run; ``ClassifierError`` if
  ///   it is not a classifier or the labels do not fit it.
  public init(
    contentsOf url: URL, labels: LabelSource = .model,
    preprocessing: ClassifierPreprocessing? = nil, scores: ClassScoreForm = .automatic,
    inputSize: PixelSize? = nil, options: SessionOptions = SessionOptions()
  ) throws {
    try self.init(
      session: InferenceSession(contentsOf: url, options: options), labels: labels,
      preprocessing: preprocessing, scores: scores, inputSize: inputSize)
  }

  /// Makes a classifier of a model that is loaded.
  ///
  /// - Throws: ``ClassifierError``; `ModelError` if the model leaves its output open and cannot be
  ///   run.
  public init(
    session: InferenceSession, labels: LabelSource = .model,
    preprocessing: ClassifierPreprocessing? = nil, scores: ClassScoreForm = .automatic,
    inputSize: PixelSize? = nil
  ) throws {
    input = try ClassifierInput(of: session, asked: inputSize)
    let output = try Self.output(of: session)
    outputName = output.name
    classCount = try Self.classCount(of: output, of: session, input: input)
    self.labels = try Self.labels(labels, of: session, classCount: classCount)
    self.preprocessing = preprocessing ?? Self.preprocessing(for: session, input: input)
    self.inputSize = input.size
    self.scores = scores
    self.session = session
  }

  /// The most probable classes, most probable first, of equal ones that with the lower number.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - maximumCount: how many to answer at most, at least 1.
  /// - Throws: ``ClassifierError`` if the model answers anything but a number for each class;
  ///   `CancellationError` soon after the task is cancelled; `ModelError`; `RasterError`.
  public func classifications(
    of image: Raster, maximumCount: Int
  ) async throws -> [Classification] {
    guard maximumCount >= 1 else {
      throw ClassifierError.outOfRange(
        name: "the number of classes", value: "\(maximumCount)", range: "at least 1")
    }
    let answer = try await session.runCancellably([
      input.description.name: try input.tensor(of: image, preprocessing)
    ])
    let shape = answer[outputName]?.shape ?? []
    guard let output = answer[outputName], output.count == input.batch * classCount else {
      throw ClassifierError.outputShape(
        name: outputName, got: shape, expected: "[\(input.batch), \(classCount)]")
    }
    let values = Array(try output.floats().prefix(classCount))
    return try ClassScores(values, form: scores, name: outputName)
      .best(maximumCount) { index in labels?.names[index] ?? ClassLabels.numbered(index) }
  }

  /// The predicted class of an image, and the next most probable ones.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - threshold: the least confidence of an answer, 0...1.
  ///   - maximumCount: how many classes to return, at least 1; by default the answer and three
  ///     others.
  /// - Throws: as ``classifications(of:maximumCount:)``.
  public func classification(
    of image: Raster, threshold: Float = 0.7, maximumCount: Int = 4
  ) async throws -> ImageClassification {
    guard (0...1).contains(threshold) else {
      throw ClassifierError.outOfRange(
        name: "the threshold", value: "\(threshold)", range: "from 0 to 1")
    }
    return ImageClassification(
      classes: try await classifications(of: image, maximumCount: maximumCount),
      threshold: threshold)
  }
}

extension ImageClassificationModel {
  /// The only output, or the first that can be rows of classes.
  private static func output(of session: InferenceSession) throws -> ValueDescription {
    func isRows(_ output: ValueDescription) -> Bool {
      guard output.kind == .tensor, output.elementType.isFloatingPoint else { return false }
      guard let shape = output.shape else { return true }
      let wide = shape.indices.dropFirst().filter { output.fixedExtent($0) != 1 }
      return shape.count >= 2 && wide.count <= 1
    }
    guard let output = session.outputs.first(where: isRows) else {
      throw ClassifierError.notClassifier(
        reason: "it answers no rows of classes", found: session.signature)
    }
    return output
  }

  private static func classCount(
    of output: ValueDescription, of session: InferenceSession, input: ClassifierInput
  ) throws -> Int {
    let declared = output.shape?.indices.dropFirst().map { output.fixedExtent($0) } ?? [nil]
    var count = declared.compactMap(\.self).reduce(1, *)
    if declared.contains(nil) {
      // The model does not say; one run tells.
      let blank = try Tensor(shape: input.shape, of: Float.self, initializedBy: { _ in })
      let answer = try session.run([
        input.description.name: blank.converted(to: input.description.elementType)
      ])
      let shape = answer[output.name]?.shape ?? []
      guard shape.count >= 2, shape[0] == input.batch,
        shape.dropFirst().filter({ $0 != 1 }).count <= 1
      else {
        throw ClassifierError.outputShape(name: output.name, got: shape, expected: "[N, classes]")
      }
      count = shape.dropFirst().reduce(1, *)
    }
    guard (1...ClassLabels.largestCount).contains(count) else {
      throw ClassifierError.notClassifier(
        reason: "it has \(count) classes", found: session.signature)
    }
    return count
  }

  private static func labels(
    _ source: LabelSource, of session: InferenceSession, classCount: Int
  ) throws -> ClassLabels? {
    func checked(_ labels: ClassLabels, _ source: String) throws -> ClassLabels {
      guard labels.names.count == classCount else {
        throw ClassifierError.labelCount(
          labels: labels.names.count, classes: classCount, source: source)
      }
      return labels
    }
    switch source {
    case .none: return nil
    case .given(let labels, let source): return try checked(labels, source)
    case .model:
      for key in ClassLabels.metadataKeys {
        guard let text = session.metadata.properties[key] else { continue }
        do {
          return try checked(ClassLabels(text: text), "the model's metadata '\(key)'")
        } catch let error as ClassLabelsError {
          throw ClassifierError.metadata(key: key, reason: error.description)
        }
      }
      return nil
    }
  }

  private static func preprocessing(
    for session: InferenceSession, input: ClassifierInput
  ) -> ClassifierPreprocessing {
    let named = session.metadata.properties["tally.preprocessing"]
      .flatMap(ClassifierPreprocessing.Preset.init)
    let isBytes = input.description.elementType == .uint8
    let usual: ClassifierPreprocessing.Preset =
      isBytes ? .raw : input.channels == 1 ? .unit : .imageNet
    var rule = ClassifierPreprocessing(named ?? usual)
    if input.size.width != input.size.height { rule.framing = .stretched }
    return rule
  }
}
