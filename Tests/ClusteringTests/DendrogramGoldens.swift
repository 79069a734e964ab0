import Clustering
import LinearAlgebra
import TestSupport

/// A cut as `Fixtures/generate/dendrograms.py` and `scipy_suite.py` write it, with SciPy's labels.
struct FlatCase: Decodable {
  var tree: String?
  var criterion: String
  var t: Double
  var depth: Int?
  var labels: [Int]
  /// Whether SciPy's test compares the numbers of the clusters and not the parts alone.
  var isExact: Bool?

  /// The criterion, with the largest distances below as the values where it is by values.
  func mergeCriterion(for tree: Dendrogram) throws -> MergeCriterion {
    switch criterion {
    case "distance": .distance(atMost: t)
    case "inconsistency": .inconsistency(atMost: t, depth: depth ?? 2)
    case "count": .count(atMost: Int(t))
    case "values": .values(tree.maximumDistances, atMost: t)
    case "valueCount": .valueCount(tree.maximumDistances, atMost: Int(t))
    default: throw UnknownCriterion(name: criterion)
    }
  }

  struct UnknownCriterion: Error {
    var name: String
  }
}

/// SciPy's brackets; see `layout` in `Fixtures/generate/dendrograms.py`.
struct LayoutCase: Decodable {
  var brackets: [[Double]]
  var leaves: [Int]
  var leafColors: [Int]

  /// What differs from `layout`, in words; nothing where the two are equal.
  func differences(from layout: DendrogramLayout) -> [String] {
    func color(_ group: Int?) -> Int { group.map { $0 % 9 + 1 } ?? 0 }
    var differences: [String] = []
    if layout.leaves != leaves { differences.append("leaves \(layout.leaves)") }
    if layout.leafGroups.map(color) != leafColors {
      differences.append("leaf groups \(layout.leafGroups)")
    }
    let ours = layout.brackets.map { bracket in
      [
        Double(bracket.merge), bracket.left, bracket.right, bracket.leftBase, bracket.rightBase,
        bracket.height, Double(color(bracket.group)),
      ]
    }
    for (one, other) in zip(ours, brackets.sorted { $0[0] < $1[0] }) where one != other {
      differences.append("bracket \(one), not \(other)")
    }
    if ours.count != brackets.count { differences.append("\(ours.count) brackets") }
    return differences
  }
}

extension Dendrogram {
  /// The tree of a golden's matrix, inversions or not.
  init(golden rows: [[Double]]) throws {
    try self.init(linkageMatrix: Matrix(rows: rows), allowsInversions: true)
  }
}

/// The CRC-32 of integers as little-endian 32-bit ones.
func digest(_ values: [Int]) -> UInt32 {
  checksum(
    values.flatMap { value in
      let bits = UInt32(truncatingIfNeeded: value)
      return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
    })
}

extension Recipe {
  /// The recipe of input `index` of `Fixtures/generate/dendrograms.py`.
  static func numbered(_ index: Int) -> Recipe {
    // Center, noise and scale, in the order of KINDS in `Fixtures/generate/clustering.py`.
    let kinds: [(String, Int, Int, Int)] = [
      ("noise", 0, 20, 0), ("tight groups", 16, 12, 0), ("loose groups", 16, 15, 0),
      ("groups of any length", 16, 14, 2), ("duplicates", 16, 0, 0),
      ("scaled duplicates", 16, 0, 2), ("small integers", 0, 3, 0), ("ones", 0, 1, 0),
      ("duplicates of small integers", 2, 0, 0), ("nearly duplicates", 16, 1, 0),
    ]
    let (kind, center, noise, scale) = kinds[index % kinds.count]
    let rows = 2 + index * 7 % 23
    return Recipe(
      kind: kind, seed: 50_000 + UInt64(index), rows: rows, columns: 1 + index * 13 % 37,
      groups: 1 + rows / 5, centerBits: center, noiseBits: noise, scaleBits: scale)
  }
}
