import Foundation
import Geometry
import TestSupport
import Testing

@testable import Evaluation

/// What TrackEval and py-motmetrics answered for sequences that
/// `Fixtures/generate/tracking_metrics.py` makes.
private struct TrackingGolden: Decodable {
  struct Frame: Decodable {
    /// Number, left, top, width, height.
    let truths, predictions: [[Float]]

    var evaluated: EvaluatedFrame {
      EvaluatedFrame(truths: truths.map(Self.box), predictions: predictions.map(Self.box))
    }

    private static func box(_ row: [Float]) -> IdentifiedBox {
      IdentifiedBox(
        id: Int(row[0]), box: Box(x: row[1], y: row[2], width: row[3], height: row[4]))
    }
  }

  struct Sequence: Decodable {
    let frames: [Frame]
    let minimumIoU: Double
    let clear: [String: Double]
    let hota: [String: [Double]]

    var evaluated: [EvaluatedFrame] { frames.map(\.evaluated) }
  }

  let sequences: [Sequence]
  let together: [String: [Double]]

  static func golden() throws -> TrackingGolden {
    try Folders.golden("Evaluation/tracking.json")
  }
}

private func expectEqual(_ hota: HOTA, _ expected: [String: [Double]]) {
  func isNear(_ values: [Double], _ expected: [Double]?) -> Bool {
    guard let expected, values.count == expected.count else { return false }
    return zip(values, expected).allSatisfy { abs($0 - $1) < 1e-12 }
  }
  let levels = hota.levels
  #expect(levels.map { Double($0.detections.truePositives) } == expected["HOTA_TP"])
  #expect(levels.map { Double($0.detections.falseNegatives) } == expected["HOTA_FN"])
  #expect(levels.map { Double($0.detections.falsePositives) } == expected["HOTA_FP"])
  #expect(isNear(levels.map(\.value), expected["HOTA"]))
  #expect(isNear(levels.map(\.detectionAccuracy), expected["DetA"]))
  #expect(isNear(levels.map(\.associationAccuracy), expected["AssA"]))
  #expect(isNear(levels.map(\.localizationAccuracy), expected["LocA"]))
  #expect(isNear(levels.map { $0.detections.recall ?? 0 }, expected["DetRe"]))
  #expect(isNear(levels.map { $0.detections.precision ?? 0 }, expected["DetPr"]))
  #expect(isNear(levels.map(\.associationRecall), expected["AssRe"]))
  #expect(isNear(levels.map(\.associationPrecision), expected["AssPr"]))
  func mean(_ values: [Double]?) -> Double {
    (values ?? []).reduce(0, +) / Double(values?.count ?? 0)
  }
  #expect(abs(hota.value - mean(expected["HOTA"])) < 1e-12)
  #expect(abs(hota.detectionAccuracy - mean(expected["DetA"])) < 1e-12)
  #expect(abs(hota.associationAccuracy - mean(expected["AssA"])) < 1e-12)
  #expect(abs(hota.localizationAccuracy - mean(expected["LocA"])) < 1e-12)
}

/// A box of 10 by 10 in a place of its own for every slot, moved by part of its width.
private func box(_ id: Int, slot: Int, dx: Float = 0) -> IdentifiedBox {
  IdentifiedBox(id: id, box: Box(x: Float(slot) * 100 + dx, y: 0, width: 10, height: 10))
}

private func frame(_ truths: [IdentifiedBox], _ predictions: [IdentifiedBox]) -> EvaluatedFrame {
  EvaluatedFrame(truths: truths, predictions: predictions)
}

