import Evaluation
import Geometry
import Support

let box = Box(x: 0, y: 0, width: 10, height: 10)
let matching = try ObjectMatching(
  boxes: [box], objects: .points([TruePoint(point: Point(x: 5, y: 5), radius: 5)]))
guard matching.score.f1 == 1, try countAccuracy(count: 28, truth: 56) == 0.5 else {
  exit(because: "the box is the object, and half of the objects are counted")
}
print("Evaluation: one box is right, and 28 of 56 is half")
