import Geometry

/// A part of a photo: a polygon in pixels, with the origin at the top left.
///
/// An object belongs to the region if the centre of its box lies inside. If the polygon's sides
/// cross, a point is inside if a line from it to the outside crosses them an odd number of times.
public struct CountingRegion: Hashable, Sendable {
  /// The corners in order, at least three; the last is joined to the first.
  public let corners: [Point]

  /// Makes a region of a polygon's corners.
  ///
  /// - Throws: ``CountingError/regionWithoutArea`` if there are fewer than three corners, one is
  ///   not finite, or the corners span no area.
  public init(corners: [Point]) throws {
    guard corners.count >= 3, corners.allSatisfy(\.isFinite), let bounds = Box(around: corners),
      bounds.isFinite, bounds.width > 0, bounds.height > 0
    else { throw CountingError.regionWithoutArea }
    self.corners = corners
  }

  /// Makes a region of a rectangle.
  ///
  /// - Throws: ``CountingError/regionWithoutArea`` if the box has no area or is not finite.
  public init(of box: Box) throws {
    let (left, top) = (Double(box.minX), Double(box.minY))
    let (right, bottom) = (Double(box.maxX), Double(box.maxY))
    guard left < right, top < bottom else { throw CountingError.regionWithoutArea }
    try self.init(corners: [
      Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom),
      Point(x: left, y: bottom),
    ])
  }

  /// Whether a point lies inside.
  ///
  /// Complexity: O(n) for n corners.
  public func contains(_ point: Point) -> Bool {
    var isInside = false
    var last = corners[corners.count - 1]
    for corner in corners {
      if (corner.y > point.y) != (last.y > point.y) {
        let share = (point.y - corner.y) / (last.y - corner.y)
        if point.x < corner.x + share * (last.x - corner.x) { isInside.toggle() }
      }
      last = corner
    }
    return isInside
  }

  /// The smallest rectangle around the region.
  public var bounds: Box {
    Box(around: corners) ?? Box(minX: 0, minY: 0, maxX: 0, maxY: 0)
  }
}
