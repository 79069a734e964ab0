import Geometry
import TestSupport
import Testing

@testable import Evaluation

@Suite("Exemplars drawn around known objects")
struct ExemplarDrawingTests {
  private func squares(_ sides: [Float]) -> [Box] {
    sides.map { Box(x: 5, y: 5, width: $0, height: $0) }
  }

  @Test("One is of median area, several are evenly spread over the order of area")
  func typical() {
    let boxes = squares([9, 1, 5, 3, 7])
    #expect(ExemplarDrawing.typical(1, of: boxes) == [2])
    #expect(ExemplarDrawing.typical(3, of: boxes) == [1, 2, 0])
    #expect(ExemplarDrawing.typical(5, of: boxes) == [1, 3, 2, 4, 0])
    #expect(ExemplarDrawing.typical(20, of: boxes) == [1, 3, 2, 4, 0])
    #expect(ExemplarDrawing.typical(0, of: boxes).isEmpty)
    #expect(ExemplarDrawing.typical(2, of: []).isEmpty)
    #expect(ExemplarDrawing.typical(1, of: squares([4, 4, 4])) == [1])
  }

  @Test("Badly drawn boxes stay within their bounds, and reach them nearly")
  func badly() {
    let box = Box(x: 100, y: 50, width: 20, height: 40)
    var drawing = ExemplarDrawing(seed: 1, name: "a.jpg")
    let drawn = (0..<400).map { _ in drawing.badly(box) }
    for other in drawn {
      #expect((11.9...32.1).contains(other.width))
      #expect(abs(other.height - 2 * other.width) < 1e-3)
      #expect(abs(other.center.x - 110) < 8.01 && abs(other.center.y - 70) < 16.01)
    }
    #expect(drawn.contains { $0.width < 13 } && drawn.contains { $0.width > 31 })
    #expect(drawn.contains { $0.center.x < 103 } && drawn.contains { $0.center.y > 84 })
  }

  @Test("The same seed draws the same, and other seeds and photos something else")
  func seeds() {
    func first(_ seed: UInt64, _ name: String) -> Box {
      var drawing = ExemplarDrawing(seed: seed, name: name)
      return drawing.badly(Box(x: 0, y: 0, width: 10, height: 10))
    }
    #expect(first(1, "a") == first(1, "a"))
    #expect(first(1, "a") != first(2, "a"))
    #expect(first(1, "a") != first(1, "b"))
  }

  @Test("A box on nothing shares no area with any object, and none is drawn if there is no room")
  func nowhere() throws {
    var drawing = ExemplarDrawing(seed: 3)
    let objects = (0..<6).map { Box(x: Float($0) * 16, y: 0, width: 12, height: 80) }
    for _ in 0..<20 {
      let place = drawing.nowhere(like: objects[0], objects: objects, width: 100, height: 100)
      let box = try #require(place)
      #expect(objects.allSatisfy { $0.intersectionArea(box) == 0 })
      #expect(box.minX >= 0 && box.minY >= 0 && box.maxX <= 100.001 && box.maxY <= 100.001)
    }
    let all = Box(x: 0, y: 0, width: 100, height: 100)
    let none = drawing.nowhere(like: objects[0], objects: [all], width: 100, height: 100)
    #expect(none == nil)
  }
}
