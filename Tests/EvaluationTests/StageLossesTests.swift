import Geometry
import Testing

@testable import Evaluation

@Suite("Where a pipeline loses objects")
struct StageLossesTests {
  private let boxes = (0..<4).map {
    Box(minX: 0, minY: 0, maxX: 10, maxY: 10).translated(dx: Float($0) * 20, dy: 0)
  }
  private var points: TrueObjects {
    .points(
      (0..<4).map { TruePoint(point: Point(x: Double($0) * 20 + 5, y: 5), radius: 5) })
  }

  @Test("Each object is lost at the stage that dropped its box")
  func losses() throws {
    let stray = boxes[0].translated(dx: 0, dy: 100)
    let losses = try StageLosses(
      stages: [
        StageBoxes(name: "detected", boxes: [boxes[0], boxes[1], boxes[2], stray]),
        StageBoxes(name: "size", boxes: [boxes[2], boxes[0]]),
        StageBoxes(name: "merged", boxes: [boxes[2]]),
      ], objects: points)
    #expect(losses.lossOfObject == [2, 1, nil, 0])
    #expect(losses.stages.map(\.name) == ["detected", "size", "merged"])
    #expect(losses.stages.map(\.lost) == [[3], [1], [0]])
    #expect(losses.stages[0].isFound == [true, true, true, false])
    #expect(
      losses.stages[0].score
        == DetectionScore(truePositives: 3, falsePositives: 1, falseNegatives: 1))
    #expect(losses.stages[2].score == DetectionScore(truePositives: 1, falseNegatives: 3))
  }

  @Test("Losses add up to the objects that are missed at the end")
  func sums() throws {
    let truths = TrueObjects.boxes(boxes, minimumIoU: 0.5)
    let losses = try StageLosses(
      stages: [
        StageBoxes(name: "a", boxes: boxes), StageBoxes(name: "b", boxes: []),
        StageBoxes(name: "c", boxes: [boxes[1]]),
      ], objects: truths)
    // What comes back was not lost.
    #expect(losses.lossOfObject == [1, nil, 1, 1])
    let lost = losses.stages.reduce(0) { $0 + $1.lost.count }
    #expect(lost == losses.stages[2].score.falseNegatives)
  }

  @Test("No stages lose nothing, and no objects cannot be lost")
  func empty() throws {
    #expect(try StageLosses(stages: [], objects: points).lossOfObject == [nil, nil, nil, nil])
    let none = try StageLosses(
      stages: [StageBoxes(name: "a", boxes: boxes)], objects: .points([]))
    #expect(none.lossOfObject.isEmpty)
    #expect(none.stages[0].score == DetectionScore(falsePositives: 4))
  }

  @Test("Errors of a stage's boxes come through")
  func hostile() {
    let bad = Box(minX: 0, minY: 0, maxX: .nan, maxY: 1)
    #expect(throws: EvaluationError.boxIsNotFinite(what: "box", index: 0)) {
      try StageLosses(stages: [StageBoxes(name: "a", boxes: [bad])], objects: points)
    }
  }
}
