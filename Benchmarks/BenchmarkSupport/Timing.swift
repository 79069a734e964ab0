import Dispatch

/// How long some work takes, in milliseconds.
public func milliseconds(_ work: () throws -> Void) rethrows -> Double {
  let start = DispatchTime.now().uptimeNanoseconds
  try work()
  return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
}

/// The median of some values, of which there must be one at least.
public func median(of values: [Double]) -> Double {
  let sorted = values.sorted()
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
