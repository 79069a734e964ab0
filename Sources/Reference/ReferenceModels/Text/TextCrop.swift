import Geometry
import Raster
import Rectification

/// A line of text cut out of an image, straightened, and turned so that it can be read from left to
/// right.
struct TextCrop {
  /// The line's pixels.
  private(set) var image: Raster
  /// Its outline; text runs from the left to the right side.
  private(set) var outline: Quadrilateral

  /// The least ratio of height to width of regions whose text runs up or down.
  private static let leastProportion = 1.5

  /// Cuts a region out; nil if it has no inside.
  init?(_ region: Quadrilateral, of page: Raster) {
    // In single precision, as lengths are cut to whole pixels.
    func length(_ a: Point, _ b: Point) -> Float {
      let (dx, dy) = (Float(a.x - b.x), Float(a.y - b.y))
      return (dx * dx + dy * dy).squareRoot()
    }
    let width = max(
      length(region.topLeft, region.topRight), length(region.bottomRight, region.bottomLeft))
    let height = max(
      length(region.topLeft, region.bottomLeft), length(region.topRight, region.bottomRight))
    guard
      let crop = try? page.cubicallyWarped(region, width: Int(width), height: Int(height))
    else { return nil }
    if Double(crop.height) / Double(crop.width) >= Self.leastProportion {
      image = crop.oriented(.rotate90Anticlockwise)
      outline = Quadrilateral(
        topLeft: region.topRight, topRight: region.bottomRight, bottomRight: region.bottomLeft,
        bottomLeft: region.topLeft)
    } else {
      image = crop
      outline = region
    }
  }

  /// Turns the line by half a turn.
  mutating func turnOver() {
    image = image.oriented(.rotate180)
    outline = Quadrilateral(
      topLeft: outline.bottomRight, topRight: outline.bottomLeft, bottomRight: outline.topLeft,
      bottomLeft: outline.topRight)
  }
}
