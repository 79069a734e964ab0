extension Raster {
  /// The same image with another number of channels.
  ///
  /// - Grey to colour: the grey value in red, green and blue.
  /// - Colour to grey: `(19595 R + 38470 G + 7471 B + 32768) >> 16`, the luma of ITU-R BT.601
  ///   (0.299, 0.587, 0.114) as Pillow's `convert("L")` rounds it.
  /// - Without alpha to with alpha: alpha is 255, opaque.
  /// - With alpha to without: alpha is dropped and the colours stay, as in Pillow's
  ///   `convert("RGB")` and OpenCV's `IMREAD_COLOR`; nothing is blended with a background.
  ///
  /// O(width * height).
  ///
  /// - Throws: ``RasterError/invalidLayout(width:height:channels:)`` if `count` is not 1...4.
  public func converted(toChannels count: Int) throws(RasterError) -> Raster {
    guard count != channels else { return self }
    let sourceChannels = channels
    let size = try Self.boundedSampleCount(width: width, height: height, channels: count)
    let converted = [UInt8](unsafeUninitializedCapacity: size) { target, initialized in
      samples.withUnsafeBufferPointer { source in
        var from = 0
        var to = 0
        while to < size {
          let red = source[from]
          if count <= 2 {
            target[to] =
              sourceChannels <= 2 ? red : luma(red, source[from + 1], source[from + 2])
          } else {
            target[to] = red
            target[to + 1] = sourceChannels <= 2 ? red : source[from + 1]
            target[to + 2] = sourceChannels <= 2 ? red : source[from + 2]
          }
          if count % 2 == 0 {
            target[to + count - 1] =
              sourceChannels % 2 == 0 ? source[from + sourceChannels - 1] : 255
          }
          from += sourceChannels
          to += count
        }
      }
      initialized = size
    }
    return Raster(width: width, height: height, channels: count, checked: converted)
  }
}

/// The BT.601 luma in 16-bit fixed point, rounded to nearest.
@inline(__always)
func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
  let sum = UInt32(red) &* 19595 &+ UInt32(green) &* 38470 &+ UInt32(blue) &* 7471
  return UInt8(truncatingIfNeeded: (sum &+ 32768) >> 16)
}
