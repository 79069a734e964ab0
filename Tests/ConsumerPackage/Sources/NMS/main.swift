import Geometry
import NMS
import Support

let boxes = [
  Box(x: 0, y: 0, width: 10, height: 10), Box(x: 1, y: 0, width: 10, height: 10),
  Box(x: 50, y: 50, width: 10, height: 10),
]
let kept = try nonMaximumSuppression(boxes: boxes, scores: [0.8, 0.9, 0.7], iouThreshold: 0.65)
guard kept == [1, 2] else { exit(because: "boxes 1 and 2 should stay, not \(kept)") }
print("NMS: boxes \(kept) stay")
