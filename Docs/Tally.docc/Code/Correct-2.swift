import CountReport
import Counting
import Foundation
import ImageFiles
import ReferenceModels

let photo = try ImageFile.load(contentsOf: URL(fileURLWithPath: "coins.png"))
let counter = try ObjectCounter.bundled()
let count = try await counter.tracedCount(in: photo)

let found = count.result.detections.filter(\.isMain).map(\.detection.box)
let large = found.filter { $0.width > 55 }
let correction = CountCorrection(of: count.result, removed: large)
let corrected = try CorrectedCount(count.result, correctedBy: correction)
print(count.result.count, corrected.count)  // 24 20
