/// A grid of equal tiles that cover an image and overlap their neighbours.
///
/// It helps networks to find small objects: the network processes each tile by itself. Along a side
/// of `length` pixels with `count` tiles, a tile is `t = length / (count - (count - 1) overlap)`
/// long and tile `i` begins at `i (1 - overlap) t`; edges are rounded to whole pixels, halves up.
/// The tiles cover every pixel.
public struct TileGrid: Hashable, Sendable {
  /// The image's width in pixels.
  public let width: Int
  /// The image's height in pixels.
  public let height: Int
  /// The tiles, row by row.
  public let tiles: [PixelRect]

  /// Divides an image into tiles.
  ///
  /// Nil if the image has no pixels, if there would be no tiles or more tiles than pixels along a
  /// side, or if the overlap is not in 0...0.9.
  ///
  /// - Parameters:
  ///   - width: the image's width.
  ///   - height: the image's height.
  ///   - columns: the number of tiles in each row.
  ///   - rows: the number of tiles in each column.
  ///   - overlap: the share of a tile that its neighbour covers too.
  /// - Complexity: O(columns · rows).
  public init?(width: Int, height: Int, columns: Int, rows: Int, overlap: Double) {
    guard let across = Self.spans(of: width, count: columns, overlap: overlap),
      let down = Self.spans(of: height, count: rows, overlap: overlap)
    else { return nil }
    self.width = width
    self.height = height
    var tiles: [PixelRect] = []
    for row in down {
      for column in across {
        guard
          let tile = PixelRect(
            x: column.lowerBound, y: row.lowerBound, width: column.count, height: row.count)
        else { return nil }
        tiles.append(tile)
      }
    }
    self.tiles = tiles
  }

  /// The pixels of each tile along a side.
  private static func spans(of length: Int, count: Int, overlap: Double) -> [Range<Int>]? {
    // Images are not longer than 2^31, and larger lengths would be rounded as doubles.
    guard count > 0, length >= count, length <= Int32.max, overlap >= 0, overlap <= 0.9 else {
      return nil
    }
    let tile = Double(length) / (Double(count) - Double(count - 1) * overlap)
    return (0..<count).map { index in
      let start = Double(index) * (1 - overlap) * tile
      let end = min(length, Int((start + tile + 0.5).rounded(.down)))
      return min(Int((start + 0.5).rounded(.down)), end)..<end
    }
  }
}
