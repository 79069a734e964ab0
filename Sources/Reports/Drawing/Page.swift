import CCairo
import Foundation
import Raster

/// A drawing of a given size, for files of any kind.
///
/// ```swift
/// let plot = HistogramPlot(title: "Area", axisName: "area in px", kept: [150, 180, 210])
/// try plot.page().pdf(PDFInformation(title: "Areas")).write(to: url)
/// ```
public struct Page: Sendable {
  /// The width in units of the drawing: pixels of an SVG file, and of an image at scale 1.
  public let width: Int
  /// The height.
  public let height: Int
  let draw: @Sendable (Canvas) throws -> Void

  init(width: Int, height: Int, draw: @escaping @Sendable (Canvas) throws -> Void) {
    (self.width, self.height, self.draw) = (width, height, draw)
  }

  /// The page as an SVG file.
  ///
  /// Letters are outlines, so that it looks the same in every program.
  ///
  /// - Throws: ``DrawingError``; sides must be 1...32767.
  public func svg() throws -> Data {
    try VectorFile.svg(width: width, height: height, draw)
  }

  /// The page as a PDF whose longest side is that of A4.
  ///
  /// Letters are searchable text. Equal pages give equal files.
  ///
  /// - Throws: ``DrawingError``; sides must be 1...32767.
  public func pdf(_ information: PDFInformation = PDFInformation()) throws -> Data {
    try Self.pdf(of: [self], information)
  }

  /// Pages as one PDF.
  ///
  /// - Throws: ``DrawingError``, also if there is no page.
  public static func pdf(
    of pages: [Page], _ information: PDFInformation = PDFInformation()
  ) throws -> Data {
    try VectorFile.pdf(pages, information: information)
  }

  /// The page as an image in RGB, each unit `scale` pixels.
  ///
  /// - Throws: ``DrawingError``; sides must be 1...32767 pixels.
  public func image(scale: Int = 1) throws -> Raster {
    let (width, height) = (
      self.width.multipliedReportingOverflow(by: scale),
      self.height.multipliedReportingOverflow(by: scale)
    )
    guard !width.overflow, !height.overflow else {
      throw DrawingError.size(
        width: self.width, height: self.height, limit: Canvas.maximumSide)
    }
    let canvas = try Canvas(width: width.partialValue, height: height.partialValue)
    canvas.setColor(.white)
    cairo_paint(canvas.context)
    cairo_scale(canvas.context, Double(scale), Double(scale))
    try draw(canvas)
    return try canvas.raster(width: width.partialValue, height: height.partialValue)
  }
}

extension Canvas {
  /// The pixels of a bitmap, in RGB.
  func raster(width: Int, height: Int) throws -> Raster {
    try check()
    cairo_surface_flush(surface)
    guard let pixels = cairo_image_surface_get_data(surface) else {
      throw DrawingError.cairo("the surface has no pixels")
    }
    let rowBytes = Int(cairo_image_surface_get_stride(surface))
    return try Raster(width: width, height: height, channels: 3) { target in
      var to = 0
      for row in 0..<height {
        let line = UnsafeRawPointer(pixels + row * rowBytes).assumingMemoryBound(to: UInt32.self)
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

  /// Draws an image into a frame.
  func draw(_ image: Raster, in frame: Frame) throws {
    let image = try image.converted(toChannels: 3)
    let bitmap = try Canvas(width: image.width, height: image.height)
    cairo_surface_flush(bitmap.surface)
    guard let pixels = cairo_image_surface_get_data(bitmap.surface) else {
      throw DrawingError.cairo("the surface has no pixels")
    }
    let rowBytes = Int(cairo_image_surface_get_stride(bitmap.surface))
    var from = 0
    for row in 0..<image.height {
      let line = UnsafeMutableRawPointer(pixels + row * rowBytes)
        .assumingMemoryBound(to: UInt32.self)
      for column in 0..<image.width {
        line[column] =
          UInt32(image.samples[from]) << 16 | UInt32(image.samples[from + 1]) << 8
          | UInt32(image.samples[from + 2])
        from += 3
      }
    }
    cairo_surface_mark_dirty(bitmap.surface)
    cairo_save(context)
    cairo_translate(context, frame.x, frame.y)
    cairo_scale(
      context, frame.width / Double(image.width), frame.height / Double(image.height))
    cairo_set_source_surface(context, bitmap.surface, 0, 0)
    cairo_paint(context)
    cairo_restore(context)
  }
}
