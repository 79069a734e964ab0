import Geometry
import TestSupport
import Testing

@Suite("What boxes cover together")
struct CoverageTests {
  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> NormalizedBox {
    NormalizedBox(x: x, y: y, width: width, height: height)
  }

  @Test("Overlaps count once, and nothing counts outside the image")
  func known() {
    #expect(NormalizedBox.coverage(of: []) == 0)
    #expect(NormalizedBox.coverage(of: [box(0, 0, 1, 1)]) == 1)
    #expect(NormalizedBox.coverage(of: [box(-5, -5, 10, 10)]) == 1)
    #expect(NormalizedBox.coverage(of: [box(2, 0, 1, 1), box(0, 0, 0, 1)]) == 0)
    #expect(NormalizedBox.coverage(of: [box(0, 0, 0.5, 0.5), box(0, 0, 0.5, 0.5)]) == 0.25)
    #expect(NormalizedBox.coverage(of: [box(0, 0, 0.5, 0.5), box(0.25, 0.25, 0.5, 0.5)]) == 0.4375)
  }

  @Test("It is the share of a grid's cells that lie in any box")
  func grid() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let boxes = (0..<random.next() % 8).map { _ in
        let numbers = (0..<4).map { _ in Double(random.next() % 48) / 32 - 0.25 }
        return box(numbers[0], numbers[1], numbers[2], numbers[3])
      }
      var cells = 0
      for x in 0..<32 {
        for y in 0..<32 {
          let middle = ((Double(x) + 0.5) / 32, (Double(y) + 0.5) / 32)
          let isIn = boxes.contains {
            $0.x < middle.0 && middle.0 < $0.x + $0.width && $0.y < middle.1
              && middle.1 < $0.y + $0.height
          }
          if isIn { cells += 1 }
        }
      }
      #expect(abs(NormalizedBox.coverage(of: boxes) - Double(cells) / 1024) < 1e-12)
    }
  }
}
