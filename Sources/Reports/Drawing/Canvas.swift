import CCairo
import Foundation
import Geometry

/// A Cairo surface and the context that draws on it, freed together.
final class Canvas {
  /// The greatest side of Cairo's image surfaces.
  static let maximumSide = 32767

  let surface: OpaquePointer
  let context: OpaquePointer

  /// Takes over a surface.
  init(owning surface: OpaquePointer?) throws(DrawingError) {
    guard let surface else { throw .cairo("there is no surface") }
    let status = cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS, let context = cairo_create(surface) else {
      cairo_surface_destroy(surface)
      throw .cairo(String(cString: cairo_status_to_string(status)))
    }
    self.surface = surface
    self.context = context
    // Unhinted letters have the same shape and advance at every size and place, so the letters of
    // neighbouring tiles fit together.
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
    cairo_select_font_face(
      context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD)
  }

  /// A bitmap of `width` x `height`.
  convenience init(width: Int, height: Int) throws(DrawingError) {
    guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height) else {
      throw .size(width: width, height: height, limit: Self.maximumSide)
    }
    try self.init(
      owning: cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)))
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Throws if any call so far has failed.
  func check() throws(DrawingError) {
    for status in [cairo_status(context), cairo_surface_status(surface)]
    where status != CAIRO_STATUS_SUCCESS {
      throw .cairo(String(cString: cairo_status_to_string(status)))
    }
  }
}

extension Canvas {
  /// The width of a text at font size 1, and its ascent and descent.
  ///
  /// Widths scale with the size because letters are not hinted.
  struct TextMetrics: Hashable {
    let width: Double
    let ascent: Double
    let descent: Double
    var height: Double { ascent + descent }
  }

  func metrics(of text: String) -> TextMetrics {
    // It is measured at a large size, because Cairo rounds its extents to 1/256 of a pixel.
    let size = 64.0
    cairo_set_font_size(context, size)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text, &extents)
    var font = cairo_font_extents_t()
    cairo_font_extents(context, &font)
    return TextMetrics(
      width: extents.x_advance / size, ascent: font.ascent / size, descent: font.descent / size)
  }

  func setColor(_ color: Color, alpha: Double = 1) {
    cairo_set_source_rgba(
      context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, alpha)
  }

  func fill(_ frame: Frame, cornerRadius: Double = 0) {
    let radius = min(cornerRadius, frame.width / 2, frame.height / 2)
    guard radius > 0 else {
      cairo_rectangle(context, frame.x, frame.y, frame.width, frame.height)
      cairo_fill(context)
      return
    }
    let (right, bottom) = (frame.x + frame.width - radius, frame.y + frame.height - radius)
    let (left, top) = (frame.x + radius, frame.y + radius)
    cairo_new_sub_path(context)
    cairo_arc(context, right, top, radius, -.pi / 2, 0)
    cairo_arc(context, right, bottom, radius, 0, .pi / 2)
    cairo_arc(context, left, bottom, radius, .pi / 2, .pi)
    cairo_arc(context, left, top, radius, .pi, 1.5 * .pi)
    cairo_close_path(context)
    cairo_fill(context)
  }

  /// Draws the sides of a closed shape, with dashes of that length if it is given.
  func stroke(_ corners: [Point], lineWidth: Double, dash: Double? = nil) {
    guard let first = corners.first else { return }
    cairo_set_line_width(context, lineWidth)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_move_to(context, first.x, first.y)
    for corner in corners.dropFirst() { cairo_line_to(context, corner.x, corner.y) }
    cairo_close_path(context)
    if let dash { cairo_set_dash(context, [dash, dash * 0.8], 2, 0) }
    cairo_stroke(context)
    cairo_set_dash(context, nil, 0, 0)
  }

  /// Fills a closed shape.
  func fill(_ corners: [Point]) {
    addLine(corners)
    cairo_close_path(context)
    cairo_fill(context)
  }

  /// Adds an open line to the lines to draw.
  func addLine(_ points: [Point]) {
    guard let first = points.first else { return }
    cairo_move_to(context, first.x, first.y)
    for point in points.dropFirst() { cairo_line_to(context, point.x, point.y) }
  }

  /// Draws the added lines, with dashes of that length if it is given.
  func strokeLines(width: Double, dash: Double? = nil) {
    cairo_set_line_width(context, width)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER)
    if let dash { cairo_set_dash(context, [dash, dash], 2, 0) }
    cairo_stroke(context)
    cairo_set_dash(context, nil, 0, 0)
  }

  /// Writes `text` with its baseline starting at a point, to the right or upward.
  func write(
    _ text: String, x: Double, baseline: Double, size: Double, isUpward: Bool = false
  ) {
    cairo_set_font_size(context, size)
    cairo_move_to(context, x, baseline)
    if isUpward {
      cairo_save(context)
      cairo_rotate(context, -.pi / 2)
      cairo_show_text(context, text)
      cairo_restore(context)
    } else {
      cairo_show_text(context, text)
    }
    cairo_new_path(context)
  }
}
