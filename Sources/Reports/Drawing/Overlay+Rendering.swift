import CCairo
import Foundation
import Raster

extension Overlay {
  /// The photo with everything drawn over it, in RGB.
  ///
  /// It is drawn tile by tile: this takes a few megabytes besides the photo and the result, and the
  /// photo's sides have no limit.
  ///
  /// - Parameters:
  ///   - image: the upright photo, with any number of channels; alpha is dropped.
  ///   - scale: the width and height of a photo's pixel in the drawing, in pixels, at least 1.
  ///     Small photos need more than 1 for their labels, see ``readableScale(width:height:)``.
  /// - Throws: ``DrawingError`` if Cairo fails; `RasterError` if the drawing is too large.
  public func drawn(over image: Raster, scale: Int = 1) throws -> Raster {
    let scale = max(scale, 1)
    let layout = OverlayLayout(
      self, width: image.width, height: image.height, factor: scale,
      measure: try Canvas(width: 1, height: 1))
    let photo = try image.converted(toChannels: 3).enlarged(scale)
    let tileWidth = 2048
    let tileHeight = 512
    return try Raster(width: photo.width, height: photo.height, channels: 3) { target in
      try photo.samples.withUnsafeBufferPointer { source in
        for y in stride(from: 0, to: photo.height, by: tileHeight) {
          for x in stride(from: 0, to: photo.width, by: tileWidth) {
            let tile = Tile(
              x: x, y: y, width: min(tileWidth, photo.width - x),
              height: min(tileHeight, photo.height - y), imageWidth: photo.width)
            try tile.draw(layout, over: source, into: target)
          }
        }
      }
    }
  }

  /// A separate drawing, as an SVG file of `width` x `height` times `scale`.
  ///
  /// Letters are outlines, so that it looks the same in every program.
  ///
  /// - Parameters:
  ///   - width: the photo's width in pixels, 1...32767.
  ///   - height: the photo's height in pixels, 1...32767.
  ///   - photo: the upright photo as a JPEG file of that size, embedded below the boxes; nil for
  ///     boxes on a transparent background.
  ///   - scale: as in ``drawn(over:scale:)``.
  /// - Throws: ``DrawingError``.
  public func svg(width: Int, height: Int, photo: Data? = nil, scale: Int = 1) throws -> Data {
    try page(width: width, height: height, photo: photo, scale: scale).svg()
  }

  /// The drawing as a page, for a PDF or an SVG file.
  ///
  /// The parameters are those of ``svg(width:height:photo:scale:)``.
  public func page(width: Int, height: Int, photo: Data? = nil, scale: Int = 1) -> Page {
    let factor = max(scale, 1)
    func times(_ side: Int) -> Int {
      let product = side.multipliedReportingOverflow(by: factor)
      return product.overflow ? .max : product.partialValue
    }
    return Page(width: times(width), height: times(height)) { canvas in
      if let photo {
        cairo_save(canvas.context)
        cairo_scale(canvas.context, Double(factor), Double(factor))
        try Self.embed(photo, width: width, height: height, in: canvas)
        cairo_restore(canvas.context)
      }
      // Letters are measured as in a bitmap, so that the labels have the same places.
      OverlayLayout(
        self, width: width, height: height, factor: factor,
        measure: try Canvas(width: 1, height: 1)
      ).draw(on: canvas)
    }
  }

  /// The least scale at which the drawing over a photo of that size is readable.
  ///
  /// No label is lost, and the longer side is at least 320 pixels. Photos of less than 400 pixels
  /// are enlarged further if that keeps labels at their boxes: a photo of 100 pixels with objects
  /// of 6 has room only for lines. The scale is at most 16, and the drawing at most 4,096 pixels; a
  /// larger photo has scale 1.
  ///
  /// - Complexity: O(n) for each scale for n labels with enough room, as for laying out the labels.
  /// - Throws: ``DrawingError`` if Cairo fails.
  public func readableScale(width: Int, height: Int) throws(DrawingError) -> Int {
    let longest = max(width, height)
    guard longest > 0 else { return 1 }
    let most = max(min(16, 4096 / longest), 1)
    let first = longest < 320 ? min((319 + longest) / longest, most) : 1
    guard first < most else { return first }
    let measure = try Canvas(width: 1, height: 1)
    var fewestLost = (scale: first, count: Int.max)
    for scale in first...most {
      let layout = OverlayLayout(
        self, width: width, height: height, factor: scale, measure: measure)
      let crowded = longest < 400 && 10 * layout.leaderCount > marks.count
      if layout.lostLabels == 0, !crowded { return scale }
      if layout.lostLabels < fewestLost.count { fewestLost = (scale, layout.lostLabels) }
    }
    return fewestLost.scale
  }

