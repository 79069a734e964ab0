import Foundation
import ImageFiles
import ReferenceModels
import ShelfReading
import VisionProtocols

let photo = try ImageFile.load(contentsOf: URL(fileURLWithPath: "shelf.jpg"))

let spines = SpineOutlineDetector(model: try BundledModels.spineSegmenter())
let texts = try TextReader(files: TextModelFiles(folder: URL(fileURLWithPath: "models")))
let reader = ShelfReader(finding: spines).recognizingText(with: texts)

let shelf = try await reader.shelf(in: photo)
for book in shelf.books {
  print(book.title ?? "?", "by", book.author ?? "?")
}
print(shelf.books[0].title ?? "?")  // MOBY DICK
