extension Raster {
  /// The image shrunk or grown to fit a canvas, at its top left, as YOLOX prepares its input.
  ///
  /// With `r = min(height / h, width / w)` in double precision, the image is resized bilinearly to
  /// `Int(w * r)` x `Int(h * r)` (truncated, at least 1) and the rest of the canvas is `fill`. A
  /// coordinate on the canvas divided by `r` is one on the image. Only the source rows that the target
  /// needs are read: O(width * height) of the canvas, whatever the size of the image.
  ///
  /// Source: YOLOX's `preproc` (Ge et al., "YOLOX: Exceeding YOLO Series in 2021"), whose resize is OpenCV's
  /// 8-bit `INTER_LINEAR`; equal to it byte for byte.
  ///
  /// - Parameters:
  ///   - width: the canvas's width, at least 1.
  ///   - height: the canvas's height, at least 1.
  ///   - fill: the value of every sample outside the image.
  /// - Throws: ``RasterError`` where a side is below 1 or the canvas would have more than
  ///   ``maximumSamples``.
  public func letterboxed(width: Int, height: Int, fill: UInt8 = 114) throws -> Raster {
    let count = try Self.boundedSampleCount(width: width, height: height, channels: channels)
    let ratio = min(
      Double(height) / Double(self.height), Double(width) / Double(self.width))
    let innerWidth = min(max(Int(Double(self.width) * ratio), 1), width)
    let innerHeight = min(max(Int(Double(self.height) * ratio), 1), height)
    let rowStride = width * channels
    let canvas = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      target.initialize(repeating: fill)
      BilinearResize(source: self, width: innerWidth, height: innerHeight)
        .write(into: target, rowStride: rowStride)
      initialized = count
    }
    return Raster(width: width, height: height, channels: channels, checked: canvas)
  }
}
