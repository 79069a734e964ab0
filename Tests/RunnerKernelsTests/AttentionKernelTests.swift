import Foundation
import TestSupport
import Testing
import _RunnerKernels

extension KernelSuite {
  /// Blocks of keys and of queries that fill up, are cut short by one, or run over by one.
  static let attentions: [(queries: Int, keys: Int, size: Int, valueSize: Int)] = [
    (1, 1, 1, 1), (5, 7, 8, 3), (57, 33, 15, 15), (3, 256, 4, 40), (2, 257, 4, 5), (260, 20, 3, 2),
    (3, 530, 16, 33),
  ]

  private static func expected(
    _ shape: (queries: Int, keys: Int, size: Int, valueSize: Int), _ q: [Float], _ k: [Float],
    _ v: [Float], _ mask: [Float]?, scale: Float
  ) -> [Double] {
    var result: [Double] = []
    for i in 0..<shape.queries {
      let scores = (0..<shape.keys).map { j -> Double in
        let dot = (0..<shape.size).reduce(0.0) {
          $0 + Double(q[i * shape.size + $1]) * Double(k[j * shape.size + $1])
        }
        return dot * Double(scale) + Double(mask?[i * shape.keys + j] ?? 0)
      }
      let weights = Twin.softmax(scores)
      for c in 0..<shape.valueSize {
        result.append(
          (0..<shape.keys).reduce(0.0) { $0 + weights[$1] * Double(v[$1 * shape.valueSize + c]) })
      }
    }
    return result
  }

  @Test("Attention, whole and in pieces, with and without a mask", arguments: attentions)
  func attention(queries: Int, keys: Int, size: Int, valueSize: Int) {
    let q = noise(queries * size, seed: 1)
    let k = noise(keys * size, seed: 2)
    let v = noise(keys * valueSize, seed: 3)
    var mask = noise(queries * keys, seed: 4)
    for index in mask.indices where index % 5 == 2 && index % keys != 0 { mask[index] = -.infinity }
    // One query may only look at the last key, one at none.
    for key in 0..<keys - 1 { mask[key] = -.infinity }
    if queries > 1 { for key in 0..<keys { mask[keys + key] = -.infinity } }
    for isMasked in [false, true] {
      let expected = Self.expected(
        (queries, keys, size, valueSize), q, k, v, isMasked ? mask : nil, scale: 0.3)
      let attention = rk_attention(
        keys: keys, size: size, value_size: valueSize, scale: 0.3, query_row: size, key_row: size,
        value_row: valueSize, output_row: valueSize, mask_row: keys, mask_column: 1)
      atEveryLevel { level in
        var whole = Guarded(count: queries * valueSize, offset: 1)
        var pieces = Guarded(count: queries * valueSize, offset: 1)
        withUnsafePointer(to: attention) { attention in
          var scratch = [Float](repeating: .nan, count: rk_attention_scratch(attention))
          mask.withUnsafeBufferPointer { mask in
            let mask = isMasked ? mask.baseAddress : nil
            whole.withPointer {
              rk_attention_f32(attention, q, k, v, mask, $0, 0, queries, &scratch)
            }
            pieces.withPointer { to in
              for first in stride(from: 0, to: queries, by: 11) {
                rk_attention_f32(
                  attention, q, k, v, mask, to, first, min(11, queries - first), &scratch)
              }
            }
          }
        }
        let difference = firstDifference(whole.values, expected, relative: 1e-5, absolute: 1e-5)
        #expect(difference == nil, "level \(level)")
        #expect(whole.isIntact && pieces.isIntact)
        #expect(whole.values.map(\.bitPattern) == pieces.values.map(\.bitPattern))
      }
    }
  }

  @Test func attentionKeepsNaNToItsQuery() {
    var q = noise(6 * 4, seed: 1)
    q[2 * 4] = .nan
    let k = noise(9 * 4, seed: 2)
    var attention = rk_attention(
      keys: 9, size: 4, value_size: 4, scale: 1, query_row: 4, key_row: 4, value_row: 4,
      output_row: 4, mask_row: 0, mask_column: 0)
    var scratch = [Float](repeating: 0, count: rk_attention_scratch(&attention))
    atEveryLevel { _ in
      var output = [Float](repeating: 0, count: 24)
      rk_attention_f32(&attention, q, k, k, nil, &output, 0, 6, &scratch)
      for index in output.indices { #expect(output[index].isNaN == (index / 4 == 2)) }
    }
  }
}
