import Geometry

extension Raster {
  /// The image turned or mirrored as `orientation` says.
  ///
  /// O(width * height); `.upright` answers the same samples without a copy.
  public func oriented(_ orientation: Orientation) -> Raster {
    guard orientation != .upright else { return self }
    let swaps = orientation.swapsSides
    let newWidth = swaps ? height : width
    let newHeight = swaps ? width : height
    // The position of the upright image's first pixel in the stored one, and the offsets of its
    // right and lower neighbours there, in pixels.
    let lastColumn = width - 1
    let lastRow = (height - 1) * width
    let (origin, right, down) =
      switch orientation {
      case .upright: (0, 1, width)
      case .flipHorizontally: (lastColumn, -1, width)
      case .rotate180: (lastRow + lastColumn, -1, -width)
      case .flipVertically: (lastRow, 1, -width)
      case .transpose: (0, width, 1)
      case .rotate90Clockwise: (lastRow, -width, 1)
      case .transverse: (lastRow + lastColumn, -width, -1)
      case .rotate90Anticlockwise: (lastColumn, width, -1)
      }
    let steps = (origin: origin, right: right, down: down)
    let turned = [UInt8](unsafeUninitializedCapacity: samples.count) { target, initialized in
      samples.withUnsafeBufferPointer { source in
        // A constant number of channels lets the copy of a pixel become a few instructions.
        switch channels {
        case 1: turn(source, into: target, width: newWidth, height: newHeight, steps, 1)
        case 2: turn(source, into: target, width: newWidth, height: newHeight, steps, 2)
        case 3: turn(source, into: target, width: newWidth, height: newHeight, steps, 3)
        default: turn(source, into: target, width: newWidth, height: newHeight, steps, 4)
        }
      }
      initialized = samples.count
    }
    return Raster(width: newWidth, height: newHeight, channels: channels, checked: turned)
  }
}

/// Copies pixels so that the target's first is the source's at `origin` and its neighbours to the
/// right and below come from `right` and `down` pixels further on.
@inline(__always)
private func turn(
  _ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>,
  width: Int, height: Int, _ steps: (origin: Int, right: Int, down: Int), _ channels: Int
) {
  // Tiles keep the lines that a transposition reads crosswise in the cache.
  let tile = 32
  for tileY in stride(from: 0, to: height, by: tile) {
    for tileX in stride(from: 0, to: width, by: tile) {
      let endX = min(tileX + tile, width)
      for y in tileY..<min(tileY + tile, height) {
        var from = (steps.origin + tileX * steps.right + y * steps.down) * channels
        var to = (y * width + tileX) * channels
        for _ in tileX..<endX {
          for channel in 0..<channels { target[to &+ channel] = source[from &+ channel] }
          from &+= steps.right &* channels
          to &+= channels
        }
      }
    }
  }
}
