import Geometry
import TestSupport
import Testing

@testable import Evaluation

@Suite("Mistakes of counts by name")
struct CountMistakesTests {
  private typealias Mistake = CountMistakes.Mistake

  /// A square of side 10 at a place.
  private func square(_ x: Float, _ y: Float = 0, side: Float = 10) -> Box {
    Box(x: x, y: y, width: side, height: side)
  }

  private func mistakes(
    _ boxes: [Box], _ objects: [Box], counted: [Bool]? = nil, main: [Bool]? = nil
  ) throws -> [Mistake] {
    try CountMistakes(
      boxes: boxes, isCounted: counted ?? boxes.map { _ in true }, objects: objects,
      isMain: main ?? objects.map { _ in true }
    ).mistakes
  }

  @Test("A count whose boxes are the objects has none")
  func none() throws {
    let boxes = [square(0), square(20), square(40)]
    #expect(try mistakes(boxes, boxes.reversed()).isEmpty)
    #expect(try mistakes([], []).isEmpty)
  }

  @Test("Each box that is no object has the name of its mistake")
  func boxes() throws {
    let objects = [square(0), square(20), square(22, 60, side: 30)]
    let right = objects
    let cases: [(Box, CountMistakes.Kind, Int?)] = [
      (square(1), .duplicate, 0), (square(24, 62, side: 8), .part, 2),
      (Box(minX: -2, minY: -2, maxX: 32, maxY: 12), .merged, nil),
      (square(6, 5), .loose, 0), (square(200), .nothing, nil), (square(9.5), .nothing, nil),
    ]
    for (box, kind, object) in cases {
      #expect(
        try mistakes(right + [box], objects) == [Mistake(kind: kind, box: 3, object: object)],
        "\(kind)")
    }
  }

  @Test("A part needs to lie inside, and to be clearly smaller")
  func parts() throws {
    let whole = [square(0, 0, side: 20)]
    func first(_ box: Box) throws -> CountMistakes.Kind? { try mistakes([box], whole).first?.kind }
    #expect(try first(square(8, 8, side: 10)) == .part)
    #expect(try first(square(13.1, 0, side: 10)) == .loose)
    #expect(try first(square(1, 1, side: 16)) == nil)
  }

  @Test("Objects are missed, or found and taken for another kind")
  func kinds() throws {
    let objects = [square(0), square(20), square(40), square(60)]
    let found = try mistakes(
      [objects[0], objects[1], objects[3]], objects, counted: [true, false, true],
      main: [true, true, true, false])
    #expect(
      found == [
        Mistake(kind: .mixedKind, box: 2, object: 3), Mistake(kind: .splitKind, box: 1, object: 1),
        Mistake(kind: .missed, box: nil, object: 2),
      ])
  }

  @Test("A box of another kind takes no counted box its object")
  func countedFirst() throws {
    let object = square(0)
    #expect(try mistakes([object, square(2)], [object], counted: [false, true]).isEmpty)
  }

  @Test("Every counted box is right or has one mistake, and so has every object")
  func properties() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<60 {
      func boxes(_ count: Int) -> [Box] {
        (0..<count).map { _ in
          square(
            Float(generator.unit() * 60), Float(generator.unit() * 60),
            side: Float(4 + generator.unit() * 16))
        }
      }
      let (found, objects) = (boxes(14), boxes(12))
      let counted = found.map { _ in generator.unit() < 0.7 }
      let main = objects.map { _ in generator.unit() < 0.7 }
      let all = try CountMistakes(
        boxes: found, isCounted: counted, objects: objects, isMain: main)
      let right = try ObjectMatching(
        boxes: found.indices.filter { counted[$0] }.map { found[$0] },
        objects: .boxes(
          objects.indices.filter { main[$0] }.map { objects[$0] }, minimumIoU: 0.5)
      ).score
      let ofBoxes: [CountMistakes.Kind] = [
        .part, .merged, .duplicate, .loose, .nothing, .mixedKind,
      ]
      #expect(ofBoxes.reduce(0) { $0 + all.count(of: $1) } == right.falsePositives)
      #expect(all.count(of: .missed) + all.count(of: .splitKind) == right.falseNegatives)
    }
  }

  @Test("Marks that are too few and boxes that are no boxes are errors")
  func hostile() {
    #expect(throws: EvaluationError.countMismatch(what: "marks of boxes", expected: 1, got: 0)) {
      try mistakes([square(0)], [], counted: [])
    }
    #expect(throws: EvaluationError.countMismatch(what: "marks of objects", expected: 1, got: 0)) {
      try mistakes([], [square(0)], main: [])
    }
    #expect(throws: EvaluationError.self) { try mistakes([square(.nan)], [square(0)]) }
  }
}
