extension Collection<Float> {
  /// How often a profile turns back by more than its range over `divisor`.
  ///
  /// - Complexity: O(*n*) for *n* values.
  func turns(byRangeOver divisor: Float) -> Int {
    guard let low = self.min(), let high = self.max() else { return 0 }
    let least = (high - low) / divisor
    var (turns, isRising, extreme) = (0, false, high)
    for value in self {
      if isRising ? value > extreme : value < extreme {
        extreme = value
      } else if abs(value - extreme) > least {
        turns += 1
        isRising.toggle()
        extreme = value
      }
    }
    return turns
  }
}
