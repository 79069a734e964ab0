import LinearAlgebra
import TestSupport

/// How to make embeddings of small integers that Python makes alike: see
/// `Fixtures/generate/clustering.py`.
struct Recipe: Decodable, Sendable {
  var kind = ""
  var seed: UInt64
  var rows: Int
  var columns: Int
  /// How many centers the rows lie around.
  var groups: Int
  /// Bits of a center's values; 0 for none.
  var centerBits: Int
  /// Bits of what is added to them; 0 for nothing.
  var noiseBits: Int
  /// Bits of the exponent of the power of two that a row is multiplied by.
  var scaleBits: Int

  /// Rows of integers that a `Float` holds exactly, none of them all zeros.
  var embeddings: Matrix<Float> {
    get throws {
      var generator = SeededGenerator(seed: seed)
      let centers = (0..<groups * columns).map { _ in Self.centered(generator.next(), centerBits) }
      var elements: [Float] = []
      elements.reserveCapacity(rows * columns)
      for _ in 0..<rows {
        let group = Int(generator.next() >> 33) % groups
        let scale = 1 << Self.top(generator.next(), scaleBits)
        var isZero = true
        for column in 0..<columns {
          let noise = Self.centered(generator.next(), noiseBits)
          let value = (centers[group * columns + column] + noise) * scale
          isZero = isZero && value == 0
          elements.append(Float(value))
        }
        if isZero { elements[elements.count - columns] = 1 }
      }
      return try Matrix(rowCount: rows, columnCount: columns, elements: elements)
    }
  }

  private static func top(_ number: UInt64, _ bits: Int) -> Int {
    bits == 0 ? 0 : Int(number >> (64 - UInt64(bits)))
  }

  private static func centered(_ number: UInt64, _ bits: Int) -> Int {
    top(number, bits) - ((1 << bits) >> 1)
  }
}
