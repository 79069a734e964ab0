import AVFoundation
import CoreGraphics
import CoreML
import Counting
import DetectionDecode
import Foundation
import Raster
import Vision
import VisionProtocols

/// The class that Xcode makes for a model.
final class FruitDetector {
  let model: MLModel
  init(configuration: MLModelConfiguration) throws {
    model = try MLModel(contentsOf: URL(fileURLWithPath: "FruitDetector.mlmodelc"))
  }
}

/// What a camera gives; nothing of this is run.
func cameraBuffer() -> CMSampleBuffer { fatalError() }

// begin
let sampleBuffer = cameraBuffer()
let model = try MLModel(contentsOf: URL(fileURLWithPath: "model.mlmodelc"))
let image = try Raster(width: 640, height: 480, channels: 3, fill: 128)
let crops = [image]
