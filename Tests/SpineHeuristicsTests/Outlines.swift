import Foundation
import Geometry

/// The outline of a book of a thickness and length, its middle at (`x`, `y`), its long axis turned by
/// `tilt` degrees from the vertical.
func book(
  x: Double, y: Double, thickness: Double = 20, length: Double = 200, tilt: Double = 0
) -> Quadrilateral {
  let angle = tilt * Double.pi / 180
  func corner(_ across: Double, _ along: Double) -> Point {
    Point(
      x: x + across * thickness / 2 * cos(angle) - along * length / 2 * sin(angle),
      y: y + across * thickness / 2 * sin(angle) + along * length / 2 * cos(angle))
  }
  return Quadrilateral(
    topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1),
    bottomLeft: corner(-1, 1))
}
