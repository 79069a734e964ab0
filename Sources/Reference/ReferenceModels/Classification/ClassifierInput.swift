import ONNXRunner
import Raster

/// The input of a classifier: the number and size of images, and the order of channels.
struct ClassifierInput {
  /// The number of images a model insists on in one run; 1 if it takes any number.
  let batch: Int
  let size: PixelSize
  let channels: Int
  /// Whether channels come after pixels (NHWC) or planes one after the other (NCHW).
  let isChannelsLast: Bool
  let description: ValueDescription

  /// Reads a model's declaration.
  ///
  /// `asked` is used only if the model leaves the size open; the default is 224 x 224.
  init(of session: InferenceSession, asked: PixelSize?) throws(ClassifierError) {
    let found = session.signature
    func refusal(_ reason: String) -> ClassifierError {
      .notClassifier(reason: reason, found: found)
    }
    guard session.inputs.count == 1, let input = session.inputs.first else {
      throw refusal("it has \(session.inputs.count) inputs")
    }
    guard input.kind == .tensor, [.float32, .float16, .uint8].contains(input.elementType) else {
      throw refusal("its input takes \(input.elementType)")
    }
    if let shape = input.shape, shape.count != 4 {
      throw refusal("its input has \(shape.count) dimensions")
    }
    let possible = [1, 3]
    let (first, last) = (input.fixedExtent(1), input.fixedExtent(3))
    // Planes are usual in ONNX, so they are assumed if both are possible.
    isChannelsLast =
      !(first.map(possible.contains) ?? false) && (last.map(possible.contains) ?? false)
    channels = (isChannelsLast ? last : first) ?? 3
    guard possible.contains(channels) else { throw refusal("its input has \(channels) channels") }

    let height = input.fixedExtent(isChannelsLast ? 1 : 2)
    let width = input.fixedExtent(isChannelsLast ? 2 : 3)
    guard
      let size = PixelSize(
        width: width ?? asked?.width ?? 224, height: height ?? asked?.height ?? 224)
    else { throw refusal("its input is \(width ?? 0) x \(height ?? 0) pixels") }
    if let asked, asked != size {
      throw .inputSize(asked: "\(asked.width) x \(asked.height)", found: found)
    }
    self.size = size
    batch = input.fixedExtent(0) ?? 1
    guard (1...64).contains(batch) else { throw refusal("it takes \(batch) images") }
    description = input
  }

  /// The shape of one run's input.
  var shape: [Int] {
    isChannelsLast
      ? [batch, size.height, size.width, channels] : [batch, channels, size.height, size.width]
  }

  /// The input for an image; if the model needs several, the others are zeros.
  func tensor(of image: Raster, _ preprocessing: ClassifierPreprocessing) throws -> Tensor {
    let seen = try preprocessing.image(
      of: image, width: size.width, height: size.height, channels: channels)
    let planes = try seen.planar(
      order: preprocessing.order, normalization: preprocessing.normalization)
    let pixels = size.width * size.height
    return try Tensor(shape: shape, of: Float.self) { target in
      guard isChannelsLast else {
        _ = target.update(fromContentsOf: planes)
        return
      }
      for channel in 0..<channels {
        for pixel in 0..<pixels {
          target[pixel * channels + channel] = planes[channel * pixels + pixel]
        }
      }
    }.converted(to: description.elementType)
  }
}
