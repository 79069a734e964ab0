import ReferenceModels
import RunnerTensors

// begin
let url = try BundledModels.detectorFile()
let session = try InferenceSession(contentsOf: url)
let pixels = [Float](repeating: 114, count: 3 * 416 * 416)
let image = try Tensor(shape: [1, 3, 416, 416], pixels)
