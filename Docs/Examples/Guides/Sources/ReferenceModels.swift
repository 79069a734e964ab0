import Counting
import Geometry
import ImageFiles
import SpineDetection

// begin
for (name, model) in [
  ("mobilenet", "efficientnet_lite0"), ("clip_vision", "tinyclip_vision"),
  ("yolox_s", "yolox_s_640"), ("yolov8n", "yolox_s_640"),
] {
  try FileManager.default.createSymbolicLink(
    atPath: "\(name).onnx", withDestinationPath: fetchedModel("\(model).onnx").path)
}
let models = try fetchedModel("")
let image = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/coins.png"))
let photo = image
let crops = [photo]
let counter = try ObjectCounter.bundled()
let box = Box(x: 79, y: 175, width: 45, height: 42)
