import RunnerTensors

/// How often numbers of about a size came, in memory that does not grow with them.
///
/// Bins cover -reach to reach, which is a power of two. If a number lies outside, reach is doubled,
/// and bins are joined in pairs. So one pass over the numbers is enough, and half of the bins or
/// more on the longer side are in use.
struct ActivationHistogram {
  static let binCount = 8192

  private(set) var counts = [UInt64](repeating: 0, count: binCount)
  private(set) var reach: Float = 0x1p-20
  private(set) var least = Float.infinity
  private(set) var greatest = -Float.infinity

  /// Whether nothing was seen.
  var isEmpty: Bool { least > greatest }

  /// The width of a bin.
  var step: Float { reach / Float(Self.binCount / 2) }

  /// The middle of a bin.
  func middle(_ bin: Int) -> Float {
    (Float(bin - Self.binCount / 2) + 0.5) * step
  }

  /// Takes numbers in; false if one of them is infinite or NaN.
  mutating func add(_ values: UnsafeBufferPointer<Float>) -> Bool {
    guard !values.isEmpty else { return true }
    var low = Float.infinity
    var high = -Float.infinity
    var check: Float = 0
    for value in values {
      low = value < low ? value : low
      high = value > high ? value : high
      // An infinite number or NaN times 0 is NaN, and the sum stays NaN.
      check += value * 0
    }
    guard check == 0 else { return false }
    least = min(least, low)
    greatest = max(greatest, high)
    let largest = max(abs(low), abs(high))
    while reach < largest, reach < 0x1p126 { double() }
    let factor = Float(Self.binCount / 2) / reach
    let last = Float(Self.binCount - 1)
    let half = Float(Self.binCount / 2)
    counts.withUnsafeMutableBufferPointer { counts in
      for value in values {
        let place = max(min(value * factor + half, last), 0)
        counts[Int(place)] += 1
      }
    }
    return true
  }

  private mutating func double() {
    reach *= 2
    let quarter = Self.binCount / 4
    var wider = [UInt64](repeating: 0, count: Self.binCount)
    for bin in 0..<Self.binCount / 2 {
      wider[quarter + bin] = counts[2 * bin] + counts[2 * bin + 1]
    }
    counts = wider
  }

  /// Bins that hold numbers: their middles, kept between the least and the greatest number, and
  /// counts.
  var entries: [(value: Float, count: Double)] {
    counts.indices.compactMap { bin in
      counts[bin] == 0
        ? nil : (min(max(middle(bin), least), greatest), Double(counts[bin]))
    }
  }
}
