import ImageFiles

// begin
let image = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/cover.jpg"))
