extension Raster {
  /// Colours multiplied by alpha, rounded to nearest; for images with alpha in the last channel.
  func premultiplied() -> Raster {
    mappedByAlpha { color, alpha in
      let product = UInt32(color) * UInt32(alpha) + 128
      return UInt8(truncatingIfNeeded: ((product >> 8) + product) >> 8)
    }
  }

  /// Colours divided by alpha, truncated and clipped; a transparent pixel stays as it is.
  func unpremultiplied() -> Raster {
    mappedByAlpha { color, alpha in
      if alpha == 0 || alpha == 255 { return color }
      return UInt8(min(255 * UInt32(color) / UInt32(alpha), 255))
    }
  }

  private func mappedByAlpha(_ transform: (UInt8, UInt8) -> UInt8) -> Raster {
    var mapped = samples
    let channels = channels
    mapped.withUnsafeMutableBufferPointer { buffer in
      for pixel in stride(from: 0, to: buffer.count, by: channels) {
        let alpha = buffer[pixel + channels - 1]
        for channel in pixel..<pixel + channels - 1 {
          buffer[channel] = transform(buffer[channel], alpha)
        }
      }
    }
    return Raster(width: width, height: height, channels: channels, checked: mapped)
  }
}
