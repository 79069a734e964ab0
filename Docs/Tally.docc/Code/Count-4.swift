import CountDrawing
import Counting
import Drawing
import Foundation
import ImageFiles
import ReferenceModels

let photo = try ImageFile.load(contentsOf: URL(fileURLWithPath: "coins.png"))

let counter = try ObjectCounter.bundled()
let result = try await counter.count(in: photo)
print(result.count)  // 24

if let confidence = result.confidence {
  print(confidence.least, "to", confidence.greatest)  // 22 to 26
}

var overlay = Overlay(result)
overlay.caption = "\(result.count) coins"
let scale = try overlay.readableScale(width: photo.width, height: photo.height)
let drawing = try overlay.drawn(over: photo, scale: scale)
try ImageFile.write(drawing, to: URL(fileURLWithPath: "counted.png"))
