import Counting
import Drawing
import ImageFiles
import ReferenceModels

// begin
let photo = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/coins.png"))
let result = try await ObjectCounter.bundled().count(in: photo)
