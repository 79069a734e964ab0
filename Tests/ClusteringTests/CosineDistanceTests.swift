import Clustering
import LinearAlgebra
import TestSupport
import Testing

@Suite("Cosine distances of all pairs")
struct CosineDistanceTests {
  private func rows(_ count: Int, _ width: Int, from least: Float) throws -> Matrix<Float> {
    var random = SeededGenerator(seed: 21)
    return try Matrix(
      rowCount: count, columnCount: width,
      elements: (0..<count * width).map { _ in Float.random(in: least...(least + 2), using: &random)
      }
    )
  }

  /// Sizes around those of blocks, far from the origin.
  @Test(
    "Every value is the distance",
    arguments: [(1, 1), (2, 3), (23, 7), (25, 40), (129, 16), (300, 5), (1030, 3)])
  func definition(count: Int, width: Int) throws {
    let rows = try rows(count, width, from: 3)
    let found = try CondensedDistances(cosineBetween: rows)
    var worst = 0.0
    for first in 0..<count {
      for second in 0..<first {
        let pairs = zip(rows[row: first], rows[row: second]).map { (Double($0), Double($1)) }
        let sums = pairs.reduce((0.0, 0.0, 0.0)) {
          ($0.0 + $1.0 * $1.1, $0.1 + $1.0 * $1.0, $0.2 + $1.1 * $1.1)
        }
        let expected = 1 - sums.0 / (sums.1 * sums.2).squareRoot()
        worst = max(worst, abs(Double(found[first, second]) - expected))
      }
    }
    #expect(worst < 1e-6)
  }

  @Test("Several threads make the same distances")
  func threads() throws {
    let rows = try rows(700, 40, from: -1)
    let before = BLASThreads.count
    defer { BLASThreads.set(before) }
    BLASThreads.set(1)
    let pairs = try CondensedDistances(cosineBetween: rows)
    for threads in [2, 3, 16] {
      BLASThreads.set(threads)
      #expect(try CondensedDistances(cosineBetween: rows) == pairs)
    }
  }
}