@Suite("Metrics of tracking")
struct TrackingMetricsTests {
  @Test("HOTA and its parts are TrackEval's at every threshold, also for sequences together")
  func hota() throws {
    let golden = try TrackingGolden.golden()
    var together: HOTA?
    for sequence in golden.sequences {
      let hota = try HOTA(of: sequence.evaluated)
      expectEqual(hota, sequence.hota)
      together = together.map { $0 + hota } ?? hota
    }
    expectEqual(try #require(together), golden.together)
  }

  @Test("MOTA, MOTP and all counts are py-motmetrics'")
  func clear() throws {
    for sequence in try TrackingGolden.golden().sequences {
      let score = try TrackingScore(of: sequence.evaluated, minimumIoU: sequence.minimumIoU)
      let expected = sequence.clear
      let matches = (expected["num_matches"] ?? -1) + (expected["num_switches"] ?? -1)
      #expect(Double(score.detections.truePositives) == matches)
      #expect(Double(score.detections.falsePositives) == expected["num_false_positives"])
      #expect(Double(score.detections.falseNegatives) == expected["num_misses"])
      #expect(Double(score.switches) == expected["num_switches"])
      #expect(Double(score.fragmentations) == expected["num_fragmentations"])
      #expect(Double(score.mostlyTracked) == expected["mostly_tracked"])
      #expect(Double(score.partlyTracked) == expected["partially_tracked"])
      #expect(Double(score.mostlyLost) == expected["mostly_lost"])
      #expect(abs(try #require(score.mota) - (expected["mota"] ?? .nan)) < 1e-12)
      #expect(abs(try #require(score.motp) - (expected["motp"] ?? .nan)) < 1e-12)
    }
  }

  @Test("IDF1, IDP and IDR are those of both")
  func identity() throws {
    for sequence in try TrackingGolden.golden().sequences {
      let score = try IdentityMatching(of: sequence.evaluated, minimumIoU: sequence.minimumIoU)
        .score
      #expect(Double(score.truePositives) == sequence.clear["idtp"])
      #expect(Double(score.falsePositives) == sequence.clear["idfp"])
      #expect(Double(score.falseNegatives) == sequence.clear["idfn"])
      #expect(abs(try #require(score.f1) - (sequence.clear["idf1"] ?? .nan)) < 1e-12)
      #expect(abs(try #require(score.precision) - (sequence.clear["idp"] ?? .nan)) < 1e-12)
      #expect(abs(try #require(score.recall) - (sequence.clear["idr"] ?? .nan)) < 1e-12)
    }
  }

  @Test("An object with one number for each half of ten frames")
  func halves() throws {
    let sequence = (0..<10).map { frame([box(1, slot: 0)], [box($0 < 5 ? 7 : 8, slot: 0)]) }
    let hota = try HOTA(of: sequence)
    #expect(hota.detectionAccuracy == 1)
    #expect(abs(hota.associationAccuracy - 0.5) < 1e-12)
    #expect(abs(hota.value - 0.5.squareRoot()) < 1e-12)
    #expect(hota.localizationAccuracy == 1)
    #expect(hota.levels[0].associationRecall == 0.5)
    #expect(hota.levels[0].associationPrecision == 1)
    let score = try TrackingScore(of: sequence)
    #expect(score.detections == DetectionScore(truePositives: 10))
    #expect(score.switches == 1)
    #expect(score.fragmentations == 0)
    #expect(score.mota == 0.9)
    #expect(score.motp == 1)
    let matching = try IdentityMatching(of: sequence)
    #expect(
      matching.score == DetectionScore(truePositives: 5, falsePositives: 5, falseNegatives: 5))
    #expect(matching.predictionOfTruth.count == 1)
  }

  @Test("Overlaps count up to their threshold and no further")
  func thresholds() throws {
    // Boxes moved by 2.5 of 10 share 7.5 of 12.5: exactly 0.6.
    let sequence = [frame([box(1, slot: 0)], [box(1, slot: 0, dx: 2.5)])]
    let hota = try HOTA(of: sequence)
    #expect(hota.levels.map(\.detections.truePositives) == (0..<19).map { $0 < 12 ? 1 : 0 })
    #expect(abs(hota.localizationAccuracy - (12 * 0.6 + 7) / 19) < 1e-12)
    #expect(HOTA.thresholds.count == 19)
    #expect(abs(HOTA.thresholds[18] - 0.95) < 1e-12)
    #expect(try TrackingScore(of: sequence, minimumIoU: 0.6).detections.truePositives == 1)
    #expect(try TrackingScore(of: sequence, minimumIoU: 0.61).detections.truePositives == 0)
    #expect(try IdentityMatching(of: sequence, minimumIoU: 0.6).score.f1 == 1)
    #expect(try IdentityMatching(of: sequence, minimumIoU: 0.61).score.f1 == 0)
    // Boxes that share nothing never match.
    let apart = [frame([box(1, slot: 0)], [box(1, slot: 1)])]
    #expect(try TrackingScore(of: apart, minimumIoU: 0).detections.truePositives == 0)
  }

