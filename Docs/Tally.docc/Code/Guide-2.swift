import Counting
import Foundation
import Geometry
import ImageFiles
import ReferenceModels

let photo = try ImageFile.load(contentsOf: URL(fileURLWithPath: "coins.png"))
let counter = try ObjectCounter.bundled()

let upperHalf = try CountingRegion(of: Box(x: 0, y: 0, width: 384, height: 151))
let coin = Box(x: 80, y: 39, width: 38, height: 34)
let guide = CountingGuide(like: [coin], region: upperHalf)
let upper = try await counter.count(in: photo, guide: guide)
print(upper.count)  // 12
