import Foundation
import TestSupport
import Testing

@testable import Evaluation

/// What jiwer answered for texts that `Fixtures/generate/classification_metrics.py` makes.
private struct TextGolden: Decodable {
  struct Case: Decodable {
    let truth, prediction: String
    /// Matches, substitutions, deletions, insertions, by a plain table in Python.
    let characters, words: [Int]
    /// jiwer's rates.
    let cer, wer: Double
  }

  let cases: [Case]
  let cer, wer: Double
}

/// The fewest edits and of those the most matches, by a table of all pairs of beginnings.
private func plainEdits(_ truth: [Int], _ prediction: [Int]) -> [Int] {
  var row = (0...prediction.count).map { [$0, 0, 0, 0, $0] }
  for own in truth {
    let before = row
    row = [[before[0][0] + 1, 0, 0, before[0][3] + 1, 0]]
    for (column, read) in prediction.enumerated() {
      func edited(_ way: [Int], _ kind: Int) -> [Int] {
        var result = way
        result[kind] += 1
        if kind != 2 { result[0] += 1 }
        return result
      }
      let ways = [
        edited(before[column], own == read ? 2 : 1), edited(before[column + 1], 3),
        edited(row[column], 4),
      ]
      row.append(ways.min { $0.lexicographicallyPrecedes($1) } ?? [])
    }
  }
  let last = row[prediction.count]
  return [last[2], last[1], last[3], last[4]]
}

extension EditCounts {
  fileprivate var list: [Int] { [matches, substitutions, deletions, insertions] }
}

@Suite("Errors in texts")
struct TextErrorRateTests {
  @Test("Rates are jiwer's, and counts those of a plain table, for texts alone and together")
  func golden() throws {
    let golden: TextGolden = try Folders.golden("Evaluation/texts.json")
    #expect(golden.cases.count > 40)
    for one in golden.cases {
      let rate = TextErrorRate(truth: one.truth, prediction: one.prediction)
      #expect(rate.characters.list == one.characters, "\(one.truth)")
      #expect(rate.words.list == one.words, "\(one.truth)")
      #expect(abs((rate.characters.rate ?? -1) - one.cer) < 1e-12)
      #expect(abs((rate.words.rate ?? -1) - one.wer) < 1e-12)
    }
    let all = try TextErrorRate(
      truths: golden.cases.map(\.truth), predictions: golden.cases.map(\.prediction))
    #expect(abs((all.characters.rate ?? -1) - golden.cer) < 1e-12)
    #expect(abs((all.words.rate ?? -1) - golden.wer) < 1e-12)
    #expect(all.texts == golden.cases.count)
    #expect(all.exactTexts == golden.cases.count { $0.cer == 0 })
    #expect(try JSONDecoder().decode(TextErrorRate.self, from: JSONEncoder().encode(all)) == all)
  }

  @Test("Edits are those of a plain table, whatever the lengths")
  func oracle() {
    var generator = SeededGenerator(seed: 61)
    func sequence(_ length: Int, kinds: Double) -> [Int] {
      (0..<length).map { _ in Int(generator.unit() * kinds) }
    }
    for round in 0..<225 {
      // Long sequences have more than one block of 64, and short ones of few kinds many alignments
      // to choose from.
      let longest = round < 200 ? 14.0 : 150
      let kinds = 1 + generator.unit() * 4
      let truth = sequence(Int(generator.unit() * longest), kinds: kinds)
      let prediction = sequence(Int(generator.unit() * longest), kinds: kinds)
      let edits = EditCounts(truth: truth, prediction: prediction)
      #expect(edits.list == plainEdits(truth, prediction), "\(truth) \(prediction)")
      #expect(edits.truthCount == truth.count && edits.predictionCount == prediction.count)
      let back = EditCounts(truth: prediction, prediction: truth)
      #expect(back.list == [edits.matches, edits.substitutions, edits.insertions, edits.deletions])
      #expect(
        EditCounts(truth: truth.reversed(), prediction: prediction.reversed()) == edits)
    }
  }

  @Test("Long texts that are almost equal, and a long one beside a short one, take little time")
  func long() {
    let text = String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 1000)
    #expect(TextErrorRate(truth: text, prediction: text).characters.matches == 45_000)
    let changed = "X" + text.dropFirst().dropLast(6) + "dot. !"
    let rate = TextErrorRate(truth: text, prediction: changed)
    #expect(rate.characters.substitutions == 2 && rate.characters.distance == 4)
    #expect(rate.words.distance == 3)
    let short = TextErrorRate(truth: "x", prediction: text)
    #expect(short.characters.list == [1, 0, 0, 44_999])
  }

  @Test("Characters are code points, and words are between white space of any kind")
  func units() {
    let accent = TextErrorRate(truth: "\u{E9}", prediction: "e\u{301}")
    #expect(accent.characters.truthCount == 1 && accent.characters.predictionCount == 2)
    #expect(accent.characters.rate == 2 && accent.words.rate == 1 && accent.exactTexts == 0)
    let family = TextErrorRate(truth: "\u{1F469}\u{200D}\u{1F680}", prediction: "\u{1F469}")
    #expect(family.characters.list == [1, 0, 2, 0])
    let spaces = TextErrorRate(truth: "a b c", prediction: " a\n\tb\u{3000}c\r\n")
    #expect(spaces.words.list == [3, 0, 0, 0] && spaces.characters.distance > 0)
    #expect(EditCounts(truth: ["x", "y"], prediction: ["y"]).list == [1, 0, 1, 0])
  }

  @Test("A truth without characters has edits and no rate")
  func empty() throws {
    let both = TextErrorRate(truth: "", prediction: "")
    #expect(both.characters.rate == nil && both.words.rate == nil && both.exactShare == 1)
    let more = TextErrorRate(truth: "", prediction: "a b")
    #expect(more.characters.rate == nil && more.characters.insertions == 3)
    #expect(more.words.insertions == 2 && more.exactTexts == 0)
    let blank = TextErrorRate(truth: "  ", prediction: "a")
    #expect(blank.words.rate == nil && blank.characters.rate == 1)
    let none = try TextErrorRate(truths: [], predictions: [])
    #expect(none.exactShare == nil && none.characters.rate == nil && none.texts == 0)
    #expect((both + more).characters.insertions == 3)
    #expect(throws: EvaluationError.countMismatch(what: "predictions", expected: 2, got: 1)) {
      try TextErrorRate(truths: ["a", "b"], predictions: ["a"])
    }
  }
}
