import Geometry
import TestSupport
import Testing

@testable import SpineDetection

/// What stays of outlines that overlap.
@Suite("Choice among outlines")
struct SpineChoiceTests {
  /// An upright outline 100 high.
  private func outline(_ left: Double, _ right: Double) -> Quadrilateral {
    Quadrilateral(
      topLeft: Point(x: left, y: 0), topRight: Point(x: right, y: 0),
      bottomRight: Point(x: right, y: 100), bottomLeft: Point(x: left, y: 100))
  }

  private func chosen(_ outlines: [(left: Double, right: Double, logit: Double)]) -> [Int] {
    SpineChoice(outlines.map { (outline($0.left, $0.right), $0.logit) }).chosen()
  }

  @Test("Five thin books stay, and not the surer outline around them")
  func five() {
    var outlines = [(left: 0.0, right: 50.0, logit: 3.4)]
    for left in stride(from: 0.0, to: 50, by: 10) { outlines.append((left, left + 10, 2.9)) }
    #expect(chosen(outlines).sorted() == [1, 2, 3, 4, 5])
  }

  @Test("One sure outline stays, and not two doubtful halves")
  func halves() {
    #expect(chosen([(0, 10, 0.4), (10, 20, 0.5), (0, 20, 2.5)]) == [2])
  }

  @Test("Halves end to end are parts of the surer whole, however sure; a half by itself stays")
  func parts() {
    func half(_ top: Double, _ bottom: Double) -> Quadrilateral {
      Quadrilateral(Box(minX: 0, minY: Float(top), maxX: 20, maxY: Float(bottom)))
    }
    let halves = [(half(0, 48), 2.9), (half(52, 100), 2.9)]
    #expect(SpineChoice(halves + [(outline(0, 20), 3.2)]).chosen() == [2])
    #expect(SpineChoice(halves).chosen() == [0, 1])
    #expect(SpineChoice(halves + [(outline(0, 20), -1)]).chosen() == [0, 1])
  }

  @Test("Of two outlines of one spine the surer stays; neighbours do not mind each other")
  func twice() {
    #expect(chosen([(0, 10, 1), (1, 11, 2), (11, 20, 0.5), (40, 50, 3)]) == [3, 1, 2])
  }

  @Test("The unlikely take what room is left, and drive out nobody")
  func unlikely() {
    #expect(chosen([(0, 30, 0.1), (0, 10, -0.5), (10, 20, -0.5), (20, 30, -0.5)]) == [0])
    #expect(chosen([(0, 10, 1), (10, 20, -2), (5, 25, -3)]) == [0, 1])
  }

  @Test("Nothing of nothing, and no chain of exchanges without an end")
  func many() {
    #expect(chosen([]) == [])
    var random = SeededGenerator(seed: 25)
    let outlines = (0..<300).map { _ in
      let left = Double.random(in: 0...1000, using: &random)
      return (
        left: left, right: left + Double.random(in: 5...80, using: &random),
        logit: Double.random(in: -3...5, using: &random)
      )
    }
    let kept = chosen(outlines)
    let places = kept.map { outlines[$0] }
    for (index, first) in places.enumerated() {
      for second in places[(index + 1)...] {
        let shared = min(first.right, second.right) - max(first.left, second.left)
        let smaller = min(first.right - first.left, second.right - second.left)
        #expect(shared <= 0.4 * smaller + 1e-9)
      }
    }
    // Whoever is left out has a rival among those that stay.
    for index in outlines.indices where !kept.contains(index) {
      let out = outlines[index]
      #expect(
        places.contains {
          min($0.right, out.right) - max($0.left, out.left)
            > 0.4 * min($0.right - $0.left, out.right - out.left)
        })
    }
  }
}
