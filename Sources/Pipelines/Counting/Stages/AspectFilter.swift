import Geometry
import Stats
import VisionProtocols

/// Which ratios of width to height an object may have.
public enum AspectRule: Hashable, Sendable {
  /// Any.
  case off
  /// Those in `median +- sigma * population deviation`, bounds included.
  case sigma(Double)
  /// Those in a fixed range, bounds included.
  case range(minimum: Double, maximum: Double)
}

/// Drops boxes whose ratio of width to height is unusual.
///
/// A box whose height is zero or negative has no ratio and is dropped, unless the rule is off. By
/// the sigma rule two boxes or fewer, and boxes that all have one ratio, pass unchanged.
///
/// Complexity: O(n) on average.
public struct AspectFilter: Hashable, Sendable {
  /// Which ratios pass.
  public var rule: AspectRule

  /// Makes the filter.
  public init(rule: AspectRule = .sigma(0.5)) {
    self.rule = rule
  }

  /// The detections that pass, in order.
  public func filter(_ detections: [Detection]) -> StageOutput<[Detection]> {
    StageOutput(passing(detections), outOf: detections.count)
  }

  private func passing(_ detections: [Detection]) -> [Detection] {
    if rule == .off { return detections }
    // Ratios are taken in double precision: of 45 x 100 pixels it is then 0.45 and not the float
    // just below it, and a bound of 0.45 includes it.
    let upright = detections.filter { $0.box.height > 0 }
    let ratios = upright.map { Double($0.box.width) / Double($0.box.height) }
    switch rule {
    case .off:
      return detections
    case .range(let minimum, let maximum):
      return zip(upright, ratios).filter { minimum <= $0.1 && $0.1 <= maximum }.map(\.0)
    case .sigma(let sigma):
      guard upright.count > 2 else { return upright }
      return indicesInBand(ratios, sigma: sigma).map { upright[$0] }
    }
  }
}
