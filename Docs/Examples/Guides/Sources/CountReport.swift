import Counting
import ImageFiles
import ReferenceModels

// begin
let photo = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/coins.png"))
let counter = try ObjectCounter.bundled()
let url = URL(fileURLWithPath: "page.html")
