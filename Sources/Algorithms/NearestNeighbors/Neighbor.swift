/// A row that is near a query.
public struct Neighbor: Hashable, Sendable {
  /// The row, counted from 0.
  public let row: Int
  /// Its distance from the query, by the layout's ``VectorMetric``.
  public let distance: Float

  /// Makes a neighbour from a row and its distance.
  public init(row: Int, distance: Float) {
    self.row = row
    self.distance = distance
  }
}

/// A distance and a row in 64 bits that sort by distance, then by row.
///
/// The order is total for any content of the vectors, NaN included: searches over damaged memory
/// find nonsense, but end.
struct RankedRow: Comparable {
  let bits: UInt64

  @inline(__always) init(bits: UInt64) { self.bits = bits }

  /// NaN counts as infinitely far.
  @inline(__always) init(_ distance: Float, row: Int32) {
    let pattern = (distance == distance ? distance : .infinity).bitPattern
    // All bits of negative numbers are inverted, and the sign of others: integers in the order of
    // floats.
    let mask = UInt32(bitPattern: Int32(bitPattern: pattern) >> 31) | 0x8000_0000
    bits = UInt64(pattern ^ mask) << 32 | UInt64(UInt32(bitPattern: row))
  }

  @inline(__always) var row: Int32 { Int32(truncatingIfNeeded: bits) }

  @inline(__always) var distance: Float {
    let pattern = UInt32(truncatingIfNeeded: bits >> 32)
    return Float(bitPattern: pattern ^ (pattern >> 31 == 1 ? 0x8000_0000 : 0xFFFF_FFFF))
  }

  @inline(__always) var neighbor: Neighbor { Neighbor(row: Int(row), distance: distance) }

  @inline(__always) static func < (left: RankedRow, right: RankedRow) -> Bool {
    left.bits < right.bits
  }

  /// Nearer than any row.
  static let nearest = RankedRow(bits: 0)
  /// Farther than any row.
  static let farthest = RankedRow(bits: .max)
}
