import Geometry
import TestSupport
import Testing

@testable import Evaluation

@Suite("Agreement with a reference run")
struct StageAgreementTests {
  private func boxes(_ count: Int, shift: Float = 0) -> [Box] {
    (0..<count).map { Box(x: Float($0) * 20 + shift, y: 0, width: 10, height: 10) }
  }

  @Test("A run agrees with itself, whatever the order of its boxes")
  func same() throws {
    var generator = SeededGenerator(seed: 50)
    let stages = [12, 9, 9, 0].enumerated().map {
      StageBoxes(name: "s\($0)", boxes: boxes($1))
    }
    let shuffled = stages.map {
      StageBoxes(name: $0.name, boxes: $0.boxes.shuffled(using: &generator))
    }
    let agreement = try StageAgreement(shuffled, reference: stages)
    #expect(agreement.stages.map(\.matched) == [12, 9, 9, 0])
    #expect(agreement.stages.allSatisfy { $0.isComplete && $0.agreement == 1 })
    #expect(agreement.firstDifference == nil)
  }

  @Test("Boxes that are missing, more or elsewhere are told stage by stage")
  func differences() throws {
    let reference = [("a", 4), ("b", 4), ("c", 4)].map { StageBoxes(name: $0, boxes: boxes($1)) }
    let run = [
      StageBoxes(name: "a", boxes: boxes(4, shift: 0.2)),
      StageBoxes(name: "b", boxes: boxes(3)),
      StageBoxes(name: "c", boxes: boxes(2) + boxes(4, shift: 7)),
    ]
    let agreement = try StageAgreement(run, reference: reference)
    #expect(agreement.stages.map(\.matched) == [4, 3, 2])
    #expect(agreement.stages.map(\.count) == [4, 3, 6])
    #expect(agreement.stages.map(\.referenceCount) == [4, 4, 4])
    #expect(agreement.stages.map(\.agreement) == [1, 6.0 / 7, 0.4])
    #expect(agreement.firstDifference?.name == "b")
    let strict = try StageAgreement(run, reference: reference, minimumIoU: 0.99)
    #expect(strict.stages[0].matched == 0 && strict.stages[0].agreement == 0)
  }

  @Test("It is the same from either side")
  func symmetry() throws {
    var generator = SeededGenerator(seed: 51)
    for _ in 0..<50 {
      func random() -> [StageBoxes] {
        ["x", "y"].map { name in
          let count = Int(generator.unit() * 12)
          return StageBoxes(
            name: name,
            boxes: (0..<count).map { _ in
              Box(x: generator.unitFloat() * 30, y: 0, width: 10, height: 10)
            })
        }
      }
      let (first, second) = (random(), random())
      let there = try StageAgreement(first, reference: second, minimumIoU: 0.5)
      let back = try StageAgreement(second, reference: first, minimumIoU: 0.5)
      #expect(there.stages.map(\.matched) == back.stages.map(\.matched))
      #expect(there.stages.map(\.agreement) == back.stages.map(\.agreement))
    }
  }

  @Test("Stages that are not the same, and numbers that are none, are errors")
  func refused() throws {
    let stage = StageBoxes(name: "a", boxes: boxes(1))
    #expect(throws: EvaluationError.stageMismatch(index: 0, found: "a", expected: "b")) {
      try StageAgreement([stage], reference: [StageBoxes(name: "b", boxes: [])])
    }
    #expect(throws: EvaluationError.stageMismatch(index: 1, found: nil, expected: "a")) {
      try StageAgreement([stage], reference: [stage, stage])
    }
    #expect(throws: EvaluationError.stageMismatch(index: 0, found: "a", expected: nil)) {
      try StageAgreement([stage], reference: [])
    }
    #expect(try StageAgreement([], reference: []).stages.isEmpty)
    let broken = StageBoxes(name: "a", boxes: [Box(minX: .nan, minY: 0, maxX: 1, maxY: 1)])
    #expect(throws: EvaluationError.self) { try StageAgreement([broken], reference: [stage]) }
    #expect(throws: EvaluationError.self) { try StageAgreement([stage], reference: [broken]) }
    #expect(throws: EvaluationError.self) {
      try StageAgreement([stage], reference: [stage], minimumIoU: .nan)
    }
  }
}
