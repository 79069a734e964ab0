import ONNXRunner
import Raster
import TextDecode

/// A network that says of each pixel how likely it is text.
struct TextDetectorModel {
  private let session: InferenceSession
  private let input: ValueDescription
  private let outputName: String

  /// - Throws: ``ReferenceModelError`` where the network does another job.
  init(_ session: InferenceSession) throws {
    func refusal(_ reason: String) -> ReferenceModelError {
      .notTextModel(
        part: "a text detector", reason: reason, found: session.signature,
        expected: "float [1, 3, H, W] and answers [1, 1, H, W]")
    }
    guard session.inputs.count == 1, let input = session.inputs.first else {
      throw refusal("it has \(session.inputs.count) inputs")
    }
    if let reason = input.reasonNotToTakeImages { throw refusal(reason) }
    if input.fixedExtent(2) != nil || input.fixedExtent(3) != nil {
      throw refusal("its input has a fixed size")
    }
    guard session.outputs.count == 1, let output = session.outputs.first else {
      throw refusal("it has \(session.outputs.count) outputs")
    }
    guard output.elementType.isFloatingPoint else {
      throw refusal("it answers \(output.elementType)")
    }
    if let shape = output.shape, shape.count != 4 {
      throw refusal("its output has \(shape.count) dimensions")
    }
    if let channels = output.fixedExtent(1), channels != 1 {
      throw refusal("its output has \(channels) channels")
    }
    self.session = session
    self.input = input
    outputName = output.name
  }

  /// The probabilities of an image whose shorter side is made at least so long.
  func map(of image: Raster, side: Int) async throws -> TextMap {
    let shorter = min(image.width, image.height)
    let seen = try image.resized(byThirtyTwos: max(Double(side) / Double(shorter), 1))
    let pixels = try Tensor(shape: [1, 3, seen.height, seen.width], of: Float.self) { target in
      let table = TextSamples.table
      TextSamples.write(seen, into: target, rowStride: seen.width, table: table)
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

/// How samples become a network's input: blue, green and red planes of -1...1.
enum TextSamples {
  /// The values of the 256 samples: `(sample / 255 - 0.5) / 0.5`, each step in float32.
  static let table: [Float] = (0..<256).map { (Float($0) / 255 - 0.5) / 0.5 }

  /// Writes an image of three channels as three planes, whose rows are `rowStride` values long.
  ///
  /// Values of a row beyond the image's width stay as they are.
  static func write(
    _ image: Raster, into target: UnsafeMutableBufferPointer<Float>, rowStride: Int, table: [Float]
  ) {
    let (width, height) = (image.width, image.height)
    let plane = height * rowStride
    image.samples.withUnsafeBufferPointer { samples in
      table.withUnsafeBufferPointer { table in
        for y in 0..<height {
          var from = y &* width &* 3
          var to = y &* rowStride
          for _ in 0..<width {
            target[to] = table[Int(samples[from &+ 2])]
            target[to &+ plane] = table[Int(samples[from &+ 1])]
            target[to &+ 2 &* plane] = table[Int(samples[from])]
            from &+= 3
            to &+= 1
          }
        }
      }
    }
  }
}