  @Test("An object keeps its partner over a better box, and after a gap")
  func keeping() throws {
    let better = box(2, slot: 0)
    let own = box(1, slot: 0, dx: 2)
    let sequence = [
      frame([box(5, slot: 0)], [own]), frame([box(5, slot: 0)], [own, better]),
      frame([box(5, slot: 0)], []), frame([], [better]), frame([box(5, slot: 0)], [better, own]),
    ]
    let score = try TrackingScore(of: sequence)
    #expect(score.switches == 0)
    #expect(score.fragmentations == 1)
    #expect(
      score.detections
        == DetectionScore(truePositives: 3, falsePositives: 3, falseNegatives: 1))
    #expect(score.partlyTracked == 1)
    #expect(abs(try #require(score.motp) - 8.0 / 12.0) < 1e-12)
  }

  @Test("Numbers and the order of boxes mean nothing, and sides can be exchanged")
  func invariances() throws {
    var generator = SeededGenerator(seed: 41)
    for sequence in try TrackingGolden.golden().sequences {
      let frames = sequence.evaluated
      let changed = frames.map { frame in
        EvaluatedFrame(
          truths: frame.truths.map { IdentifiedBox(id: -3 * $0.id, box: $0.box) }
            .shuffled(using: &generator),
          predictions: frame.predictions.map { IdentifiedBox(id: .max - $0.id, box: $0.box) }
            .shuffled(using: &generator))
      }
      let hota = try HOTA(of: frames)
      let other = try HOTA(of: changed)
      #expect(hota.levels.map(\.detections) == other.levels.map(\.detections))
      #expect(abs(hota.value - other.value) < 1e-12)
      let swapped = try HOTA(
        of: frames.map { EvaluatedFrame(truths: $0.predictions, predictions: $0.truths) })
      #expect(abs(hota.value - swapped.value) < 1e-12)
      for (one, other) in zip(hota.levels, swapped.levels) {
        #expect(one.detections.recall == other.detections.precision)
        #expect(abs(one.associationRecall - other.associationPrecision) < 1e-12)
      }
      let iou = sequence.minimumIoU
      #expect(
        try IdentityMatching(of: frames, minimumIoU: iou).score
          == IdentityMatching(of: changed, minimumIoU: iou).score)
      // The truth as a prediction has no error.
      let perfect = frames.map { EvaluatedFrame(truths: $0.truths, predictions: $0.truths) }
      #expect(abs(try HOTA(of: perfect).value - 1) < 1e-12)
      #expect(try TrackingScore(of: perfect).mota == 1)
      #expect(try IdentityMatching(of: perfect).score.f1 == 1)
    }
  }

  @Test("Scores add up over sequences")
  func sums() throws {
    let sequences = try TrackingGolden.golden().sequences.map(\.evaluated)
    let first = try TrackingScore(of: sequences[0])
    let second = try TrackingScore(of: sequences[1])
    let both = first + second
    #expect(both.detections == first.detections + second.detections)
    #expect(both.switches == first.switches + second.switches)
    #expect(both.fragmentations == first.fragmentations + second.fragmentations)
    #expect(both.mostlyTracked == first.mostlyTracked + second.mostlyTracked)
    // Sequences with numbers of their own, one after the other, are one sequence.
    let joined = try TrackingScore(
      of: sequences[0]
        + sequences[1].map { frame in
          EvaluatedFrame(
            truths: frame.truths.map { IdentifiedBox(id: $0.id + 1_000_000, box: $0.box) },
            predictions: frame.predictions.map { IdentifiedBox(id: $0.id + 1_000_000, box: $0.box) }
          )
        })
    #expect(joined.mota == both.mota)
    #expect(joined.fragmentations == both.fragmentations)
    #expect(abs(try #require(joined.motp) - #require(both.motp)) < 1e-12)
    let stored = try JSONDecoder().decode(TrackingScore.self, from: JSONEncoder().encode(both))
    #expect(stored == both)
    let hota = try HOTA(of: sequences[0])
    #expect(try JSONDecoder().decode(HOTA.self, from: JSONEncoder().encode(hota)) == hota)
  }

  @Test("The heaviest pairs are those of all assignments tried")
  func heaviest() {
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<300 {
      let rows = Int.random(in: 0...4, using: &generator)
      let columns = Int.random(in: 0...4, using: &generator)
      var weights: [[Double]] = []
      var pairs: [(row: Int, column: Int, weight: Double)] = []
      for row in 0..<rows {
        weights.append((0..<columns).map { _ in generator.unit() < 0.6 ? generator.unit() : 0 })
        for column in 0..<columns where weights[row][column] > 0 {
          pairs.append((row, column, weights[row][column]))
        }
      }
      func best(_ row: Int, _ taken: Set<Int>) -> Double {
        guard row < rows else { return 0 }
        let others = (0..<columns).filter { !taken.contains($0) }.map {
          weights[row][$0] + best(row + 1, taken.union([$0]))
        }
        return max(best(row + 1, taken), others.max() ?? 0)
      }
      let chosen = heaviestPairs(pairs, rows: rows, columns: columns)
      let sum = chosen.enumerated().reduce(0.0) { sum, pair in
        sum + (pair.element.map { weights[pair.offset][$0] } ?? 0)
      }
      #expect(abs(sum - best(0, [])) < 1e-12)
      #expect(Set(chosen.compactMap { $0 }).count == chosen.count { $0 != nil })
    }
  }

  @Test("Sequences without boxes, without truths and without predictions have figures that say so")
  func empty() throws {
    let one = [box(1, slot: 0)]
    for sequence in [[], [frame([], [])]] {
      #expect(try HOTA(of: sequence).value == 0)
      #expect(try HOTA(of: sequence).localizationAccuracy == 1)
      #expect(try TrackingScore(of: sequence).mota == nil)
      #expect(try TrackingScore(of: sequence).motp == nil)
      #expect(try IdentityMatching(of: sequence).score == DetectionScore())
    }
    let missed = [frame(one, [])]
    #expect(try HOTA(of: missed).levels[0].detections == DetectionScore(falseNegatives: 1))
    #expect(try TrackingScore(of: missed).mota == 0)
    #expect(try TrackingScore(of: missed).mostlyLost == 1)
    #expect(try IdentityMatching(of: missed).score.f1 == 0)
    let wrong = [frame([], one)]
    #expect(try HOTA(of: wrong).detectionAccuracy == 0)
    #expect(try TrackingScore(of: wrong).mota == nil)
    #expect(try TrackingScore(of: wrong).detections.falsePositives == 1)
    #expect(try IdentityMatching(of: wrong).score.precision == 0)
  }

  @Test("Boxes that are none, repeated numbers and thresholds out of range are errors")
  func hostile() throws {
    let bad = IdentifiedBox(id: 3, box: Box(minX: 0, minY: .nan, maxX: 1, maxY: 1))
    let good = box(1, slot: 0)
    let cases: [(EvaluatedFrame, EvaluationError)] = [
      (frame([good, bad], []), .boxIsNotFinite(what: "frame 1: true box", index: 1)),
      (frame([], [bad]), .boxIsNotFinite(what: "frame 1: prediction", index: 0)),
      (frame([good, good], []), .repeatedID(what: "true box", frame: 1, id: 1)),
      (frame([good], [good, bad, good]), .boxIsNotFinite(what: "frame 1: prediction", index: 1)),
      (frame([good], [good, good]), .repeatedID(what: "prediction", frame: 1, id: 1)),
    ]
    for (second, error) in cases {
      let sequence = [frame([good], [good]), second]
      #expect(throws: error) { try HOTA(of: sequence) }
      #expect(throws: error) { try TrackingScore(of: sequence) }
      #expect(throws: error) { try IdentityMatching(of: sequence) }
    }
    #expect(
      EvaluationError.repeatedID(what: "prediction", frame: 1, id: 7).description
        == "frame 1: a prediction with the number 7 occurs twice; each may occur once")
    for threshold in [-0.1, 1.1, .nan, .infinity] {
      #expect(throws: EvaluationError.self) { try TrackingScore(of: [], minimumIoU: threshold) }
      #expect(throws: EvaluationError.self) { try IdentityMatching(of: [], minimumIoU: threshold) }
    }
    let most = Float.greatestFiniteMagnitude
    let shapes = [
      Box(minX: 9, minY: 9, maxX: 1, maxY: 1), Box(minX: 5, minY: 5, maxX: 5, maxY: 9),
      Box(minX: -most, minY: -most, maxX: most, maxY: most),
      Box(minX: 0, minY: 0, maxX: .leastNonzeroMagnitude, maxY: .leastNonzeroMagnitude),
    ]
    let ids = [Int.min, .max, -1, 0]
    let odd = zip(ids, shapes).map { IdentifiedBox(id: $0, box: $1) }
    let sequence = [frame(odd, odd), frame(odd, [good])]
    #expect(try HOTA(of: sequence).levels[0].detections.truePositives == 2)
    #expect(try TrackingScore(of: sequence).detections.truePositives == 2)
    #expect(try IdentityMatching(of: sequence).score.truePositives == 2)
  }

  @Test("A hundred and fifty objects in one place are counted")
  func crowd() throws {
    var generator = SeededGenerator(seed: 43)
    let sequence = (0..<3).map { _ in
      let boxes = (0..<150).map { id in
        IdentifiedBox(
          id: id,
          box: Box(x: generator.unitFloat() * 9, y: generator.unitFloat() * 9, width: 9, height: 9))
      }
      return frame(boxes, boxes.shuffled(using: &generator))
    }
    #expect(try TrackingScore(of: sequence).detections.truePositives == 450)
    #expect(try HOTA(of: sequence).levels[0].detections.truePositives == 450)
    #expect(try IdentityMatching(of: sequence).score.f1 == 1)
  }
}
