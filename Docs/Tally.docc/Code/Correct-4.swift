import Annotations
import CountHistory
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

let labels = AnnotationSet(corrected, image: "coins.png", categories: ["coin"])
try labels.write(as: .coco).write(to: URL(fileURLWithPath: "coins.json"))
print(labels.photos[0].annotations.count)  // 20

let history = HistoryFile(URL(fileURLWithPath: "history.sqlite"))
let entry = try HistoryEntry(
  time: Date(), count: count.result.count, correctedCount: corrected.count,
  imageName: "coins.png", thresholds: counter.configuration,
  thumbnail: CountThumbnail.jpeg(of: count.result, in: photo))
try await history.add(entry)
print(try await history.entries().map(\.finalCount))  // [20]
