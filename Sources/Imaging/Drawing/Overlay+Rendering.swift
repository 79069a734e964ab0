import CCairo
import Foundation
import Raster

extension Overlay {
  /// The photo with everything drawn over it, in RGB.
  ///
  /// Drawn tile by tile: beside the photo and the answer it takes a few megabytes, and there is no limit to
  /// the photo's sides.
  ///
  /// - Parameter image: the upright photo, of any number of channels; alpha is dropped.
  /// - Throws: ``DrawingError`` where Cairo fails.
  public func drawn(over image: Raster) throws -> Raster {
    let photo = try image.converted(toChannels: 3)
    let layout = OverlayLayout(
      self, width: photo.width, height: photo.height, measure: try Canvas(width: 1, height: 1))
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

  /// A drawing of its own, as an SVG file of `width` x `height`.
  ///
  /// Letters are outlines, so that it looks the same wherever it is opened.
  ///
  /// - Parameters:
  ///   - width: the photo's width in pixels, 1...32767.
  ///   - height: the photo's height in pixels, 1...32767.
  ///   - photo: the upright photo as a JPEG file of that size, to be embedded below the boxes; nil for boxes on
  ///     a transparent ground.
  /// - Throws: ``DrawingError``.
  public func svg(width: Int, height: Int, photo: Data? = nil) throws -> Data {
    let measure = try Canvas(width: 1, height: 1)
    return try SVGFile.drawn(width: width, height: height) { canvas in
      if let photo { try embed(photo, width: width, height: height, in: canvas) }
      OverlayLayout(self, width: width, height: height, measure: measure).draw(on: canvas)
    }
  }

  private func embed(_ photo: Data, width: Int, height: Int, in canvas: Canvas) throws {
    let stand = try Canvas(width: width, height: height)
    // Cairo frees the copy when it drops the surface; the pixels of the surface itself stay untouched.
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

/// A piece of a photo that is drawn on at once.
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
    // Cairo keeps a pixel as a number, 0x00RRGGBB, in the machine's byte order.
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
