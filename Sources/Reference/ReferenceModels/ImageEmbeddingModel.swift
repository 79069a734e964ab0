import Foundation
import ONNXRunner
import Raster
import VisionProtocols

/// An image embedder in an `.onnx` file.
///
/// It is a CLIP vision tower, or any network that turns an image into a vector.
///
/// ```swift
/// let embedder = try ImageEmbeddingModel(contentsOf: URL(fileURLWithPath: "clip_vision.onnx"))
/// let rows = try await embedder.embeddings(of: crops)
/// ```
///
/// The model takes `[N, 3, S, S]` (`float32` or `float16`, RGB) and returns `[N, D]` or
/// `[N, D, 1, 1]`. If it fixes `N`, images are processed in groups of N, and the last group is
/// padded. ``preprocessing`` says how images are prepared; by default it is the model's own, see
/// ``preprocessing(for:)``.
public struct ImageEmbeddingModel: ImageEmbedder {
  /// How an image becomes the network's input.
  public let preprocessing: CropPreprocessing
  /// How many values an embedding has.
  public let dimension: Int

  private let session: InferenceSession
  private let input: ValueDescription
  private let outputName: String
  /// How many images the model insists on in one run; nil if it takes any number.
  private let fixedBatch: Int?

  /// Loads an embedder.
  ///
  /// - Parameters:
  ///   - url: the `.onnx` file.
  ///   - preprocessing: how images are prepared; nil to let the model say.
  ///   - framing: which part of an image is seen, over what the preprocessing says; nil to leave
  ///     that.
  ///   - options: threads and passes of the runner.
  /// - Throws: `ModelError` if the file is not a model the runner can run; ``ReferenceModelError``
  ///   if it is not an embedder.
  public init(
    contentsOf url: URL, preprocessing: CropPreprocessing? = nil,
    framing: CropPreprocessing.Framing? = nil, options: SessionOptions = SessionOptions()
  ) throws {
    try self.init(
      session: InferenceSession(contentsOf: url, options: options), preprocessing: preprocessing,
      framing: framing)
  }

  /// Makes an embedder of a model that is loaded.
  ///
  /// - Throws: ``ReferenceModelError`` if it is not an embedder, or has another input size than
  ///   `preprocessing`.
  public init(
    session: InferenceSession, preprocessing: CropPreprocessing? = nil,
    framing: CropPreprocessing.Framing? = nil
  ) throws {
    let found = session.signature
    func refusal(_ reason: String) -> ReferenceModelError {
      .notEmbedder(reason: reason, found: found)
    }
    guard session.inputs.count == 1, let input = session.inputs.first else {
      throw refusal("it has \(session.inputs.count) inputs")
    }
    if let reason = input.reasonNotToTakeImages { throw refusal(reason) }
    let output = try Self.output(of: session, refusal: refusal)

    var prepared = preprocessing ?? Self.preprocessing(for: session)
    if let framing { prepared.framing = framing }
    let sides = [input.fixedExtent(2), input.fixedExtent(3)].compactMap(\.self)
    if let side = sides.first {
      guard sides.allSatisfy({ $0 == side }), (1...16384).contains(side) else {
        throw refusal("its input is not a square of pixels")
      }
      if preprocessing == nil {
        prepared.size = side
      } else if prepared.size != side {
        throw ReferenceModelError.inputSize(asked: "\(prepared.size)", found: found)
      }
    }
    guard (1...16384).contains(prepared.size) else {
      throw ReferenceModelError.inputSize(asked: "\(prepared.size)", found: found)
    }
    if let batch = input.fixedExtent(0), !(1...4096).contains(batch) {
      throw refusal("it takes \(batch) images")
    }
    self.preprocessing = prepared
    self.session = session
    self.input = input
    outputName = output.name
    fixedBatch = input.fixedExtent(0)
    // If the model does not say, one run tells.
    dimension =
      try output.fixedExtent(1)
      ?? Self.width(ofRows: output, session, input, side: prepared.size)
  }

  /// The number of values in a row of an output, from a run on blank images.
  private static func width(
    ofRows output: ValueDescription, _ session: InferenceSession, _ input: ValueDescription,
    side: Int
  ) throws -> Int {
    let blank = try Tensor(
      shape: [input.fixedExtent(0) ?? 1, 3, side, side], of: Float.self, initializedBy: { _ in })
    let answer = try session.run([input.name: blank.converted(to: input.elementType)])
    let shape = answer[output.name]?.shape ?? []
    guard shape.count >= 2, shape[1] > 0 else {
      throw ReferenceModelError.outputShape(name: output.name, got: shape, expected: "[N, D]")
    }
    return shape[1]
  }

  /// The side of the square input that a model fixes, in pixels; nil if it takes squares of any
  /// size.
  ///
  /// For giving a model another preprocessing that keeps its own input size.
  public static func fixedSide(of session: InferenceSession) -> Int? {
    guard let input = session.inputs.first, let side = input.fixedExtent(2),
      input.fixedExtent(3) == side
    else { return nil }
    return side
  }

  /// One L2-normalized row per image, in order.
  ///
  /// - Throws: `EmbeddingMatrixError` if the model answers a row of zeros or non-finite values;
  ///   ``ReferenceModelError/outputShape(name:got:expected:)``; `CancellationError` soon after the
  ///   task is cancelled; `ModelError`; `RasterError`.
  public func embeddings(of images: [Raster]) async throws -> EmbeddingMatrix {
    var values: [Float] = []
    values.reserveCapacity(images.count * dimension)
    var start = 0
    while start < images.count {
      let group = images[start..<min(images.count, start + (fixedBatch ?? images.count))]
      values += try await rows(of: group)
      start += group.count
    }
    return try EmbeddingMatrix(values: values, dimension: dimension).normalized()
  }

  /// The network's output of one run, one row per image.
  private func rows(of images: ArraySlice<Raster>) async throws -> [Float] {
    let batch = fixedBatch ?? images.count
    let side = preprocessing.size
    let pixels = try Tensor(
      shape: [batch, 3, side, side], of: Float.self
    ) { target in
      for (place, image) in images.enumerated() {
        let tensor = try preprocessing.tensor(of: image)
        _ = UnsafeMutableBufferPointer(rebasing: target[(place * tensor.count)...])
          .update(fromContentsOf: tensor)
      }
    }
    let answer = try await session.runCancellably([
      input.name: pixels.converted(to: input.elementType)
    ])
    guard let output = answer[outputName], output.count == batch * dimension,
      output.shape.first == batch
    else {
      throw ReferenceModelError.outputShape(
        name: outputName, got: answer[outputName]?.shape ?? [],
        expected: "[\(batch), \(dimension)]")
    }
    return try Array(output.floats().prefix(images.count * dimension))
  }

  /// The output that holds the embeddings: the only one, or the first of `[N, D]`.
  private static func output(
    of session: InferenceSession, refusal: (String) -> ReferenceModelError
  ) throws -> ValueDescription {
    func isRows(_ output: ValueDescription) -> Bool {
      guard let shape = output.shape else { return true }
      return shape.count >= 2 && output.elementType.isFloatingPoint
        && output.fixedExtent(1) != 0
        && shape.indices.dropFirst(2).allSatisfy { output.fixedExtent($0) == 1 }
    }
    guard let output = session.outputs.first(where: isRows) else {
      throw refusal("it answers no rows")
    }
    return output
  }
}
