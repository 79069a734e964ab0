import Geometry

extension Raster {
  /// The pixels inside `rect`, or nil if `rect` is not wholly inside the image.
  ///
  /// O(area of `rect`).
  public func cropped(to rect: PixelRect) -> Raster? {
    guard rect.x >= 0, rect.y >= 0, rect.x + rect.width <= width, rect.y + rect.height <= height
    else { return nil }
    if rect.width == width, rect.height == height { return self }
    let rowLength = rect.width * channels
    var cut: [UInt8] = []
    cut.reserveCapacity(rowLength * rect.height)
    for y in rect.y..<rect.y + rect.height {
      let start = (y * width + rect.x) * channels
      cut.append(contentsOf: samples[start..<start + rowLength])
    }
    return Raster(width: rect.width, height: rect.height, channels: channels, checked: cut)
  }
}
