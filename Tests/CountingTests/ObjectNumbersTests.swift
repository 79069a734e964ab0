import Geometry
import TestSupport
import Testing
import VisionProtocols

@testable import Counting

@Suite("Numbers of objects")
struct ObjectNumbersTests {
  private func object(_ box: Box, isMain: Bool = true) -> CountedDetection {
    CountedDetection(
      detection: Detection(box: box, score: 1, objectness: 1, classScore: 1, classID: 0),
      cluster: isMain ? 0 : 1, isMain: isMain)
  }

  @Test("Rows from top to bottom, each from left to right, a little aslant or not")
  func rows() {
    for tilt in [0, 0.03, -0.03] as [Float] {
      var generator = SeededGenerator(seed: 5)
      let places = (0..<24).map { place in
        let (column, row) = (Float(place % 6), Float(place / 6))
        return Box(
          centerX: 60 * column + .random(in: -4...4, using: &generator),
          centerY: 60 * row + 60 * column * tilt + .random(in: -4...4, using: &generator),
          width: 40, height: 40)
      }
      let shuffled = places.indices.shuffled(using: &generator)
      let numbers = ObjectNumbers(shuffled.map { object(places[$0]) })
      #expect(numbers.numbers == shuffled.map { $0 + 1 })
      #expect(numbers.order.map { shuffled[$0] } == Array(0..<24))
    }
  }

  @Test("Counted objects come before others, and every object has one number")
  func kinds() {
    var generator = SeededGenerator(seed: 6)
    for count in [0, 1, 2, 50, 500] {
      let objects = (0..<count).map { index in
        object(
          Box(
            x: .random(in: 0...900, using: &generator), y: .random(in: 0...900, using: &generator),
            width: .random(in: 1...90, using: &generator), height: 30), isMain: index % 3 > 0)
      }
      let numbers = ObjectNumbers(objects)
      #expect(numbers.numbers.sorted() == Array(1..<count + 1))
      let mains = objects.count(where: \.isMain)
      #expect(zip(objects, numbers.numbers).allSatisfy { $0.isMain == ($1 <= mains) })
      #expect(
        objects.enumerated().allSatisfy {
          numbers.number(of: $1.detection) == numbers.numbers[$0]
        })
    }
    #expect(
      ObjectNumbers([]).number(of: object(Box(x: 0, y: 0, width: 1, height: 1)).detection) == nil)
  }

  @Test("Boxes that are none come last", arguments: [Float.nan, .infinity, -.infinity])
  func strange(value: Float) {
    let boxes = [
      Box(minX: value, minY: 0, maxX: 1, maxY: 1), Box(x: 50, y: 0, width: 9, height: 9),
      Box(x: 0, y: 0, width: 9, height: 9), Box(minX: 0, minY: 0, maxX: 1, maxY: value),
    ]
    #expect(ObjectNumbers.readingOrder(of: boxes) == [2, 1, 0, 3])
    #expect(ObjectNumbers.readingOrder(of: [boxes[0]]) == [0])
    let huge = Float.greatestFiniteMagnitude
    let wide = Box(minX: -huge, minY: -huge, maxX: huge, maxY: huge)
    #expect(ObjectNumbers.readingOrder(of: [wide, boxes[1]]).count == 2)
  }
}
