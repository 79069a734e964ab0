import Geometry

/// How pixels between pixels are found when an image changes size.
public enum Resampling: String, Hashable, Sendable, Codable, CaseIterable {
  /// Between the four nearest pixels, equal to OpenCV's 8-bit `INTER_LINEAR` byte for byte.
  ///
  /// Not antialiased: shrinking to a fraction skips pixels, which is what detectors were trained
  /// on.
  case bilinear
  /// Keys's cubic with a = -0.5, widened when shrinking, equal to Pillow's `BICUBIC` byte for byte.
  ///
  /// Pillow 13's: it shrinks tall images downwards first, earlier versions across first, and the
  /// rounding between the passes shows by a step here and there.
  case bicubic
  /// The triangle filter, widened when shrinking, equal to Pillow 13's `BILINEAR` byte for byte.
  case bilinearAntialiased
}

extension Raster {
  /// The image at another size.
  ///
  /// With `.bicubic` and `.bilinearAntialiased`, colours are weighted by alpha if there is one, as
  /// Pillow does; `.bilinear` treats all channels alike, as OpenCV does.
  ///
  /// - Parameters:
  ///   - width: the new width, at least 1.
  ///   - height: the new height, at least 1.
  ///   - method: how pixels are found.
  /// - Throws: ``RasterError`` if a side is below 1 or the result would have more than
  ///   ``maximumSamples``.
  public func resized(
    width: Int, height: Int, method: Resampling = .bilinear
  ) throws(RasterError) -> Raster {
    let count = try Self.boundedSampleCount(width: width, height: height, channels: channels)
    if width == self.width, height == self.height { return self }
    switch method {
    case .bilinear:
      let samples = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
        BilinearResize(source: self, width: width, height: height)
          .write(into: target, rowStride: width * channels)
        initialized = count
      }
      return Raster(width: width, height: height, channels: channels, checked: samples)
    case .bicubic, .bilinearAntialiased:
      return convolved(
        width: width, height: height, filter: method == .bicubic ? .cubic : .triangle,
        columns: 0..<width, rows: 0..<height)
    }
  }

  /// A window of what ``resized(width:height:method:)`` would answer, without making the rest.
  ///
  /// `window` lies inside `width` x `height`, which may itself be too large to make.
  func resizedWithAntialiasing(
    width: Int, height: Int, filter: ConvolutionFilter, window: PixelRect
  ) throws(RasterError) -> Raster {
    _ = try Self.boundedSampleCount(
      width: window.width, height: window.height, channels: channels)
    let columns = window.x..<window.x + window.width
    let rows = window.y..<window.y + window.height
    if width == self.width, height == self.height, let part = cropped(to: window) { return part }
    return convolved(width: width, height: height, filter: filter, columns: columns, rows: rows)
  }

  private func convolved(
    width: Int, height: Int, filter: ConvolutionFilter, columns: Range<Int>, rows: Range<Int>
  ) -> Raster {
    let hasAlpha = channels % 2 == 0
    let source = hasAlpha ? premultiplied() : self
    let result = ConvolutionResize(
      source: source, width: width, height: height, filter: filter, columns: columns, rows: rows
    ).result()
    return hasAlpha ? result.unpremultiplied() : result
  }
}
