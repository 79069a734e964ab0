/// The numbers of kept and of dropped values in each bin of a logarithmic axis.
///
/// Values that have no place on the axis (0, negative, infinite, NaN) are in no bin and are counted
/// separately.
public struct SplitHistogram: Hashable, Sendable {
  /// The axis, of length 1.
  public let scale: LogScale
  /// The bins of what was kept.
  public let kept: Histogram
  /// The bins of all values.
  public let all: Histogram
  /// How many values have no place on the axis.
  public let leftOut: Int

  /// Sorts values into `binCount` bins of equal length on the axis; nil if no value has a place.
  ///
  /// - Complexity: O(n log b) for *b* bins.
  public init?(kept: [Double], dropped: [Double], binCount: Int = 24) {
    guard let scale = LogScale(holding: kept + dropped, length: 1),
      var keptBins = Histogram(edges: scale.edges(count: binCount)),
      var allBins = Histogram(edges: keptBins.edges)
    else { return nil }
    let keptPlaced = kept.filter { $0.isFinite && $0 > 0 }
    let droppedPlaced = dropped.filter { $0.isFinite && $0 > 0 }
    keptBins.add(keptPlaced)
    allBins.add(keptPlaced)
    allBins.add(droppedPlaced)
    self.scale = scale
    self.kept = keptBins
    all = allBins
    leftOut = kept.count + dropped.count - keptPlaced.count - droppedPlaced.count
  }
}
