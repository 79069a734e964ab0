import Foundation
import ImageFiles
import ReferenceModels
import VisionProtocols

let photo = try ImageFile.load(contentsOf: URL(fileURLWithPath: "shelf.jpg"))

let spines = SpineOutlineDetector(model: try BundledModels.spineSegmenter())
let outlines = try await spines.outlines(in: photo)
print(outlines.count)  // 7
