import ImageFiles

// begin
let models = try fetchedModel("")
let image = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/cover.jpg"))
let words = ["modern", "art"]
