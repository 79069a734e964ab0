import Geometry
import Stats
import VisionProtocols

/// Drops boxes whose area is far from the median: `median +- sigma * deviation`, bounds included.
///
/// The deviation is the population standard deviation of the areas. Fewer than three boxes pass
/// unchanged, for their deviation says nothing.
///
/// Complexity: O(n) on average.
public struct SizeFilter: Hashable, Sendable {
  /// How many deviations an area may lie from the median; nil lets every box pass.
  public var sigma: Double?

  /// Makes the filter.
  public init(sigma: Double? = 1) {
    self.sigma = sigma
  }

  /// The detections that pass, in order.
  public func filter(_ detections: [Detection]) -> StageOutput<[Detection]> {
    let kept = indices(ofAreas: detections.map(\.box.exactArea))
    return StageOutput(kept.map { detections[$0] }, outOf: detections.count)
  }

  /// The indices of the areas that pass, ascending.
  func indices(ofAreas areas: [Double]) -> [Int] {
    guard let sigma, areas.count >= 3 else { return Array(areas.indices) }
    return indicesInBand(areas, sigma: sigma)
  }
}

/// The indices of the values in `median +- sigma * population deviation`, bounds included.
func indicesInBand(_ values: [Double], sigma: Double) -> [Int] {
  guard let band = OutlierBand(of: values, multiplier: sigma) else { return Array(values.indices) }
  return values.indices.filter { band.contains(values[$0]) }
}