  private static func embed(_ photo: Data, width: Int, height: Int, in canvas: Canvas) throws {
    let stand = try Canvas(width: width, height: height)
    // Cairo frees the copy with the surface; the pixels of the surface itself do not change.
    guard let copy = malloc(max(photo.count, 1)) else {
      throw DrawingError.cairo("there is no memory for the photo")
    }
    photo.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { copy.copyMemory(from: base, byteCount: bytes.count) }
    }
    let status = cairo_surface_set_mime_data(
      stand.surface, CAIRO_MIME_TYPE_JPEG, copy.assumingMemoryBound(to: UInt8.self),
      UInt(photo.count), free, copy)
    guard status == CAIRO_STATUS_SUCCESS else {
      free(copy)
      throw DrawingError.cairo(String(cString: cairo_status_to_string(status)))
    }
    cairo_set_source_surface(canvas.context, stand.surface, 0, 0)
    cairo_paint(canvas.context)
  }
}

extension Raster {
  /// The image with each pixel `factor` pixels wide and high, smoothed.
  fileprivate func enlarged(_ factor: Int) throws -> Raster {
    guard factor > 1 else { return self }
    let sides = (
      width.multipliedReportingOverflow(by: factor), height.multipliedReportingOverflow(by: factor)
    )
    guard !sides.0.overflow, !sides.1.overflow else {
      throw RasterError.invalidLayout(width: width, height: height, channels: channels)
    }
    return try resized(
      width: sides.0.partialValue, height: sides.1.partialValue, method: .bicubic)
  }
}

/// A part of a photo that is drawn at once.
private struct Tile {
  let x: Int
  let y: Int
  let width: Int
  let height: Int
  let imageWidth: Int

  func draw(
    _ layout: OverlayLayout, over source: UnsafeBufferPointer<UInt8>,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) throws {
    let canvas = try Canvas(width: width, height: height)
    cairo_surface_flush(canvas.surface)
    guard let pixels = cairo_image_surface_get_data(canvas.surface) else {
      throw DrawingError.cairo("the surface has no pixels")
    }
    let rowBytes = Int(cairo_image_surface_get_stride(canvas.surface))
    // Cairo stores a pixel as a number, 0x00RRGGBB, in the machine's byte order.
    for row in 0..<height {
      let line = UnsafeMutableRawPointer(pixels + row * rowBytes)
        .assumingMemoryBound(to: UInt32.self)
      var from = ((y + row) * imageWidth + x) * 3
      for column in 0..<width {
        line[column] =
          UInt32(source[from]) << 16 | UInt32(source[from + 1]) << 8 | UInt32(source[from + 2])
        from += 3
      }
    }
    cairo_surface_mark_dirty(canvas.surface)
    cairo_translate(canvas.context, -Double(x), -Double(y))
    layout.draw(on: canvas)
    try canvas.check()
    cairo_surface_flush(canvas.surface)
    for row in 0..<height {
      let line = UnsafeRawPointer(pixels + row * rowBytes).assumingMemoryBound(to: UInt32.self)
      var to = ((y + row) * imageWidth + x) * 3
      for column in 0..<width {
        let pixel = line[column]
        target[to] = UInt8(truncatingIfNeeded: pixel >> 16)
        target[to + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
        target[to + 2] = UInt8(truncatingIfNeeded: pixel)
        to += 3
      }
    }
  }
}
