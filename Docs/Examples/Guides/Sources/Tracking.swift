import Geometry

func draw(_ box: Box, named name: String) { print(name, box) }

// begin
// An object that goes up across the line.
let frames = (0..<40).map { number in
  (
    sightings: [Sighting(box: Box(x: 250, y: Float(380 - 8 * number), width: 40, height: 100))],
    time: FrameTime(nanoseconds: Int64(number) * 40_000_000)
  )
}
