import _RunnerKernels

/// Finds the greatest or least of a line of `float32` without sorting the others.
///
/// An element is a number of 64 bits: above how late its value comes, below its place. So equal values
/// come in the order of their places, and NaN counts as the greatest.
struct FirstOfLine {
  private let k: Int
  private let isLargest: Bool
  /// Those that may be among the first.
  private var found: [UInt64] = []

  /// So few are kept in order from the start.
  private static let mostSorted = 32
  /// Elements that are looked at together.
  private static let block = 128

  init(_ k: Int, isLargest: Bool) {
    self.k = k
    self.isLargest = isLargest
  }

  /// The places of the elements that come first in a line, in order.
  mutating func places(
    _ line: UnsafePointer<Float>, stride: Int, count: Int
  ) -> some Sequence<Int> {
    // Room for more, before they are sifted again.
    let most = min(count, 2 * k + 16)
    found.removeAll(keepingCapacity: true)
    found.reserveCapacity(most)
    let isSorted = k <= Self.mostSorted
    var bound = UInt64.max
    // What is no better than the last of the found values; NaN compares as nothing.
    var limit = Float.nan
    var start = 0
    while k > 0, start < count {
      let end = min(start + Self.block, count)
      defer { start = end }
      if stride == 1, !limit.isNaN {
        // Of most blocks none is better.
        let best =
          isLargest ? rk_max_f32(line + start, end - start) : rk_min_f32(line + start, end - start)
        if isLargest ? best <= limit : best >= limit { continue }
      }
      for place in start..<end {
        let value = line[place &* stride]
        guard !(isLargest ? value <= limit : value >= limit) else { continue }
        let key = key(value, place)
        guard key < bound else { continue }
        if isSorted {
          insert(key)
          guard found.count == k else { continue }
          bound = found[k - 1]
          limit = line[Int(bound & 0xffff_ffff) &* stride]
          continue
        }
        found.append(key)
        guard found.count == most, place < count - 1 else { continue }
        Self.sift(&found, k)
        bound = found[k - 1]
        limit = line[Int(bound & 0xffff_ffff) &* stride]
      }
    }
    if found.count > k { Self.sift(&found, k) }
    if !isSorted { found.sort() }
    return found.lazy.map { Int($0 & 0xffff_ffff) }
  }

  /// Puts a number where it belongs; if there are `k` already, the last one is dropped.
  private mutating func insert(_ key: UInt64) {
    if found.count < k { found.append(key) }
    found.withUnsafeMutableBufferPointer { found in
      var place = found.count - 1
      while place > 0, found[place - 1] > key {
        found[place] = found[place - 1]
        place -= 1
      }
      found[place] = key
    }
  }

  /// The value's rank above its place.
  private func key(_ value: Float, _ place: Int) -> UInt64 {
    // Both zeros are equal, and so are all NaN.
    let bits = value == 0 ? 0 : value.isNaN ? 0x7fff_ffff : value.bitPattern
    let ascending = bits >> 31 == 1 ? ~bits : bits | 1 << 31
    return UInt64(isLargest ? ~ascending : ascending) << 32 | UInt64(place)
  }

  /// Leaves the `k` least numbers, the greatest of them last.
  ///
  /// By halves around a number in the middle (Hoare's selection); numbers that keep choosing badly are
  /// sorted instead.
  private static func sift(_ numbers: inout [UInt64], _ k: Int) {
    var (low, high) = (0, numbers.count - 1)
    var turns = 64 - numbers.count.leadingZeroBitCount
    turns *= 2
    while low < high {
      turns -= 1
      if turns == 0 {
        numbers[low...high].sort()
        break
      }
      let (a, b, c) = (numbers[low], numbers[(low + high) / 2], numbers[high])
      let pivot = max(min(a, b), min(max(a, b), c))
      var (i, j) = (low, high)
      while i <= j {
        while numbers[i] < pivot { i += 1 }
        while numbers[j] > pivot { j -= 1 }
        if i <= j {
          numbers.swapAt(i, j)
          i += 1
          j -= 1
        }
      }
      if k - 1 <= j {
        high = j
      } else if k - 1 >= i {
        low = i
      } else {
        break
      }
    }
    numbers.removeLast(numbers.count - k)
  }
}
