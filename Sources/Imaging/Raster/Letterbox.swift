import Geometry

extension Raster {
  /// The image resized to fit a canvas, as YOLOX prepares its input.
  ///
  /// The image is resized bilinearly to the size that `Letterbox` computes, and pasted at its
  /// position. The rest of the canvas is `fill`. Only the source rows that the target needs are
  /// read: O(width * height) of the canvas, for any size of the image.
  ///
  /// Source: YOLOX's `preproc` (Ge et al., "YOLOX: Exceeding YOLO Series in 2021"), whose resize is
  /// OpenCV's 8-bit `INTER_LINEAR`; equal to it byte for byte.
  ///
  /// - Parameters:
  ///   - width: the canvas's width, at least 1.
  ///   - height: the canvas's height, at least 1.
  ///   - placement: the position of the image on the canvas.
  ///   - fill: the value of every sample outside the image.
  /// - Throws: ``RasterError`` if a side is below 1 or the canvas would have more than
  ///   ``maximumSamples``.
  public func letterboxed(
    width: Int, height: Int, placement: Letterbox.Placement = .topLeft, fill: UInt8 = 114
  ) throws(RasterError) -> Raster {
    let box: Letterbox
    do {
      box = try Letterbox(
        imageWidth: self.width, imageHeight: self.height, networkWidth: width,
        networkHeight: height, placement: placement)
    } catch {
      // A side below 1 is reported first.
      _ = try Self.boundedSampleCount(width: width, height: height, channels: channels)
      throw .tooLarge(width: self.width, height: self.height, channels: channels)
    }
    return try letterboxed(box, fill: fill)
  }

  /// The image as a letterbox says, which was made for an image of its size.
  ///
  /// As ``letterboxed(width:height:placement:fill:)``, for other ways to round the sides.
  ///
  /// - Throws: ``RasterError`` if the canvas would have more than ``maximumSamples``.
  public func letterboxed(_ box: Letterbox, fill: UInt8 = 114) throws(RasterError) -> Raster {
    let (width, height) = (box.networkWidth, box.networkHeight)
    let count = try Self.boundedSampleCount(width: width, height: height, channels: channels)
    let resize = BilinearResize(
      source: self, width: min(box.resizedWidth, width), height: min(box.resizedHeight, height))
    let rowStride = width * channels
    let start = box.offsetY * rowStride + box.offsetX * channels
    let canvas = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      target.initialize(repeating: fill)
      resize.write(
        into: UnsafeMutableBufferPointer(rebasing: target[start...]), rowStride: rowStride)
      initialized = count
    }
    return Raster(width: width, height: height, channels: channels, checked: canvas)
  }
}
