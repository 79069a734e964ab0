import Geometry
import TestSupport
import Testing

/// The matrix against ``Box/iou(_:)``, pair by pair and bit by bit.
@Suite struct IoUMatrixTests {
  enum Kind: CaseIterable {
    case crowded, equal, wholeNumbers, inverted, withoutArea, tiny, huge, infinite, notNumbers
  }

  private func boxes(_ kind: Kind, count: Int, seed: UInt64) -> [Box] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let box = Box(
        x: generator.unitFloat() * 50 - 10, y: generator.unitFloat() * 50 - 10,
        width: generator.unitFloat() * 30, height: generator.unitFloat() * 30)
      switch kind {
      case .crowded: return box
      case .equal: return Box(minX: 1, minY: 2, maxX: 3.3, maxY: 4.4)
      // Zeros of both signs, edges that touch.
      case .wholeNumbers:
        let sides = (0..<4).map { _ in
          Float(Int(generator.next() % 5) - 2) * (index % 2 == 0 ? 1 : -1)
        }
        return Box(minX: sides[0], minY: sides[1], maxX: sides[2], maxY: sides[3])
      case .inverted:
        return index % 3 == 0
          ? Box(minX: box.maxX, minY: box.minY, maxX: box.minX, maxY: box.maxY)
          : index % 3 == 1
            ? Box(minX: box.maxX, minY: box.maxY, maxX: box.minX, maxY: box.minY) : box
      case .withoutArea:
        return index % 2 == 0 ? Box(minX: 5, minY: 5, maxX: 5, maxY: box.maxY) : box
      case .tiny: return box.scaled(by: 1e-22)
      case .huge: return box.scaled(by: index % 2 == 0 ? 1e37 : 1e18)
      case .infinite:
        return index % 4 == 0
          ? Box(minX: -.infinity, minY: box.minY, maxX: index % 8 == 0 ? .infinity : 0, maxY: 9)
          : box
      case .notNumbers:
        return index % 4 == 0 ? Box(minX: .nan, minY: 0, maxX: 4, maxY: 4) : box
      }
    }
  }

  @Test(arguments: Kind.allCases, Kind.allCases)
  func equalsPairByPair(one: Kind, other: Kind) {
    for (rows, columns) in [(0, 0), (0, 5), (5, 0), (1, 1), (3, 2), (17, 31), (20, 64), (9, 67)] {
      let first = boxes(one, count: rows, seed: 1)
      let second = boxes(other, count: columns, seed: 2)
      let matrix = iouMatrix(first, second)
      #expect(matrix.rows == rows && matrix.columns == columns)
      let expected = first.flatMap { box in second.map { box.iou($0) } }
      // All that are no numbers are the same.
      let bits = { (values: [Float]) in values.map { $0.isNaN ? UInt32.max : $0.bitPattern } }
      #expect(bits(matrix.values) == bits(expected), "\(rows) x \(columns)")
    }
  }
}
