#if canImport(Vision)
  import CoreML
  import CoreVideo
  import DetectionDecode
  import Raster

  /// A Core ML model that takes one image and answers numbers.
  final class CoreMLNetwork: @unchecked Sendable {
    // Unchecked: predictions of one model may run in several threads, and nothing else changes.

    /// How the model takes an image.
    private enum Input {
      case pixels(format: OSType)
      case planes(shape: [Int], element: MultiArrayLayout.Element)
    }

    /// Width in pixels of the model's input.
    let width: Int
    /// Height in pixels of the model's input.
    let height: Int
    /// The model's inputs and outputs, for errors.
    let found: String

    private let model: MLModel
    private let input: Input
    private let inputName: String
    private let outputName: String

    /// Describes a model.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - output: the name of the output; nil if the model has only one that is an array.
    /// - Throws: ``AppleVisionError/model(reason:found:)``.
    init(_ model: MLModel, output: String?) throws {
      let description = model.modelDescription
      let found = description.signature
      func refusal(_ reason: String) -> AppleVisionError { .model(reason: reason, found: found) }
      let required = description.inputDescriptionsByName.values.filter { !$0.isOptional }
      guard required.count == 1, let only = required.first else {
        throw refusal("it has \(required.count) inputs that are required; it must have one")
      }
      if let image = only.imageConstraint {
        let format = image.pixelFormatType
        guard format == kCVPixelFormatType_32BGRA || format == kCVPixelFormatType_OneComponent8
        else { throw refusal("its image has the format \(fourLetters(format))") }
        (width, height) = (image.pixelsWide, image.pixelsHigh)
        input = .pixels(format: format)
      } else if let array = only.multiArrayConstraint {
        let shape = array.shape.map(\.intValue)
        let isBatch = shape.count == 4 && shape[0] == 1
        guard isBatch || shape.count == 3, shape[shape.count - 3] == 3 else {
          throw refusal("its input is \(shape); it must be [1, 3, H, W] or an image")
        }
        guard let element = MultiArrayLayout.Element(rawValue: array.dataType.rawValue),
          element != .int8, element != .int32
        else { throw refusal("its input is an array of \(array.dataType.rawValue)") }
        (width, height) = (shape[shape.count - 1], shape[shape.count - 2])
        input = .planes(shape: shape, element: element)
      } else {
        throw refusal("its input is neither an image nor an array")
      }
      guard (1...16384).contains(width), (1...16384).contains(height) else {
        throw refusal("its input is \(width) x \(height) pixels")
      }
      let outputs = description.outputDescriptionsByName.filter { $0.value.type == .multiArray }
      if let output {
        guard outputs[output] != nil else { throw refusal("no output '\(output)' is an array") }
        outputName = output
      } else {
        guard outputs.count == 1, let name = outputs.keys.first else {
          throw refusal("\(outputs.count) of its outputs are arrays; name one")
        }
        outputName = name
      }
      inputName = only.name
      self.model = model
      self.found = found
    }

    /// What the model answers for an image of its size, in row-major order.
    ///
    /// - Parameters:
    ///   - canvas: the image, as wide and high as the input.
    ///   - order: the order of the planes, if the model takes an array.
    ///   - normalization: what is done to the samples, if the model takes an array.
    func output(
      for canvas: Raster, order: ChannelOrder, normalization: PixelNormalization
    ) throws -> HeadOutput {
      let value =
        switch input {
        case .pixels(let format): try Self.pixels(of: canvas, format: format)
        case .planes(let shape, let element):
          try Self.planes(
            canvas.converted(toChannels: 3).planar(order: order, normalization: normalization),
            shape: shape, element: element)
        }
      let answer: any MLFeatureProvider
      do {
        answer = try model.prediction(
          from: MLDictionaryFeatureProvider(dictionary: [inputName: value]))
      } catch {
        throw AppleVisionError.prediction(reason: error.localizedDescription)
      }
      guard let array = answer.featureValue(for: outputName)?.multiArrayValue else {
        throw AppleVisionError.prediction(reason: "there is no output '\(outputName)'")
      }
      guard let values = array.rowMajorValues else {
        throw AppleVisionError.prediction(
          reason: "'\(outputName)' is an array of \(array.dataType.rawValue) that is not read")
      }
      return try HeadOutput(shape: array.shape.map(\.intValue), values: values)
    }

    private static func pixels(of canvas: Raster, format: OSType) throws -> MLFeatureValue {
      var buffer: CVPixelBuffer?
      let made = CVPixelBufferCreate(
        nil, canvas.width, canvas.height, format, nil, &buffer)
      guard made == kCVReturnSuccess, let buffer,
        CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess
      else { throw AppleVisionError.image(reason: "there is no pixel buffer for it") }
      defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
      let bytesPerRow = CVPixelBufferGetBytesPerRow(buffer)
      let bytes = UnsafeMutableRawBufferPointer(
        start: CVPixelBufferGetBaseAddress(buffer),
        count: bytesPerRow * CVPixelBufferGetHeight(buffer))
      let isWritten =
        format == kCVPixelFormatType_OneComponent8
        ? try canvas.converted(toChannels: 1).writeGrey(to: bytes, bytesPerRow: bytesPerRow)
        : canvas.writeBGRA(to: bytes, bytesPerRow: bytesPerRow)
      guard isWritten else {
        throw AppleVisionError.image(reason: "a pixel buffer is too small for it")
      }
      return MLFeatureValue(pixelBuffer: buffer)
    }

    private static func planes(
      _ values: [Float], shape: [Int], element: MultiArrayLayout.Element
    ) throws -> MLFeatureValue {
      guard let layout = MultiArrayLayout(shape: shape, element: element),
        layout.count == values.count,
        let type = MLMultiArrayDataType(rawValue: element.rawValue)
      else {
        throw AppleVisionError.image(reason: "\(values.count) values for an input of \(shape)")
      }
      let array: MLMultiArray
      do {
        array = try MLMultiArray(shape: shape.map { NSNumber(value: $0) }, dataType: type)
      } catch {
        throw AppleVisionError.image(reason: error.localizedDescription)
      }
      guard array.write(values, layout) else {
        throw AppleVisionError.image(reason: "an array of \(shape) does not take its samples")
      }
      return MLFeatureValue(multiArray: array)
    }
  }

  extension MLMultiArray {
    /// The numbers in row-major order; nil if their type is not known or there are too many.
    var rowMajorValues: [Float]? {
      guard let element = MultiArrayLayout.Element(rawValue: dataType.rawValue),
        let layout = MultiArrayLayout(
          shape: shape.map(\.intValue), strides: strides.map(\.intValue), element: element)
      else { return nil }
      if #available(macOS 12.3, iOS 15.4, *) {
        return withUnsafeBytes { layout.values(in: $0) }
      }
      return layout.values(
        in: UnsafeRawBufferPointer(start: dataPointer, count: layout.byteCount))
    }
  }

  extension MLMultiArray {
    /// Writes all numbers of an array whose layout is row-major; false if its own is not.
    fileprivate func write(_ values: [Float], _ layout: MultiArrayLayout) -> Bool {
      if #available(macOS 12.3, iOS 15.4, *) {
        return withUnsafeMutableBytes { bytes, strides in
          strides == layout.strides && MultiArrayLayout.write(values, as: layout.element, to: bytes)
        }
      }
      return strides.map(\.intValue) == layout.strides
        && MultiArrayLayout.write(
          values, as: layout.element,
          to: UnsafeMutableRawBufferPointer(start: dataPointer, count: layout.byteCount))
    }
  }

  extension MLModelDescription {
    /// What the model takes and gives, for messages.
    var signature: String {
      let inputs = inputDescriptionsByName.keys.sorted().joined(separator: ", ")
      let outputs = outputDescriptionsByName.keys.sorted().joined(separator: ", ")
      return "inputs \(inputs) and outputs \(outputs)"
    }

    /// The constraint of the first input that is an image, by name.
    var imageInput: MLImageConstraint? {
      inputDescriptionsByName.sorted { $0.key < $1.key }.lazy.compactMap(\.value.imageConstraint)
        .first
    }
  }
#endif
