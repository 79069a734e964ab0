import ONNXRunner
import Raster
import TextDecode

/// A network that says of each pixel how likely it is text.
struct TextDetectorModel {
  private let session: InferenceSession
  private let input: ValueDescription
  private let outputName: String

  /// - Throws: ``ReferenceModelError`` if the network does another job.
  init(_ session: InferenceSession) throws {
    let output: ValueDescription
    do {
      (input, output) = try session.planePorts(1)
    } catch {
      throw ReferenceModelError.notTextModel(
        part: "a text detector", reason: error.reason, found: session.signature,
        expected: "float [1, 3, H, W] and answers [1, 1, H, W]")
    }
    self.session = session
    outputName = output.name
  }

  /// How many searches a caller that has many should have going at a time.
  var runsAtOnce: Int { session.runsAtOnce }

  /// The probabilities of an image whose shorter side is made at least so long.
  func map(of image: Raster, side: Int) async throws -> TextMap {
    let shorter = min(image.width, image.height)
    let seen = try image.resized(byThirtyTwos: max(Double(side) / Double(shorter), 1))
    let pixels = try Tensor(shape: [1, 3, seen.height, seen.width], of: Float.self) { target in
      PlanarSamples.write(seen, into: target, rowStride: seen.width, table: PlanarSamples.signed)
    }
    let answer = try await session.runCancellably([
      input.name: pixels.converted(to: input.elementType)
    ])
    guard let output = answer[outputName], output.shape == [1, 1, seen.height, seen.width] else {
      throw ReferenceModelError.outputShape(
        name: outputName, got: answer[outputName]?.shape ?? [],
        expected: "[1, 1, \(seen.height), \(seen.width)]")
    }
    return TextMap(
      probabilities: try output.converted(to: .float32), width: seen.width, height: seen.height)
  }
}

/// A detector's answer.
struct TextMap {
  let probabilities: Tensor
  let width: Int
  let height: Int

  /// The regions of text of an image that this is the map of.
  func regions(_ decoder: TextMapDecoder, of image: Raster) throws -> [TextRegion] {
    try probabilities.withElements(of: Float.self) { values in
      try decoder.regions(
        in: values, width: width, height: height, imageWidth: image.width,
        imageHeight: image.height)
    }
  }
}
