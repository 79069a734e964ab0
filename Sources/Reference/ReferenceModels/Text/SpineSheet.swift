import Geometry
import Raster
import Rectification

/// Spines cut out of a photo, straightened, and laid below and beside each other.
///
/// A text detector needs a fraction of the time for a few sheets that it needs for one picture per
/// spine, because no picture has to be enlarged to the detector's shorter side.
struct SpineSheet {
  /// The spines, with black between them; the sides are multiples of 32.
  let image: Raster
  private let places: [Place]

  /// The position of a spine on a sheet.
  private struct Place {
    let spine: Int
    let box: Box
    /// From the sheet to the photo.
    let map: Homography
  }

  private static let greatestLength = 2900.0
  /// The greatest enlargement of thin spines.
  private static let greatestEnlargement = 3.0
  /// Pixels between spines.
  private static let gap = 16
  /// A sheet of several rows has no more pixels: what the detector takes of memory grows with them.
  private static let mostPixels = 600_000

  /// The sheets with all spines of a photo of three channels, the longest spines first.
  ///
  /// Spines whose outline has no inside are left out.
  ///
  /// - Parameter thickness: how thick a spine lies on a sheet, in pixels, unless it would become too
  ///   long or too large.
  static func sheets(
    of outlines: [Quadrilateral], in photo: Raster, thickness: Double
  ) async throws -> [SpineSheet] {
    let cut = await withTaskGroup(of: Picture?.self) { group in
      for (spine, outline) in outlines.enumerated() {
        group.addTask { Picture(spine, outline, of: photo, thickness: thickness) }
      }
      var pictures: [Picture] = []
      for await picture in group {
        if let picture { pictures.append(picture) }
      }
      return pictures
    }
    try Task.checkCancellation()
    let pictures = cut.sorted { a, b in
      a.image.width != b.image.width ? a.image.width > b.image.width : a.spine < b.spine
    }
    guard let width = pictures.first?.image.width else { return [] }
    var sheets: [[[Picture]]] = []
    var height = 0
    for row in rows(of: pictures, width: width) {
      let rowHeight = (row.map(\.image.height).max() ?? 0) + gap
      if sheets.isEmpty || (height + rowHeight) * width > mostPixels {
        sheets.append([])
        height = 0
      }
      sheets[sheets.count - 1].append(row)
      height += rowHeight
    }
    return try sheets.map { try SpineSheet($0, width: width) }
  }

  /// Pictures side by side as far as they fit, in their order.
  private static func rows(of pictures: [Picture], width: Int) -> [[Picture]] {
    var rows: [[Picture]] = []
    var used = 0
    for picture in pictures {
      if !rows.isEmpty, used + gap + picture.image.width <= width {
        rows[rows.count - 1].append(picture)
        used += gap + picture.image.width
      } else {
        rows.append([picture])
        used = picture.image.width
      }
    }
    return rows
  }

  private init(_ rows: [[Picture]], width: Int) throws {
    func padded(_ side: Int) -> Int { (side + 31) / 32 * 32 }
    var places: [(picture: Picture, x: Int, y: Int)] = []
    var y = Self.gap / 2
    for row in rows {
      var x = 0
      for picture in row {
        places.append((picture, x, y))
        x += picture.image.width + Self.gap
      }
      y += (row.map(\.image.height).max() ?? 0) + Self.gap
    }
    let (width, height) = (padded(width), padded(y - Self.gap / 2))
    image = try Raster(width: width, height: height, channels: 3) { target in
      target.initialize(repeating: 0)
      for (picture, x, y) in places {
        let (samples, length) = (picture.image.samples, 3 * picture.image.width)
        for row in 0..<picture.image.height {
          let start = 3 * ((y + row) * width + x)
          _ = UnsafeMutableBufferPointer(rebasing: target[start..<start + length])
            .update(fromContentsOf: samples[row * length..<(row + 1) * length])
        }
      }
    }
    self.places = places.compactMap { picture, x, y in
      let box = Box(
        minX: Float(x), minY: Float(y), maxX: Float(x + picture.image.width),
        maxY: Float(y + picture.image.height))
      return (try? Homography(from: Quadrilateral(box), to: picture.outline)).map {
        Place(spine: picture.spine, box: box, map: $0)
      }
    }
  }

  /// The spine under a shape on the sheet, and the shape in the photo; nil if half or more lies on
  /// none.
  func original(_ shape: Quadrilateral) -> (spine: Int, outline: Quadrilateral)? {
    guard let place = places.first(where: { Quadrilateral($0.box).contains(shape.center) }) else {
      return nil
    }
    let box = place.box
    let inside = shape.mapCorners { corner in
      Point(
        x: min(max(corner.x, Double(box.minX)), Double(box.maxX)),
        y: min(max(corner.y, Double(box.minY)), Double(box.maxY)))
    }
    guard 2 * inside.area > shape.area else { return nil }
    return (place.spine, inside.mapCorners { place.map.apply(to: $0) })
  }

  /// One spine in the size for a sheet, its text lying straight.
  private struct Picture: Sendable {
    let spine: Int
    let image: Raster
    /// In the photo, its corners named as text along it has them.
    let outline: Quadrilateral

    /// Nil if the outline has no inside.
    init?(_ spine: Int, _ outline: Quadrilateral, of photo: Raster, thickness: Double) {
      let (long, short) = (outline.longSide, outline.shortSide)
      guard long.isFinite, short > 0 else { return nil }
      let scale = min(thickness / short, greatestLength / long, greatestEnlargement)
      func side(_ length: Double) -> Int { max(Int((length * scale).rounded()), 1) }
      self.spine = spine
      self.outline = outline.alongText(running: .down)
      guard
        let image = try? photo.rectified(self.outline, width: side(long), height: side(short))
      else { return nil }
      self.image = image
    }
  }
}
