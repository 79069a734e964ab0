import TestSupport
import Testing
import _RunnerKernels

/// What the packed product computes, in double precision.
private func expectedProduct(
  _ shape: (rows: Int, columns: Int, depth: Int), _ a: [Float], transposed: Bool, _ b: [Float],
  alpha: Double = 1, bias: [Float]?, residual: [Float]?, _ finish: vk_finish
) -> [Double] {
  var expected: [Double] = []
  for row in 0..<shape.rows {
    for column in 0..<shape.columns {
      var sum = 0.0
      for k in 0..<shape.depth {
        let left = a[transposed ? k * shape.rows + row : row * shape.depth + k]
        sum += Double(left) * Double(b[k * shape.columns + column])
      }
      sum = sum * alpha + Double(bias?[column] ?? 0)
      let more = Double(residual?[row * shape.columns + column] ?? 0)
      if finish.residual_first != 0 { sum += more }
      sum = Twin.activate(sum, finish.activation)
      expected.append(finish.residual_first != 0 ? sum : sum + more)
    }
  }
  return expected
}

/// All panels of `b`.
private func packed(
  _ b: [Float], row: Int, column: Int, depth: Int, columns: Int, alpha: Float = 1
) -> [Float] {
  let panels = vk_panel_count(columns)
  var result = [Float](repeating: .nan, count: panels * depth * Int(VK_PANEL))
  vk_pack_right_f32(b, row, column, depth, columns, alpha, &result, 0, panels)
  return result
}

extension KernelSuite {
  /// Tiles, panels and blocks of every level that fill up, are cut short by one, or run over by one.
  static let packedExtents: [(rows: Int, columns: Int, depth: Int)] = [
    (1, 1, 1), (1, 128, 33), (1, 300, 20), (2, 64, 9), (2, 129, 5), (3, 40, 7), (14, 32, 256),
    (15, 33, 257), (13, 31, 384), (5, 70, 385), (113, 65, 3), (225, 16, 1), (28, 3, 1024),
  ]

  @Test("Product with a packed matrix", arguments: packedExtents)
  func packedProducts(rows: Int, columns: Int, depth: Int) {
    let a = noise(rows * depth, seed: 1)
    let b = noise(depth * columns, seed: 2)
    let bias = noise(columns, seed: 3)
    let residual = noise(rows * columns, seed: 4)
    let plain = vk_activation(kind: VK_IDENTITY, alpha: 0, beta: 0)
    let gelu = vk_activation(kind: VK_GELU, alpha: 0, beta: 0)
    let relu = vk_activation(kind: VK_RELU, alpha: 0, beta: 0)
    let forms: [(Bool, Bool, Bool, vk_finish)] = [
      (false, false, false, vk_finish(activation: plain, residual_first: 0)),
      (true, true, false, vk_finish(activation: gelu, residual_first: 0)),
      (false, true, true, vk_finish(activation: relu, residual_first: 1)),
      (false, false, true, vk_finish(activation: relu, residual_first: 0)),
    ]
    for (transposed, hasBias, hasResidual, finish) in forms {
      let expected = expectedProduct(
        (rows, columns, depth), a, transposed: transposed, b, bias: hasBias ? bias : nil,
        residual: hasResidual ? residual : nil, finish)
      let product = vk_product(
        columns: columns, depth: depth, a_row: transposed ? 1 : depth,
        a_column: transposed ? rows : 1, c_row: columns, residual_row: columns, finish: finish)
      atEveryLevel { level in
        let right = packed(b, row: columns, column: 1, depth: depth, columns: columns)
        var target = Guarded([Float](repeating: .nan, count: rows * columns), offset: 3)
        var pieces = Guarded([Float](repeating: .nan, count: rows * columns), offset: 3)
        let panels = vk_panel_count(columns)
        withUnsafePointer(to: product) { product in
          bias.withUnsafeBufferPointer { bias in
            residual.withUnsafeBufferPointer { residual in
              let bias = hasBias ? bias.baseAddress : nil
              let residual = hasResidual ? residual.baseAddress : nil
              target.withPointer {
                vk_packed_gemm_f32(product, a, right, bias, residual, $0, 0, rows, 0, panels)
              }
              pieces.withPointer { c in
                for row in stride(from: 0, to: rows, by: 9) {
                  for panel in 0..<panels {
                    vk_packed_gemm_f32(
                      product, a, right, bias, residual, c, row, min(9, rows - row), panel, 1)
                  }
                }
              }
            }
          }
        }
        // A sum of up to 1024 products of size 1 to 4 in float32.
        let difference = firstDifference(target.values, expected, relative: 1e-5, absolute: 2e-3)
        #expect(difference == nil, "level \(level)")
        #expect(target.isIntact && pieces.isIntact)
        #expect(target.values == pieces.values, "level \(level): pieces differ")
      }
    }
  }

