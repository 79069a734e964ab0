import Geometry
import Raster

/// A part of a picture whose edges nearly all run one way, as bars do.
public struct BarArea: Hashable, Sendable {
  /// Its outline in pixels of the picture; its upper and lower sides run across the bars.
  public let outline: Quadrilateral
  /// How alike three strips across it are, as the least correlation of two neighbours, -1...1.
  ///
  /// Bars are the same at all heights; letters, leaves and fabric are not.
  public let likeness: Double
  /// How often brightness turns between light and dark along the middle strip.
  public let turns: Int

  /// Whether a person would say that there is a barcode: much alike, and of many bars.
  public var isLikelyCode: Bool { likeness >= 0.85 && turns >= 16 }
}

extension BarArea {
  /// The longer side of the reduced picture in which areas are found is at least this, and less
  /// than twice.
  private static let searchSide = 480

  /// The areas of an upright picture of any number of channels, those of the strongest edges first.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - limit: the most areas to answer.
  /// - Throws: `CancellationError` if the task is cancelled.
  public static func areas(in image: Raster, limit: Int) throws -> [BarArea] {
    let plane = try LuminancePlane(image)
    let factor = max(max(plane.width, plane.height) / searchSide, 1)
    let regions = BarRegion.regions(
      in: plane.reduced(by: factor), scale: Double(factor), limit: limit)
    return try regions.compactMap { region in
      try Task.checkCancellation()
      return region.width >= 24 && region.height >= 8 ? BarArea(region, in: plane) : nil
    }
  }

  private init(_ region: BarRegion, in plane: LuminancePlane) {
    let thickness = region.height / 4
    let middle = Strip.sharpest(of: region, in: plane, offset: 0, thickness: thickness)
    let profiles = [-1.0, 0, 1].map { place in
      let profile = Strip(
        of: region, in: plane, offset: place * thickness, thickness: thickness, tilt: middle.tilt
      ).profile
      // A strip reaches beyond the region by a quarter of its width on either side.
      return Array(profile[profile.count / 6..<max(profile.count * 5 / 6, profile.count / 6 + 1)])
    }
    likeness = min(
      Self.correlation(profiles[0], profiles[1]), Self.correlation(profiles[1], profiles[2]))
    turns = profiles[1].turns(byRangeOver: 6)
    func corner(_ u: Double, _ v: Double) -> Point {
      Point(
        x: region.center.x + u * region.width / 2 * region.across.x
          + v * region.height / 2 * region.along.x,
        y: region.center.y + u * region.width / 2 * region.across.y
          + v * region.height / 2 * region.along.y)
    }
    outline = Quadrilateral(
      topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1),
      bottomLeft: corner(-1, 1))
  }

  /// Pearson's; 0 if one of the two is even.
  private static func correlation(_ a: [Float], _ b: [Float]) -> Double {
    let count = Float(a.count)
    let (meanA, meanB) = (a.reduce(0, +) / count, b.reduce(0, +) / count)
    var (product, squareA, squareB) = (Float(0), Float(0), Float(0))
    for (x, y) in zip(a, b) {
      product += (x - meanA) * (y - meanB)
      squareA += (x - meanA) * (x - meanA)
      squareB += (y - meanB) * (y - meanB)
    }
    guard squareA > count, squareB > count else { return 0 }
    return Double(product / (squareA * squareB).squareRoot())
  }
}
