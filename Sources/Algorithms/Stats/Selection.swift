/// Moves the value that sorting would put at `position` there, smaller ones before it and larger
/// ones behind it, and returns it.
///
/// Quickselect (Hoare, "Algorithm 65: FIND", 1961) with the median of three as the pivot. Input
/// that defeats the pivot choice is sorted after 2 log2 *n* rounds, which bounds the cost.
///
/// - Parameters:
///   - position: in `0..<values.count`.
///   - values: no NaN among them.
/// - Complexity: O(*n*) expected, O(*n* log *n*) at worst.
func select(_ position: Int, of values: inout [Double]) -> Double {
  // A buffer, because the partition below is all element access: without it, debug builds spend
  // their time in the array's accessors.
  values.withUnsafeMutableBufferPointer { buffer in
    var low = 0
    var high = buffer.count - 1
    var rounds = 2 * (Int.bitWidth - buffer.count.leadingZeroBitCount)
    while high > low {
      if rounds == 0 {
        buffer[low...high].sort()
        break
      }
      rounds -= 1
      let pivot = medianOfThree(buffer[low], buffer[low + (high - low) / 2], buffer[high])
      var left = low
      var right = high
      while left <= right {
        while buffer[left] < pivot { left += 1 }
        while buffer[right] > pivot { right -= 1 }
        if left <= right {
          buffer.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if position <= right {
        high = right
      } else if position >= left {
        low = left
      } else {
        break
      }
    }
    return buffer[position]
  }
}

/// The value between the other two.
private func medianOfThree(_ first: Double, _ second: Double, _ third: Double) -> Double {
  max(min(first, second), min(max(first, second), third))
}
