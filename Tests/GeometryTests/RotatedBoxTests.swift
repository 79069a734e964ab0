import Geometry
import Testing

@Suite struct RotatedBoxTests {
  @Test("the corners of a box that is not turned, and of one turned by a quarter") func corners() {
    var box = RotatedBox(center: Point(x: 50, y: 40), width: 30, height: 8, angle: 0)
    #expect(box.quadrilateral.topLeft == Point(x: 35, y: 36))
    #expect(box.quadrilateral.bottomRight == Point(x: 65, y: 44))
    #expect(box.area == 240)
    // Clockwise as seen, with y downwards: what was left is above.
    box.angle = .pi / 2
    let topLeft = box.quadrilateral.topLeft
    #expect(topLeft.distance(to: Point(x: 54, y: 25)) < 1e-12)
  }

  @Test("the quadrilateral has the box's sides at every angle") func sides() {
    for step in -8...8 {
      let box = RotatedBox(
        center: Point(x: -3, y: 7), width: 5, height: 2, angle: Double(step) * 0.7)
      let corners = box.quadrilateral
      #expect(abs(corners.topLeft.distance(to: corners.topRight) - 5) < 1e-12)
      #expect(abs(corners.topRight.distance(to: corners.bottomRight) - 2) < 1e-12)
      #expect(abs(corners.area - 10) < 1e-12)
    }
  }

  @Test("the similarity is symmetric, 1 for the same box, and falls with the distance")
  func similarity() {
    let box = RotatedBox(center: Point(x: 10, y: 10), width: 20, height: 4, angle: 0.4)
    #expect(abs(box.probabilisticIoU(box) - 1) < 1e-3)
    var last = 1.0
    for shift in 1...8 {
      var other = box
      other.center.x += Double(shift) * 3
      other.angle += 0.1
      let similarity = box.probabilisticIoU(other)
      #expect(abs(similarity - other.probabilisticIoU(box)) < 1e-12)
      #expect(similarity < last)
      last = similarity
    }
    // A turn by half is the same rectangle.
    var turned = box
    turned.angle += .pi
    #expect(abs(box.probabilisticIoU(turned) - box.probabilisticIoU(box)) < 1e-9)
  }

  @Test("boxes without an area, and very far ones, have a similarity from 0 to 1") func extremes() {
    let point = RotatedBox(center: .init(x: 0, y: 0), width: 0, height: 0, angle: 0)
    let far = RotatedBox(center: .init(x: 1e9, y: -1e9), width: 3, height: 1, angle: 9)
    for (first, second) in [(point, point), (point, far), (far, point)] {
      #expect((0...1).contains(first.probabilisticIoU(second)))
    }
  }

  @Test("a box with a number that is not finite says so")
  func finite() {
    let box = RotatedBox(center: Point(x: 0, y: 0), width: 3, height: 1, angle: 0)
    #expect(box.isFinite)
    for path: WritableKeyPath<RotatedBox, Double> in [\.center.x, \.width, \.height, \.angle] {
      for value in [Double.nan, .infinity] {
        var broken = box
        broken[keyPath: path] = value
        #expect(!broken.isFinite)
      }
    }
  }
}