  @Test("Packing, from rows and from columns", arguments: [(5, 1), (32, 16), (33, 31), (70, 100)])
  func packing(columns: Int, depth: Int) {
    let rowMajor = noise(columns * depth, seed: 5)
    var columnMajor = rowMajor
    var wide = [Float](repeating: .nan, count: columns * depth * 2)
    for k in 0..<depth {
      for j in 0..<columns {
        columnMajor[j * depth + k] = rowMajor[k * columns + j]
        wide[(j * depth + k) * 2] = rowMajor[k * columns + j]
      }
    }
    var expected = [Double](repeating: 0, count: vk_panel_count(columns) * depth * Int(VK_PANEL))
    for k in 0..<depth {
      for j in 0..<columns {
        expected[(j / Int(VK_PANEL) * depth + k) * Int(VK_PANEL) + j % Int(VK_PANEL)] =
          Double(rowMajor[k * columns + j] * 0.5)
      }
    }
    atEveryLevel { level in
      for (values, row, column) in [
        (rowMajor, columns, 1), (columnMajor, 1, depth), (wide, 2, 2 * depth),
      ] {
        let result = packed(
          values, row: row, column: column, depth: depth, columns: columns, alpha: 0.5)
        #expect(firstDifference(result, expected, relative: 0) == nil, "level \(level)")
      }
    }
  }

  @Test func packedProductsKeepNaNToItsRow() {
    var a = noise(20 * 40, seed: 1)
    a[3 * 40 + 5] = .nan
    a[7 * 40 + 1] = .infinity
    let b = noise(40 * 33, seed: 2).map { abs($0) + 1 }
    let none = vk_activation(kind: VK_IDENTITY, alpha: 0, beta: 0)
    var product = vk_product(
      columns: 33, depth: 40, a_row: 40, a_column: 1, c_row: 33, residual_row: 0,
      finish: vk_finish(activation: none, residual_first: 0))
    atEveryLevel { _ in
      let right = packed(b, row: 33, column: 1, depth: 40, columns: 33)
      var c = [Float](repeating: 0, count: 20 * 33)
      vk_packed_gemm_f32(&product, a, right, nil, nil, &c, 0, 20, 0, 2)
      for row in 0..<20 {
        let values = c[row * 33..<(row + 1) * 33]
        switch row {
        case 3: #expect(values.allSatisfy { $0.isNaN })
        case 7: #expect(values.allSatisfy { $0 == .infinity })
        default: #expect(values.allSatisfy { $0.isFinite })
        }
      }
    }
  }

  @Test func emptyPackedProductsDoNothing() {
    let none = vk_activation(kind: VK_IDENTITY, alpha: 0, beta: 0)
    var product = vk_product(
      columns: 4, depth: 3, a_row: 3, a_column: 1, c_row: 4, residual_row: 0,
      finish: vk_finish(activation: none, residual_first: 0))
    #expect(vk_panel_count(0) == 0)
    var c: [Float] = [1, 2, 3, 4]
    atEveryLevel { _ in
      vk_packed_gemm_f32(&product, [1, 2, 3], [0], nil, nil, &c, 0, 0, 0, 1)
      vk_packed_gemm_f32(&product, [1, 2, 3], [0], nil, nil, &c, 0, 1, 0, 0)
    }
    #expect(c == [1, 2, 3, 4])
  }
}
