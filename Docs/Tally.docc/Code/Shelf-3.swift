import Barcodes
import Foundation
import ImageFiles
import ReferenceModels
import ShelfReading
import VisionProtocols

let photo = try ImageFile.load(contentsOf: URL(fileURLWithPath: "shelf.jpg"))

let spines = SpineOutlineDetector(model: try BundledModels.spineSegmenter())
let texts = try TextReader(files: TextModelFiles(folder: URL(fileURLWithPath: "models")))
let reader = ShelfReader(finding: spines)
  .recognizingText(with: texts)
  .readingBarcodes(with: BarcodeScanner(effort: .fast), closeUps: BarcodeScanner())

let shelf = try await reader.shelf(in: photo)
for book in shelf.books {
  print(book.title ?? "?", "by", book.author ?? "?", book.isbns.map(\.description))
}

let catalogue = try BookCatalogue(
  csv: Data(
    """
    title,subtitle,author
    Moby Dick,"or, The Whale",Herman Melville
    The Origin of Species,,Charles Darwin
    """.utf8))
let matches = catalogue.matches(of: shelf).matches
print(matches[0].map { catalogue.entries[$0.entry].title } ?? "?")  // Moby Dick
