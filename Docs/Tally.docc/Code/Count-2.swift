import Counting
import Foundation
import ImageFiles
import ReferenceModels

let photo = try ImageFile.load(contentsOf: URL(fileURLWithPath: "coins.png"))

let counter = try ObjectCounter.bundled()
let result = try await counter.count(in: photo)
print(result.count)  // 24
