import Foundation
import Geometry
import TestSupport

/// Boxes on an image of 100 by 80, some of them with integer corners;
/// `Fixtures/generate/geometry.py` makes the same.
func sampleBoxes(seed: UInt64, count: Int) -> [Box] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { index in
    let x = generator.unitFloat() * 100
    let y = generator.unitFloat() * 80
    let box = Box(
      x: x, y: y, width: generator.unitFloat() * 50, height: generator.unitFloat() * 40)
    guard index % 3 == 0 else { return box }
    return Box(
      minX: box.minX.rounded(.down), minY: box.minY.rounded(.down),
      maxX: box.maxX.rounded(.down), maxY: box.maxY.rounded(.down))
  }
}

/// The corners of a rectangle turned by `angle` about its center.
func rotatedRectangle(
  x: Double, y: Double, width: Double, height: Double, angle: Double
) -> Quadrilateral {
  let (cosine, sine) = (cos(angle), sin(angle))
  func corner(_ dx: Double, _ dy: Double) -> Point {
    Point(x: x + dx * cosine - dy * sine, y: y + dx * sine + dy * cosine)
  }
  return Quadrilateral(
    topLeft: corner(-width / 2, -height / 2), topRight: corner(width / 2, -height / 2),
    bottomRight: corner(width / 2, height / 2), bottomLeft: corner(-width / 2, height / 2))
}

/// Coordinates that no image has.
let strangeFloats: [Float] = [
  .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
  .leastNonzeroMagnitude, -0.0, 0, 1, -1, 1e10, 3.5,
]
