/// How many values lie in each of a row of bins.
///
/// A bin holds its lower edge and not its upper one, except the last, which holds both, as in
/// `numpy.histogram`. Values below the first edge and above the last are counted apart.
public struct Histogram: Hashable, Sendable, Codable {
  /// The edges of the bins, ascending: one more than there are bins.
  public let edges: [Double]
  /// How many values lie in each bin.
  public private(set) var counts: [Int]
  /// How many values lie below the first edge.
  public private(set) var below = 0
  /// How many values lie above the last edge.
  public private(set) var above = 0

  /// Makes a histogram without values; nil unless there are two edges at least, finite and strictly
  /// ascending.
  public init?(edges: [Double]) {
    guard edges.count >= 2, edges.allSatisfy(\.isFinite),
      zip(edges, edges.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.edges = edges
    counts = [Int](repeating: 0, count: edges.count - 1)
  }

  /// Counts one value; NaN lies nowhere and is not counted.
  ///
  /// - Complexity: O(log *n*) for *n* bins.
  public mutating func add(_ value: Double) {
    if let bin = bin(of: value) {
      counts[bin] += 1
    } else if value < edges[0] {
      below += 1
    } else if !value.isNaN {
      above += 1
    }
  }

  /// Counts values, with the same result as one by one.
  ///
  /// - Complexity: O(1) per value if the edges are evenly spaced, otherwise O(log *n*) for *n*
  ///   bins.
  public mutating func add(_ values: [Double]) {
    let (first, last, bins) = (edges[0], edges[edges.count - 1], counts.count)
    let perUnit = Double(bins) / (last - first)
    // Half a bin to spare: a bin found by its distance from the first edge is at most one off.
    let isEven = edges.indices.allSatisfy { index in
      abs((edges[index] - first) * perUnit - Double(index)) < 0.5
    }
    guard isEven, perUnit.isNormal else {
      for value in values { add(value) }
      return
    }
    edges.withUnsafeBufferPointer { edges in
      counts.withUnsafeMutableBufferPointer { counts in
        for value in values {
          guard value >= first, value <= last else {
            below += value < first ? 1 : 0
            above += value > last ? 1 : 0
            continue
          }
          var bin = min(Int((value - first) * perUnit), bins - 1)
          bin -= value < edges[bin] ? 1 : 0
          bin += bin < bins - 1 && value >= edges[bin + 1] ? 1 : 0
          counts[bin] += 1
        }
      }
    }
  }

  /// The index of the bin that a value lies in, nil if it lies in none.
  ///
  /// - Complexity: O(log *n*) for *n* bins.
  public func bin(of value: Double) -> Int? {
    guard value >= edges[0], value <= edges[edges.count - 1] else { return nil }
    // The last edge that is not above the value, by bisection.
    var (low, high) = (0, edges.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if edges[middle] <= value { low = middle } else { high = middle }
    }
    return low
  }

  /// How many values were counted, those outside the bins included.
  public var total: Int { counts.reduce(below + above, +) }
}
