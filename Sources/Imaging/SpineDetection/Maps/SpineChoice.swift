import Geometry

/// Chooses among overlapping outlines the set with the greatest likelihood.
///
/// A choice by confidence alone would prefer one outline around five thin books to the five
/// outlines. So a chosen outline is replaced if the outlines that it excludes are worth more
/// together. The choice is greedy at first; then outlines are exchanged one at a time as long as
/// the sum grows.
///
/// Source: the local search of Andrade, Resende and Werneck, "Fast local search for the maximum
/// independent set problem", 2012.
struct SpineChoice {
  /// What each is worth: the logarithm of its odds.
  private let worth: [Double]
  /// Those that cannot be chosen beside an outline.
  private let rivals: [Set<Int>]
  /// Most worth first.
  private let order: [Int]

  /// Two outlines are rivals if they share so much of the smaller one.
  private static let mostShared = 0.4
  /// The limits for a part of a more confident outline: the share inside it, the ratio of lengths,
  /// and the least ratio of thicknesses.
  ///
  /// Two books in one outline lie side by side. Halves that lie end to end are one book, cut by its
  /// print.
  private static let part = (inside: 0.75, length: 0.8, thickness: 0.6)
  /// Certainty beyond this counts no more, as one outline must not be worth many good ones.
  private static let mostWorth = 3.0

  /// Whether two outlines cannot be chosen beside each other.
  static func areRivals(_ one: Quadrilateral, _ other: Quadrilateral) -> Bool {
    one.boundingBox.intersection(other.boundingBox) != nil
      && isTooMuch(one.intersectionArea(other), of: min(one.area, other.area))
  }

  /// Whether outlines are rivals that share so much of the smaller one's area.
  private static func isTooMuch(_ shared: Double, of area: Double) -> Bool {
    shared > mostShared * area
  }

  /// O(outlines squared).
  init(_ candidates: [(quad: Quadrilateral, logit: Double)]) {
    worth = candidates.map(\.logit)
    let sorted = candidates.indices.sorted {
      (candidates[$0].logit, $1) > (candidates[$1].logit, $0)
    }
    let sizes = candidates.map { (length: $0.quad.longSide, thickness: $0.quad.shortSide) }
    let areas = candidates.map(\.quad.area)
    let boxes = candidates.map(\.quad.boundingBox)
    var rivals = [Set<Int>](repeating: [], count: candidates.count)
    var parts: Set<Int> = []
    for first in candidates.indices {
      for second in candidates.indices.dropFirst(first + 1)
      where boxes[first].intersection(boxes[second]) != nil {
        let shared = candidates[first].quad.intersectionArea(candidates[second].quad)
        if Self.isTooMuch(shared, of: min(areas[first], areas[second])) {
          rivals[first].insert(second)
          rivals[second].insert(first)
        }
        let (surer, other) =
          candidates[first].logit > candidates[second].logit ? (first, second) : (second, first)
        if candidates[surer].logit > 0,
          shared > Self.part.inside * min(areas[first], areas[second]),
          sizes[other].length < Self.part.length * sizes[surer].length,
          sizes[other].thickness > Self.part.thickness * sizes[surer].thickness
        {
          parts.insert(other)
        }
      }
    }
    self.rivals = rivals
    order = sorted.filter { !parts.contains($0) }
  }

  /// The chosen ones, most certain first.
  ///
  /// Those that are likelier no spine than one take what room the others leave, so a lower
  /// threshold adds spines and changes none.
  func chosen() -> [Int] {
    let likely = order.filter { worth[$0] >= 0 }
    var kept: Set<Int> = []
    fill(&kept, from: likely)
    // Each exchange makes the sum larger; few passes find nearly all.
    for _ in 0..<Self.mostPasses {
      let changes = likely.count { exchange($0, from: likely, in: &kept) }
      if changes == 0 { break }
    }
    fill(&kept, from: order)
    return order.filter(kept.contains)
  }

  private static let mostPasses = 8

  /// Takes an outline out, or puts it in for those that it keeps out, and fills what room that
  /// leaves, if that is worth more.
  private func exchange(
    _ index: Int, from likely: [Int], in kept: inout Set<Int>
  ) -> Bool {
    let isKept = kept.contains(index)
    let removed = isKept ? [index] : rivals[index].filter(kept.contains)
    var changed = kept.subtracting(removed)
    if !isKept { changed.insert(index) }
    let freed = Set(removed.flatMap { rivals[$0] })
    fill(&changed, from: likely.filter { freed.contains($0) && $0 != index })
    guard
      value(of: changed.subtracting(kept)) > value(of: kept.subtracting(changed)) + 1e-9
    else { return false }
    kept = changed
    return true
  }

  /// Adds what has room.
  private func fill(_ kept: inout Set<Int>, from candidates: [Int]) {
    for index in candidates where !kept.contains(index) && rivals[index].isDisjoint(with: kept) {
      kept.insert(index)
    }
  }

  private func value(of outlines: Set<Int>) -> Double {
    // In one order, so that sums are the same in every run.
    outlines.sorted().reduce(0) { $0 + min(worth[$1], Self.mostWorth) }
  }
}
