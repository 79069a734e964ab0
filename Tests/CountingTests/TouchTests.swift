import Counting
import Geometry
import TestSupport
import Testing
import VisionProtocols

// A16: which object of a count a finger touched.

@Suite("Objects at a point")
struct TouchTests {
  /// A result with these boxes, each of which may have an outline.
  private func result(_ objects: [(Box, Detection.Outline?)]) -> CountingResult {
    CountingResult(
      count: objects.count, mainCluster: 0, clusterSizes: [0: objects.count],
      detections: objects.map { box, outline in
        CountedDetection(
          detection: Detection(
            box: box, score: 0.5, objectness: 0.5, classScore: 1, classID: 0, outline: outline),
          cluster: 0, isMain: true)
      }, steps: [], seconds: CountingSeconds(), hint: nil, width: 1000, height: 1000)
  }

  /// The places of the hits in the result.
  private func places(
    _ result: CountingResult, _ x: Double, _ y: Double, within tolerance: Double = 0
  ) -> [Int] {
    result.objects(at: Point(x: x, y: y), within: tolerance).compactMap {
      result.detections.firstIndex(of: $0)
    }
  }

  @Test("The smallest that contains the point comes first, sides included")
  func containing() {
    let result = result([
      (Box(x: 0, y: 0, width: 100, height: 100), nil),
      (Box(x: 40, y: 40, width: 20, height: 20), nil),
      (Box(x: 60, y: 60, width: 200, height: 200), nil),
    ])
    #expect(places(result, 50, 50) == [1, 0])
    #expect(places(result, 60, 60) == [1, 0, 2])
    #expect(places(result, 0, 0) == [0])
    #expect(places(result, 100, 30) == [0] && places(result, 100.001, 30).isEmpty)
    #expect(places(result, 300, 20).isEmpty)
  }

  @Test("Within the tolerance the nearest comes first, behind those that are hit")
  func tolerance() {
    let result = result([
      (Box(x: 0, y: 0, width: 10, height: 10), nil),
      (Box(x: 30, y: 0, width: 10, height: 10), nil),
      (Box(x: 0, y: 0, width: 500, height: 500), nil),
    ])
    #expect(places(result, 18, 5, within: 12) == [2, 0, 1])
    #expect(places(result, 18, 5, within: 8) == [2, 0])
    #expect(places(result, 18, 5, within: 7.999) == [2])
    // 3 to the right of a corner and 4 below it.
    #expect(places(result, 43, 14, within: 5) == [2, 1])
    for tolerance in [0, -1, .nan] { #expect(places(result, 18, 5, within: tolerance) == [2]) }
    #expect(places(result, 18, 5, within: .infinity) == [2, 0, 1])
  }

  @Test("The outline counts if it is known, not its box")
  func outlines() {
    let diamond = Quadrilateral(
      topLeft: Point(x: 50, y: 0), topRight: Point(x: 100, y: 50),
      bottomRight: Point(x: 50, y: 100), bottomLeft: Point(x: 0, y: 50))
    let box = Box(x: 0, y: 0, width: 100, height: 100)
    for outline in [Detection.Outline.rotatedBox(diamond), .polygon(diamond.corners)] {
      let result = result([(box, outline)])
      #expect(places(result, 50, 2) == [0] && places(result, 25, 25) == [0])
      #expect(places(result, 10, 10).isEmpty)
      // The side runs from (0, 50) to (50, 0): 30 / sqrt 2 away.
      #expect(places(result, 10, 10, within: 21.22) == [0])
      #expect(places(result, 10, 10, within: 21.21).isEmpty)
    }
  }

  @Test("Shapes and points that are not finite hit nothing, and nothing traps")
  func hostile() {
    let corners = [Point(x: 0, y: 0), Point(x: .nan, y: 1), Point(x: 2, y: 2)]
    let result = result([
      (Box(minX: .nan, minY: 0, maxX: 10, maxY: 10), nil),
      (Box(minX: 0, minY: 0, maxX: .infinity, maxY: 10), nil),
      (Box(x: 0, y: 0, width: 10, height: 10), .polygon(corners)),
      (Box(x: 0, y: 0, width: 10, height: 10), .polygon([])),
      (Box(minX: 20, minY: 20, maxX: 20, maxY: 20), nil),
      (Box(minX: -3e38, minY: -3e38, maxX: 3e38, maxY: 3e38), nil),
    ])
    #expect(places(result, 5, 5, within: 1e6) == [5, 4])
    #expect(places(result, 20, 20) == [4, 5])
    #expect(places(result, 5, 5, within: .infinity) == [5, 4])
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(places(result, value, 5, within: .infinity).isEmpty)
    }
  }

  @Test("Of many objects, those are hit that a plain search finds")
  func plainSearch() {
    var generator = SeededGenerator(seed: 11)
    let boxes = (0..<300).map { _ in
      Box(
        x: Float.random(in: 0...900, using: &generator),
        y: Float.random(in: 0...900, using: &generator),
        width: Float.random(in: 1...90, using: &generator),
        height: Float.random(in: 1...90, using: &generator))
    }
    let result = result(boxes.map { ($0, nil) })
    for _ in 0..<50 {
      let point = Point(
        x: Double.random(in: 0...1000, using: &generator),
        y: Double.random(in: 0...1000, using: &generator))
      let expected = boxes.indices.filter { index in
        let box = boxes[index]
        let dx = max(Double(box.minX) - point.x, point.x - Double(box.maxX), 0)
        let dy = max(Double(box.minY) - point.y, point.y - Double(box.maxY), 0)
        return (dx * dx + dy * dy).squareRoot() <= 20
      }
      #expect(places(result, point.x, point.y, within: 20).sorted() == expected)
    }
  }
}
