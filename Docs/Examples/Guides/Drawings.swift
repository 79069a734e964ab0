import Counting
import ImageFiles
import ReferenceModels

// begin
let photo = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/coins.png"))
let result = try await ObjectCounter.bundled().count(in: photo)
let kept = [150.0, 180, 210, 390]
let dropped = [20.0, 900]
let url = URL(fileURLWithPath: "areas.pdf")
