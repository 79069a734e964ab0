import Geometry
import Testing

@Suite struct OrientationTests {
  /// Where the pixel at (x, y) of a stored image of the size is in the upright image.
  private func upright(
    _ orientation: Orientation, x: Int, y: Int, width: Int, height: Int
  ) -> [Int] {
    switch orientation {
    case .upright: [x, y]
    case .flipHorizontally: [width - 1 - x, y]
    case .rotate180: [width - 1 - x, height - 1 - y]
    case .flipVertically: [x, height - 1 - y]
    case .transpose: [y, x]
    case .rotate90Clockwise: [height - 1 - y, x]
    case .transverse: [height - 1 - y, width - 1 - x]
    case .rotate90Anticlockwise: [y, width - 1 - x]
    }
  }

  @Test("the inverse brings every pixel back, and sides are swapped by turns and diagonals")
  func inverse() {
    for orientation in Orientation.allCases {
      let (width, height) = (3, 2)
      let turned = orientation.swapsSides ? (height, width) : (width, height)
      for y in 0..<height {
        for x in 0..<width {
          let place = upright(orientation, x: x, y: y, width: width, height: height)
          #expect((0..<turned.0).contains(place[0]) && (0..<turned.1).contains(place[1]))
          #expect(
            upright(
              orientation.inverse, x: place[0], y: place[1], width: turned.0, height: turned.1)
              == [x, y])
        }
      }
      #expect(orientation.inverse.inverse == orientation)
    }
  }
}
