import Raster
import ReferenceModels
import RunnerTensors

/// A photo as the network sees it; an app has its own.
func tensor(of photo: Raster) throws -> Tensor {
  try Tensor(shape: [1, 3, 416, 416], [Float](repeating: 114, count: 3 * 416 * 416))
}

// begin
let model = try BundledModels.detectorFile()
let photos = [try Raster(width: 416, height: 416, channels: 3, fill: 114)]
let file = URL(fileURLWithPath: "int8.onnx")
