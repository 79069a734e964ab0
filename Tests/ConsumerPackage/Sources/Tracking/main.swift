import Geometry
import Support
import Tracking

var tracker = ObjectTracker()
let box = Box(x: 10, y: 10, width: 20, height: 60)
for frame in 0..<3 {
  let moved = Sighting(box: box.translated(dx: Float(frame) * 5, dy: 0))
  guard tracker.update(with: [moved], at: .milliseconds(Int64(frame) * 150)).map(\.id) == [1] else {
    exit(because: "a box that moves a little keeps its id")
  }
}
guard tracker.distinctCount == 1 else { exit(because: "one object was seen") }
print("Tracking: one object in three frames")
