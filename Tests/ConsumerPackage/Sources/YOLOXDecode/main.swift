import Geometry
import Support
import YOLOXDecode

// A 32 x 32 image has 16 + 4 + 1 cells at strides 8, 16 and 32; one of them sees an object.
let head = try YOLOXHead(outputShape: [1, 21, 6], inputWidth: 32, inputHeight: 32)
var output = [Float](repeating: 0, count: 21 * 6)
output.replaceSubrange(20 * 6..<21 * 6, with: [0.5, 0.5, 0, 0, 0.9, 1])
let candidates = try head.candidates(in: output, minimumScore: 0.5)
guard candidates.map(\.box) == [Box(x: 0, y: 0, width: 32, height: 32)] else {
  exit(because: "one box over the whole image was expected, not \(candidates)")
}
print("YOLOXDecode: \(candidates[0].box) with score \(candidates[0].score)")
