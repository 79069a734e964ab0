import ImageFiles

// begin
let models = TextModelFiles(folder: try fetchedModel(""))
let photo = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/shelf.jpg"))
let bytes = Array("title,author\nWalden,Henry David Thoreau\nMiddlemarch,George Eliot\n".utf8)
