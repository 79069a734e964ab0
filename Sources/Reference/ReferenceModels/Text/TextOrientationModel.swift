import ONNXRunner
import Raster

/// A network that says whether a line of text is upside down.
struct TextOrientationModel {
  private let session: InferenceSession
  private let input: ValueDescription
  private let outputName: String
  /// What the network sees of a line, in pixels.
  private static let size = (width: 192, height: 48)

  /// - Throws: ``ReferenceModelError`` if the network does another job.
  init(_ session: InferenceSession) throws {
    func refusal(_ reason: String) -> ReferenceModelError {
      .notTextModel(
        part: "a classifier of text orientation", reason: reason, found: session.signature,
        expected: "float [N, 3, \(Self.size.height), \(Self.size.width)] and answers [N, 2]")
    }
    guard session.inputs.count == 1, let input = session.inputs.first else {
      throw refusal("it has \(session.inputs.count) inputs")
    }
    if let reason = input.reasonNotToTakeImages { throw refusal(reason) }
    for (axis, side) in [(2, Self.size.height), (3, Self.size.width)] {
      if let extent = input.fixedExtent(axis), extent != side {
        throw refusal("its input has another size")
      }
    }
    guard session.outputs.count == 1, let output = session.outputs.first else {
      throw refusal("it has \(session.outputs.count) outputs")
    }
    if let shape = output.shape, shape.count != 2 {
      throw refusal("its output has \(shape.count) dimensions")
    }
    if let classes = output.fixedExtent(1), classes != 2 {
      throw refusal("it tells \(classes) classes apart")
    }
    self.session = session
    self.input = input
    outputName = output.name
  }

  /// The places of the lines that are upside down with more than a confidence.
  func upsideDown(
    _ images: [Raster], confidence: Float, batchSize: Int
  ) async throws -> [Int] {
    let batches = TextLineBatches(images, size: batchSize)
    return try await mapConcurrently(Array(batches), limit: session.runsAtOnce) { group in
      let tensor = try batches.tensor(of: group, width: Self.size.width, height: Self.size.height)
      let answer = try await session.runCancellably([
        input.name: tensor.converted(to: input.elementType)
      ])
      guard let output = answer[outputName], output.shape == [group.count, 2] else {
        throw ReferenceModelError.outputShape(
          name: outputName, got: answer[outputName]?.shape ?? [], expected: "[\(group.count), 2]")
      }
      let values = try output.floats()
      return group.enumerated().compactMap { place, index in
        let (upright, over) = (values[2 * place], values[2 * place + 1])
        return over > upright && over > confidence ? index : nil
      }
    }.flatMap { $0 }
  }
}
