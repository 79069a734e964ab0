import Counting
import Foundation
import Geometry
import TestSupport
import Testing
import VisionProtocols

@Suite("Stages of the adaptive method")
struct AdaptiveStageTests {
  // MARK: The typical object

  @Test("the size that most detections have is typical, not the mean of all")
  func mode() throws {
    let coins = (0..<9).map { detection(Box(x: Float($0) * 50, y: 100, width: 40, height: 41)) }
    let parts = (0..<6).map { detection(Box(x: Float($0) * 50, y: 105, width: 9, height: 30)) }
    let all = detection(Box(x: 0, y: 0, width: 480, height: 300))
    let selection = try #require(
      TypicalObjectStage().select(coins + parts + [all], width: 500, height: 400))
    #expect(abs(selection.typical.side - (40.0 * 41).squareRoot()) < 1e-3)
    #expect(abs(selection.typical.aspect - 40.0 / 41) < 1e-3)
    #expect(selection.sized == coins)
    #expect(selection.kept.map(\.detection) == coins)
    #expect(selection.typical.slopeDown == 0 && selection.typical.slopeAcross == 0)
  }

  @Test("scores weigh: a few sure detections beat many unsure ones")
  func weights() throws {
    let sure = (0..<3).map {
      detection(Box(x: Float($0) * 60, y: 0, width: 50, height: 50), score: 0.9)
    }
    let unsure = (0..<8).map {
      detection(Box(x: Float($0) * 20, y: 80, width: 10, height: 10), score: 0.01)
    }
    let selection = try #require(
      TypicalObjectStage().select(sure + unsure, width: 400, height: 400))
    #expect(selection.kept.map(\.detection) == sure)
  }

  @Test("objects that shrink into the distance are all of the usual size")
  func perspective() throws {
    // Squares of 20 pixels at the top and 60 at the bottom: ln 3 over the height.
    let rows = (0..<12).flatMap { row -> [Detection] in
      let down = Double(row) / 11
      let side = Float(20 * pow(3, down))
      return (0..<6).map {
        detection(
          Box(
            centerX: 100 + Float($0) * 150, centerY: Float(40 + down * 920), width: side,
            height: side))
      }
    }
    let with = try #require(TypicalObjectStage().select(rows, width: 1000, height: 1000))
    #expect(with.kept.count == rows.count)
    #expect(abs(with.typical.slopeDown - log(3.0) / 0.92) < 0.11)
    #expect(abs(with.typical.slopeAcross) <= 0.1)
    let top = with.typical.side(at: Point(x: 500, y: 40), width: 1000, height: 1000)
    #expect(abs(top - 20) < 3)
    let without = try #require(
      TypicalObjectStage(perspectiveGain: nil).select(rows, width: 1000, height: 1000))
    #expect(without.typical.slopeDown == 0)
    #expect(without.kept.count < rows.count * 3 / 4)
  }

  @Test("the frame may cut an object whose other side is whole")
  func frame() throws {
    let whole = (1..<8).map { detection(Box(x: Float($0) * 50, y: 100, width: 40, height: 40)) }
    let cut = detection(Box(x: 0, y: 100, width: 15, height: 40))
    let sliver = detection(Box(x: 0, y: 150, width: 5, height: 40))
    let corner = detection(Box(x: 0, y: 0, width: 15, height: 15))
    let inside = detection(Box(x: 200, y: 200, width: 15, height: 40))
    let all = whole + [cut, sliver, corner, inside]
    let selection = try #require(TypicalObjectStage().select(all, width: 500, height: 400))
    #expect(selection.kept.map(\.detection) == whole + [cut])
    let strict = TypicalObjectStage(keepsCutObjects: false)
    #expect(strict.select(all, width: 500, height: 400)?.kept.map(\.detection) == whole)
  }

  @Test("parts that are off let everything pass")
  func off() throws {
    var generator = SeededGenerator(seed: 3)
    let boxes = (0..<50).map { _ in
      detection(
        Box(
          x: .random(in: 0..<300, using: &generator), y: .random(in: 0..<300, using: &generator),
          width: .random(in: 1..<90, using: &generator),
          height: .random(in: 1..<90, using: &generator)),
        score: .random(in: 0.1..<1, using: &generator))
    }
    let open = TypicalObjectStage(sizeFactor: nil, aspectFactor: nil, perspectiveGain: nil)
    let selection = try #require(open.select(boxes, width: 400, height: 400))
    #expect(selection.kept.map(\.detection) == boxes)
    // With nothing to be near to, a fit is the root of the score.
    #expect(
      selection.kept.allSatisfy { abs($0.fit - Double($0.detection.score).squareRoot()) < 1e-12 })
  }

  @Test("the fit falls from 1 at the usual size to e^-2 at the band's end")
  func fits() throws {
    let usual = (0..<20).map {
      detection(Box(x: Float($0) * 50, y: 9, width: 40, height: 40), score: 1)
    }
    let large = detection(Box(x: 20, y: 100, width: 59.9, height: 59.9), score: 1)
    let selection = try #require(
      TypicalObjectStage().select(usual + [large], width: 1100, height: 300))
    #expect(selection.kept.count == 21)
    #expect(abs(selection.kept[0].fit - 1) < 1e-3)
    #expect(abs((selection.kept.last?.fit ?? 0) - exp(-2)) < 0.02)
  }

  @Test("boxes without area, score or number are passed over")
  func hostile() throws {
    let bad = [
      detection(Box(x: 5, y: 5, width: 0, height: 9)),
      detection(Box(x: 5, y: 5, width: -3, height: 9)),
      detection(Box(x: .nan, y: 5, width: 4, height: 9)),
      detection(Box(x: 5, y: 5, width: .infinity, height: 9)),
      detection(Box(x: 5, y: 5, width: 9, height: 9), score: 0),
      detection(Box(x: 5, y: 5, width: 9, height: 9), score: .nan),
    ]
    #expect(TypicalObjectStage().select(bad, width: 100, height: 100) == nil)
    #expect(TypicalObjectStage().select([], width: 100, height: 100) == nil)
    let good = detection(Box(x: 5, y: 5, width: 9, height: 9))
    #expect(
      TypicalObjectStage().select(bad + [good], width: 100, height: 100)?.kept.map(\.detection)
        == [good])
    let huge = detection(
      Box(minX: 0, minY: 0, maxX: .greatestFiniteMagnitude, maxY: .greatestFiniteMagnitude))
    let tiny = detection(Box(x: 0, y: 0, width: .leastNonzeroMagnitude, height: 1))
    _ = TypicalObjectStage().select([huge, tiny, good], width: 100, height: 100)
  }

  // MARK: Containment, score cut

  @Test("of a part and its whole the better fit stays, whatever the union")
  func containment() throws {
    let whole = FittedDetection(
      detection: detection(Box(x: 0, y: 0, width: 100, height: 100)), fit: 0.9)
    let part = FittedDetection(
      detection: detection(Box(x: 10, y: 10, width: 20, height: 20)), fit: 0.5)
    let beside = FittedDetection(
      detection: detection(Box(x: 95, y: 0, width: 100, height: 100)), fit: 0.4)
    let kept = try ContainmentStage().kept([part, beside, whole])
    #expect(kept.items == [whole, beside])
    #expect(kept.itemsIn == 3 && kept.itemsOut == 2)
    #expect(try ContainmentStage(maximumOverlap: nil).kept([part, beside, whole]).itemsOut == 3)
    #expect(try ContainmentStage().kept([]).items.isEmpty)
    #expect(throws: (any Error).self) { try ContainmentStage(maximumOverlap: 2).kept([part]) }
  }

  @Test("the cut is a share of the score-weighted median")
  func scoreCut() {
    let scores: [Float] = [0.8, 0.02, 0.9, 0.05, 0.7]
    let detections = scores.map { detection(Box(x: 0, y: 0, width: 9, height: 9), score: $0) }
    // Ascending sums 0.02, 0.07, 0.77, 1.57, 2.47: half of the total is passed at 0.8.
    #expect(ScoreCutStage.weightedMedian(of: scores.map { Double($0) }) == Double(Float(0.8)))
    let kept = ScoreCutStage(share: 0.06).filter(detections)
    #expect(kept.items.map(\.score) == [0.8, 0.9, 0.05, 0.7])
    #expect(ScoreCutStage(share: nil).filter(detections).items == detections)
    #expect(ScoreCutStage(share: 1).filter(detections).items.map(\.score) == [0.8, 0.9])
    #expect(ScoreCutStage().filter([]).items.isEmpty)
    #expect(ScoreCutStage.weightedMedian(of: []) == nil)
    #expect(ScoreCutStage.weightedMedian(of: [.nan, 0.5]) == 0.5)
  }

  // MARK: Kinds

  private func embeddings(_ kinds: [Int], spread: Double = 0.05) throws -> EmbeddingMatrix {
    var generator = SeededGenerator(seed: 11)
    let values = kinds.flatMap { kind in
      (0..<6).map { (column: Int) -> Float in
        let mean: Double = column == kind ? 1 : 0
        return Float(mean + spread * (generator.unit() - 0.5))
      }
    }
    return try EmbeddingMatrix(values: values, dimension: 6)
  }

  @Test("kinds that are far apart are told apart, the largest first")
  func kinds() throws {
    let kinds = [2, 0, 0, 1, 0, 1, 2, 0, 1]
    let found = try KindStage().kinds(
      of: embeddings(kinds), scores: kinds.map { $0 == 2 ? 0.9 : 0.5 })
    // Four of 0; of 1 three and of 2 two.
    #expect(found.labels == [2, 0, 0, 1, 0, 1, 2, 0, 1])
    #expect(try #require(found.silhouette) > 0.9)
  }

  @Test("of equally large kinds the one with more score comes first, then the first thing's")
  func ties() throws {
    let kinds = [0, 0, 0, 1, 1, 1]
    let byScore = try KindStage().kinds(
      of: embeddings(kinds), scores: [0.1, 0.1, 0.1, 0.9, 0.9, 0.9])
    #expect(byScore.labels == [1, 1, 1, 0, 0, 0])
    let byPlace = try KindStage().kinds(
      of: embeddings(kinds), scores: kinds.map { _ in 0.5 })
    #expect(byPlace.labels == kinds)
  }

  /// Four things, three that are `apart` degrees from them, and three others far away.
  private func sweets(apart: Double) throws -> EmbeddingMatrix {
    let degrees: [Double] = [-6, -2, 2, 6, apart - 6, apart - 2, apart + 2, 78, 82, 86]
    var values: [Float] = []
    for angle in degrees.map({ $0 * Double.pi / 180 }) {
      values += [Float(cos(angle)), Float(sin(angle))]
    }
    return try EmbeddingMatrix(values: values, dimension: 2)
  }

  @Test("what two numbers of kinds divide equally well has both readings")
  func tiedCuts() throws {
    let scores = [Float](repeating: 0.5, count: 10)
    func readings(_ apart: Double, least: Double = 0) throws -> (taken: [Int], ties: [[Int]]) {
      let found = try KindStage(leastDistance: least).kinds(
        of: sweets(apart: apart), scores: scores)
      let readings = try #require(found.readings)
      return (KindReading(labels: found.labels).sizes, readings.ties.map(\.sizes))
    }
    #expect(try readings(20) == ([7, 3], []))
    #expect(try readings(25) == ([7, 3], [[4, 3, 3]]))
    #expect(try readings(27) == ([4, 3, 3], [[7, 3]]))
    #expect(try readings(35) == ([4, 3, 3], []))
    // Kinds of the finer cut are nearer to each other on average.
    #expect(try readings(25, least: 0.7) == ([7, 3], []))
    // What is all one kind is not divided in other ways either.
    #expect(try readings(25, least: 0.9) == ([10], []))
  }

  @Test("one kind that varies is one kind, and so are few things and all things when it is off")
  func oneKind() throws {
    let one = try embeddings(Array(repeating: 3, count: 30), spread: 0.8)
    let scores = Array(repeating: Float(0.5), count: 30)
    #expect(try KindStage().kinds(of: one, scores: scores).labels.allSatisfy { $0 == 0 })
    let few = try embeddings([0, 0, 1, 1])
    let found = try KindStage().kinds(of: few, scores: [1, 1, 1, 1])
    #expect(found.labels == [0, 0, 0, 0] && found.silhouette == nil)
    let off = try KindStage(leastSilhouette: nil).kinds(
      of: embeddings([0, 0, 0, 1, 1, 1]), scores: Array(scores.prefix(6)))
    #expect(off.labels.allSatisfy { $0 == 0 })
    #expect(!KindStage().needsEmbeddings(for: 4) && KindStage().needsEmbeddings(for: 5))
  }

  @Test("scores and rows must be as many, and rows must have a direction")
  func badRows() throws {
    let rows = try embeddings([0, 0, 0, 1, 1])
    #expect(throws: CountingError.self) { try KindStage().kinds(of: rows, scores: [1]) }
    let zero = try EmbeddingMatrix(values: Array(repeating: 0, count: 30), dimension: 6)
    #expect(throws: (any Error).self) {
      try KindStage().kinds(of: zero, scores: [1, 1, 1, 1, 1])
    }
    let none = try EmbeddingMatrix(values: [], dimension: 6)
    #expect(try KindStage().kinds(of: none, scores: []).labels.isEmpty)
  }
}
