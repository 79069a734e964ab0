import ONNXRunner
import Raster

/// The input of a detector that takes the photo.
struct DetectorImageInput: Sendable {
  /// How the dimensions follow each other.
  enum Layout: Sendable {
    /// `[N, 3, H, W]`.
    case planes
    /// `[N, H, W, 3]`.
    case pixels
    /// `[3, H, W]`.
    case planesOfOne
  }

  let description: ValueDescription
  let layout: Layout

  /// The only input of a model that can be a photo.
  init(of inputs: [ValueDescription]) throws(UnfitModel) {
    let fitting = inputs.compactMap { input in Self.layout(of: input).map { (input, $0) } }
    guard let (input, layout) = fitting.first else {
      throw UnfitModel(
        reason: "it has no input for a photo, such as float [1, 3, H, W] or uint8 [1, H, W, 3]")
    }
    guard fitting.count == 1 else {
      throw UnfitModel(reason: "it has \(fitting.count) inputs that could be the photo")
    }
    (description, self.layout) = (input, layout)
  }

  private static func layout(of input: ValueDescription) -> Layout? {
    guard input.kind == .tensor, [.float32, .float16, .uint8].contains(input.elementType) else {
      return nil
    }
    guard let shape = input.shape else { return .planes }
    switch shape.count {
    case 3: return input.fixedExtent(0) == 3 ? .planesOfOne : nil
    case 4:
      if let batch = input.fixedExtent(0), batch != 1 { return nil }
      if input.fixedExtent(1) == 3 { return .planes }
      if input.fixedExtent(3) == 3 { return .pixels }
      return input.fixedExtent(1) == nil && input.fixedExtent(3) == nil ? .planes : nil
    default: return nil
    }
  }

  private var rowAxis: Int {
    switch layout {
    case .planes: 2
    case .pixels, .planesOfOne: 1
    }
  }

  /// The height that the model fixes.
  var fixedHeight: Int? { description.fixedExtent(rowAxis) }
  /// The width that the model fixes.
  var fixedWidth: Int? { description.fixedExtent(rowAxis + 1) }

  /// A canvas as the network takes it.
  func tensor(of canvas: DetectorPreprocessing.Canvas, _ rule: DetectorPreprocessing) throws
    -> Tensor
  {
    let (width, height) = canvas.place.networkSize
    guard rule.keepsFractions, description.elementType != .uint8, case .scaled = canvas.place
    else { return try tensor(of: canvas.image, rule) }
    var values = try canvas.image.unroundedPlanes(
      width: width, height: height, order: rule.order, normalization: rule.normalization)
    if layout == .pixels { values = Self.interleaved(values, count: width * height) }
    return try Tensor(shape: shape(width, height), values)
      .converted(to: description.elementType)
  }

  /// A picture of the input's size as the network takes it.
  private func tensor(of canvas: Raster, _ rule: DetectorPreprocessing) throws -> Tensor {
    let (width, height) = (canvas.width, canvas.height)
    if description.elementType == .uint8 {
      let bytes =
        layout == .pixels && rule.order == .rgb
        ? canvas.samples : try canvas.planar(order: rule.order).map { UInt8($0) }
      guard layout == .pixels, rule.order == .bgr else {
        return try Tensor(shape: shape(width, height), bytes)
      }
      return try Tensor(
        shape: shape(width, height), Self.interleaved(bytes, count: width * height))
    }
    var values = try canvas.planar(order: rule.order, normalization: rule.normalization)
    if layout == .pixels { values = Self.interleaved(values, count: width * height) }
    return try Tensor(shape: shape(width, height), values)
      .converted(to: description.elementType)
  }

  /// A picture that is nothing, for finding out shapes and ranges: waves and noise, the same every
  /// time.
  func trial(width: Int, height: Int) throws -> Tensor {
    var state: UInt32 = 1
    let samples = (0..<3 * width * height).map { place -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      let wave = (place / 3 % width * 5 / max(width, 1) + place / (3 * width) * 7 / max(height, 1))
      return UInt8(truncatingIfNeeded: 60 + wave % 2 * 90 + Int(state >> 27))
    }
    let canvas = try Raster(width: width, height: height, channels: 3, samples: samples)
    return try tensor(
      of: canvas,
      DetectorPreprocessing(
        framing: .stretched, normalization: PixelNormalization(divisor: 255)))
  }

  private func shape(_ width: Int, _ height: Int) -> [Int] {
    switch layout {
    case .planes: [1, 3, height, width]
    case .pixels: [1, height, width, 3]
    case .planesOfOne: [3, height, width]
    }
  }

  /// Planes as pixels.
  private static func interleaved<Element>(_ planes: [Element], count: Int) -> [Element] {
    (0..<3 * count).map { planes[$0 % 3 * count + $0 / 3] }
  }
}
