import TestSupport
import Testing
import _RunnerKernels

extension KernelSuite {
  /// Tiles, panels and blocks that fill up, are cut short by one, or run over by one.
  static let extents: [(rows: Int, columns: Int, depth: Int)] = [
    (1, 1, 1), (1, 40, 7), (12, 32, 256), (13, 33, 257), (11, 31, 255), (5, 70, 300), (7, 16, 1),
    (25, 3, 600), (2, 100, 12), (6, 17, 64),
  ]

  @Test("Product of matrices, each as it lies or transposed", arguments: extents)
  func products(rows: Int, columns: Int, depth: Int) {
    let a = noise(rows * depth, seed: 1)
    let b = noise(depth * columns, seed: 2)
    let addend = noise(rows * columns, seed: 3)
    for (transposesA, transposesB) in [(false, false), (true, false), (false, true), (true, true)] {
      for (alpha, beta) in [(Float(1), Float(0)), (0.5, 1), (2, -0.25)] {
        var expected = [Double](repeating: 0, count: rows * columns)
        for row in 0..<rows {
          for column in 0..<columns {
            var sum = 0.0
            for k in 0..<depth {
              let left = a[transposesA ? k * rows + row : row * depth + k]
              let right = b[transposesB ? column * depth + k : k * columns + column]
              sum += Double(left) * Double(right)
            }
            let index = row * columns + column
            expected[index] = Double(alpha) * sum + Double(beta) * Double(addend[index])
          }
        }
        atEveryLevel { level in
          var target = Guarded(
            beta == 0 ? [Float](repeating: .nan, count: rows * columns) : addend, offset: 3)
          target.withPointer { c in
            rk_gemm_f32(
              rows, columns, depth, alpha, a, transposesA ? 1 : depth, transposesA ? rows : 1, b,
              transposesB ? 1 : columns, transposesB ? depth : 1, beta, c, columns)
          }
          // A sum of up to 600 products of size 1 to 4 in float32.
          let difference = firstDifference(
            target.values, expected, relative: 1e-5, absolute: 1e-3)
          #expect(difference == nil, "level \(level)")
          #expect(target.isIntact)
          var wide =
            beta == 0
            ? [Double](repeating: .nan, count: rows * columns) : addend.map(Double.init)
          rk_gemm_f64(
            rows, columns, depth, Double(alpha), a.map(Double.init), transposesA ? 1 : depth,
            transposesA ? rows : 1, b.map(Double.init), transposesB ? 1 : columns,
            transposesB ? depth : 1, Double(beta), &wide, columns)
          #expect(zip(wide, expected).allSatisfy { abs($0 - $1) <= 1e-11 }, "level \(level)")
        }
      }
    }
  }
}
