import Geometry
import Stats

extension LogScale {
  /// From where to where a band is on the axis; nil if it has no width there.
  package func span(of band: ClosedRange<Double>?) -> (from: Double, to: Double)? {
    guard let band, let from = place(of: band.lowerBound), let to = place(of: band.upperBound),
      to > from
    else { return nil }
    return (from, to)
  }

  /// The ends of a band, unless they are beyond the axis.
  package func ends(of band: ClosedRange<Double>?) -> [Double] {
    [band?.lowerBound, band?.upperBound].compactMap { edge in
      edge.flatMap { $0 > low && $0 < high ? place(of: $0) : nil }
    }
  }
}

/// The places of a plane's points on a drawing.
package enum MapPlaces {
  /// The points about a centre, as large as there is room; nil for those that are not finite.
  ///
  /// One scale for both axes, for distances to be true; up is up.
  package static func of(
    _ points: [Point], about center: Point, width: Double, height: Double
  ) -> [Point?] {
    let shown = points.filter { $0.x.isFinite && $0.y.isFinite }
    let (xs, ys) = (shown.map(\.x), shown.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let low = ys.min(), let high = ys.max() else {
      return points.map { _ in nil }
    }
    // Halves, as the whole range of numbers may be more than a number holds.
    let (halfWidth, halfHeight) = (right / 2 - left / 2, high / 2 - low / 2)
    let scale = min(
      halfWidth > 0 ? width / 2 / halfWidth : .infinity,
      halfHeight > 0 ? height / 2 / halfHeight : .infinity)
    let factor = scale.isFinite ? scale : 0
    let middle = Point(x: left / 2 + right / 2, y: low / 2 + high / 2)
    return points.map { point in
      guard point.x.isFinite, point.y.isFinite else { return nil }
      return Point(
        x: center.x + (point.x / 2 - middle.x / 2) * factor * 2,
        y: center.y - (point.y / 2 - middle.y / 2) * factor * 2)
    }
  }
}
