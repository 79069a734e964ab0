import ImageFiles

// begin
try FileManager.default.createSymbolicLink(
  atPath: "yolox_s.onnx", withDestinationPath: fetchedModel("yolox_s_640.onnx").path)
let photo = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/coins.png"))
