import CommandKit
import Raster

/// All photos of an evaluation on one sheet, each with its boxes and its numbers.
struct ContactSheet {
  /// The side of a photo's square on the sheet, in pixels.
  private static let side = PhotoDrawing.side
  /// The space between squares.
  private static let gap = 8
  private static let ground: UInt8 = 32

  private var thumbnails: [Raster] = []

  /// Adds a picture; its sides must be at most ``PhotoDrawing/side``.
  mutating func add(_ picture: Raster) {
    thumbnails.append(picture)
  }

  /// The sheet: as many columns as rows, or one more.
  ///
  /// - Throws: `RasterError` if there are more photos than fit into an image.
  func drawn() throws -> Raster {
    var columns = 1
    while columns * columns < thumbnails.count { columns += 1 }
    let rows = (thumbnails.count + columns - 1) / columns
    let step = Self.side + Self.gap
    var sheet = try Raster(
      width: columns * step + Self.gap, height: max(rows, 1) * step + Self.gap, channels: 3,
      fill: Self.ground)
    for (index, thumbnail) in thumbnails.enumerated() {
      let x = Self.gap + index % columns * step + (Self.side - thumbnail.width) / 2
      let y = Self.gap + index / columns * step + (Self.side - thumbnail.height) / 2
      sheet.paste(thumbnail, x: x, y: y)
    }
    return sheet
  }
}

extension Raster {
  /// Writes another image with the same number of channels over this one; it has to be inside.
  fileprivate mutating func paste(_ other: Raster, x: Int, y: Int) {
    for row in 0..<other.height {
      for column in 0..<other.width {
        for channel in 0..<other.channels {
          self[x: x + column, y: y + row, channel: channel] =
            other[x: column, y: row, channel: channel]
        }
      }
    }
  }
}
