import CoreML
import CoreVideo
import Geometry
import Raster
import Testing
import VisionProtocols

@testable import AppleVision

@Suite("Predictions of Core ML")
struct PredictionTests {
  private let image: Raster

  init() throws {
    image = try Raster(width: 8, height: 4, channels: 3, samples: (0..<96).map { UInt8($0) })
  }

  private func model(
    _ input: MLFeatureDescription, outputs: [MLFeatureDescription] = [],
    _ body: @escaping (MLFeatureValue) throws -> MLMultiArray
  ) -> MLModel {
    let description = MLModelDescription()
    description.inputDescriptionsByName = [
      "x": input, "option": MLFeatureDescription("option", .double, optional: true),
    ]
    description.outputDescriptionsByName = ["y": MLFeatureDescription("y", .multiArray)]
    for output in outputs { description.outputDescriptionsByName[output.name] = output }
    return MLModel(description) { inputs in
      guard let value = inputs.featureValue(for: "x") else { return [:] }
      return ["y": MLFeatureValue(multiArray: try body(value))]
    }
  }

  private func planes(_ shape: [Int], _ type: MLMultiArrayDataType) -> MLFeatureDescription {
    MLFeatureDescription("x", .multiArray, array: MLMultiArrayConstraint(shape, type))
  }

  @Test(
    "A network that takes planes of any type sees the letterbox, and its table becomes boxes",
    arguments: [MLMultiArrayDataType.float16, .float32, .double])
  func table(type: MLMultiArrayDataType) async throws {
    nonisolated(unsafe) var seen: [Float] = []
    let model = model(planes([1, 3, 4, 4], type)) { value in
      seen = value.multiArrayValue?.rowMajorValues ?? []
      // One candidate; the numbers lie eight apart.
      var numbers = [Float](repeating: 0, count: 40)
      for (row, number) in [Float(2), 2, 2, 1, 0.75].enumerated() { numbers[8 * row] = number }
      return MLMultiArray([1, 5, 1], [40, 8, 1], .float32, bytes(numbers))
    }
    let detector = try CoreMLTensorDetector<Raster>(
      model: model, head: .table(.yolov8(classCount: 1)))
    // The photo is seen at half the size, a row below the edge.
    #expect(detector.scale(imageWidth: 8, imageHeight: 4) == 0.5)
    #expect(
      try await detector.detections(in: image, minimumConfidence: 0.5) == [
        Detection(
          box: Box(minX: 2, minY: 1, maxX: 6, maxY: 3), score: 0.75, objectness: 0.75,
          classScore: 1, classID: 0)
      ])
    let letterbox = try Letterbox(
      imageWidth: 8, imageHeight: 4, networkWidth: 4, networkHeight: 4, placement: .centered,
      sides: .nearest)
    let expected = try image.letterboxed(letterbox).planar(
      normalization: PixelNormalization(divisor: 255))
    #expect(seen.count == 48)
    // Half precision has steps of 2^-11 below 1.
    #expect(zip(seen, expected).allSatisfy { abs($0 - $1) <= (type == .float16 ? 0x1p-12 : 0) })
  }

  @Test("A YOLOX network sees blue first, 0...255")
  func yolox() async throws {
    nonisolated(unsafe) var seen: [Float] = []
    let model = model(planes([3, 32, 32], .float32)) { value in
      seen = value.multiArrayValue?.rowMajorValues ?? []
      return try MLMultiArray(shape: [1, 21, 6], dataType: .float32)
    }
    let detector = try CoreMLTensorDetector<Raster>(model: model, head: .yolox())
    #expect(try await detector.detections(in: image, minimumConfidence: 0.5) == [])
    let expected = try image.letterboxed(width: 32, height: 32).planar(order: .bgr)
    #expect(seen == expected)
  }

  @Test(
    "An embedder that takes images gets the square, and its vectors have length 1",
    arguments: [kCVPixelFormatType_32BGRA, kCVPixelFormatType_OneComponent8])
  func embedder(format: OSType) async throws {
    nonisolated(unsafe) var seen: CVPixelBuffer?
    let input = MLFeatureDescription("x", .image, image: MLImageConstraint(4, 4, format))
    let picture = MLFeatureDescription("z", .image)
    let model = model(input, outputs: [picture]) { value in
      seen = value.buffer
      return MLMultiArray([1, 2], [2, 1], .float32, bytes([0, -2]))
    }
    let embedder = try CoreMLImageEmbedder<Raster>(model: model)
    #expect(embedder.dimension == 2)
    #expect(embedder.preprocessing.size == 4)
    #expect(try await embedder.embeddings(of: [image]).values == [0, -1])
    let buffer = try #require(seen)
    #expect(buffer.locks == 0)
    let square = try embedder.preprocessing.square(of: image)
    if format == kCVPixelFormatType_32BGRA {
      #expect(try Raster(pixelBuffer: buffer) == square)
    } else {
      let grey = try square.converted(toChannels: 1)
      let start = buffer.planes[0].start.assumingMemoryBound(to: UInt8.self)
      let rows = (0..<4).flatMap { row in (0..<4).map { start[row * buffer.planes[0].stride + $0] }
      }
      #expect(rows == grey.samples)
    }
    // Another size than the model's, and an output that is not an array.
    #expect(throws: AppleVisionError.self) {
      try CoreMLImageEmbedder<Raster>(model: model, preprocessing: .clip)
    }
    #expect(throws: AppleVisionError.self) {
      try CoreMLImageEmbedder<Raster>(model: model, output: "z")
    }
  }

  @Test("Models with other inputs are refused, and so are two outputs without a name")
  func refused() throws {
    func refuses(_ input: MLFeatureDescription, outputs: [MLFeatureDescription] = []) -> Bool {
      let model = model(input, outputs: outputs) { _ in
        try MLMultiArray(shape: [1], dataType: .float32)
      }
      do {
        _ = try CoreMLTensorDetector<Raster>(model: model, head: .yolox())
        return false
      } catch { return error is AppleVisionError }
    }
    #expect(!refuses(planes([1, 3, 32, 32], .float32)))
    #expect(refuses(planes([2, 3, 32, 32], .float32)))
    #expect(refuses(planes([1, 1, 32, 32], .float32)))
    #expect(refuses(planes([32, 32], .float32)))
    #expect(refuses(planes([], .float32)))
    #expect(refuses(planes([1, 3, 0, 32], .float32)))
    #expect(refuses(planes([1, 3, 32, 32], .int32)))
    #expect(refuses(MLFeatureDescription("x", .double)))
    #expect(
      refuses(MLFeatureDescription("x", .image, image: MLImageConstraint(4, 4, 0x7834_3230))))
    #expect(
      refuses(
        planes([1, 3, 32, 32], .float32), outputs: [MLFeatureDescription("z", .multiArray)]))
  }
}
