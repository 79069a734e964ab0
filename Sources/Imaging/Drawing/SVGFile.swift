import CCairo
import Foundation

/// Drawings as SVG files.
enum SVGFile {
  /// What `draw` draws on a page of `width` x `height`, 1...32767 each.
  static func drawn(
    width: Int, height: Int, _ draw: (Canvas) throws -> Void
  ) throws -> Data {
    let limit = Canvas.maximumSide
    guard (1...limit).contains(width), (1...limit).contains(height) else {
      throw DrawingError.size(width: width, height: height, limit: limit)
    }
    var svg = Data()
    try withUnsafeMutablePointer(to: &svg) { svg in
      let canvas = try Canvas(
        owning: cairo_svg_surface_create_for_stream(
          { context, bytes, count in
            guard let context, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
            context.assumingMemoryBound(to: Data.self).pointee.append(bytes, count: Int(count))
            return CAIRO_STATUS_SUCCESS
          }, svg, Double(width), Double(height)))
      cairo_svg_surface_set_document_unit(canvas.surface, CAIRO_SVG_UNIT_PX)
      try draw(canvas)
      // Letters and the end of the file are only written now, so failures show only now.
      cairo_surface_finish(canvas.surface)
      try canvas.check()
    }
    return svg
  }
}
