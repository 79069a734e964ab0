/// A row that is near a query.
public struct Neighbor: Hashable, Sendable {
  /// The row, counted from 0.
  public let row: Int
  /// How far it is from the query, by the layout's ``VectorMetric``.
  public let distance: Float

  /// A row and its distance.
  public init(row: Int, distance: Float) {
    self.row = row
    self.distance = distance
  }
}

/// A distance and a row in 64 bits that are in the order of distances, equal ones in that of rows.
///
/// The order is total whatever the vectors hold, NaN included: searches over damaged memory find
/// nonsense, but end.
struct RankedRow: Comparable {
  let bits: UInt64

  @inline(__always) init(bits: UInt64) { self.bits = bits }

  /// NaN counts as infinitely far.
  @inline(__always) init(_ distance: Float, row: Int32) {
    let pattern = (distance == distance ? distance : .infinity).bitPattern
    // Of negative numbers all bits turn, of others the sign: whole numbers in the order of floats.
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

  /// Farther than anything.
  static let farthest = RankedRow(bits: .max)
}
