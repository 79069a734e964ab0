import TestSupport
import Testing
import Tracking
import VisionProtocols

@testable import Recognition

/// What comes of steps, found out another way: from the moments alone at which each ends.
private struct Oracle {
  let behaviours: [Behaviour?]
  let isConcurrent: Bool

  private func delay(_ index: Int) -> Int64 {
    let budget: Int64 = index == 3 ? 3000 : 1000
    switch behaviours[index] {
    case .answers(_, let delay), .fails(let delay), .lacksModel(let delay):
      return min(delay, budget)
    case .hangs, .hangsForGood: return budget
    case nil: return 0
    }
  }

  private func wins(_ index: Int) -> Bool {
    if case .answers([0.9], _) = behaviours[index] { true } else { false }
  }

  private func letter(_ index: Int) -> Character {
    switch behaviours[index] {
    case nil: "-"
    case .answers(let confidences, _): confidences == [] ? "N" : confidences == [0.9] ? "W" : "U"
    case .fails: "F"
    case .lacksModel: "M"
    case .hangs, .hangsForGood: "T"
    }
  }

  /// Outcomes, milliseconds, winner.
  var expected: (String, Int64, Int?) {
    let winner = (0..<4).first(where: wins)
    let last = winner ?? 3
    if !isConcurrent {
      let letters = (0..<4).map { $0 <= last ? letter($0) : behaviours[$0] == nil ? "-" : "S" }
      return (String(letters), (0...last).map(delay).reduce(0, +), winner)
    }
    let letters = (0..<4).map { index -> Character in
      // When a better step closes this one.
      let closed = (0..<index).filter(wins).map(delay).min()
      guard behaviours[index] != nil, let closed, let winner, index > winner else {
        return letter(index)
      }
      if delay(index) > closed { return "C" }
      return wins(index) ? "O" : letter(index)
    }
    return (String(letters), (0...last).map(delay).max() ?? 0, winner)
  }
}

@Suite("Every case of four steps")
struct EveryCaseTests {
  /// All that a step can do, after the delay.
  private func kinds(_ delay: Int64) -> [Behaviour?] {
    [
      nil, .answers([0.9], after: delay), .answers([0.1], after: delay), .answers([], after: delay),
      .fails(after: delay), .lacksModel(after: delay), .hangs, .hangsForGood,
    ]
  }

  @Test(
    "Whatever four steps do, in any order of delays, the answer follows the rules",
    arguments: [true, false])
  func all(isConcurrent: Bool) throws {
    var random = SeededGenerator(seed: 4)
    for number in 0..<4096 {
      // Different delays, so that no two steps end at the same moment; a reader of barcodes sees all or
      // nothing.
      let delays = [11, 222, 333, 444].shuffled(using: &random).map { Int64($0) }
      let behaviours = (0..<4).map { index -> Behaviour? in
        let kind = kinds(delays[index])[number >> (3 * index) & 7]
        return index == 0 && kind == .answers([0.1], after: delays[0])
          ? .answers([], after: delays[0]) : kind
      }
      var bench = Bench()
      bench.configuration.runsConcurrently = isConcurrent
      for (step, behaviour) in zip(RecognitionStep.allCases, behaviours) {
        bench.behaviours[step] = behaviour
      }
      let (letters, milliseconds, winner) =
        Oracle(behaviours: behaviours, isConcurrent: isConcurrent).expected
      guard let result = try bench.result() else {
        Issue.record("no answer: \(behaviours)")
        continue
      }
      if result.letters != letters || result.milliseconds != milliseconds
        || result.method != winner.map({ RecognitionStep.allCases[$0] })
      {
        Issue.record(
          "\(behaviours): \(result.letters) \(result.milliseconds), not \(letters) \(milliseconds)")
      }
      // Nothing that heeds cancellation is left, and every timer is stopped.
      if bench.world.sleeperCount != 0 { Issue.record("left behind: \(behaviours)") }
    }
  }
}
