import CCairo
import Foundation

/// Drawings as SVG files and as pages of a PDF.
enum VectorFile {
  /// The longest side of a PDF's page in points of 1/72 inch: that of A4.
  static let pageSide = 842.0

  /// The drawing of `draw` on a page of `width` x `height`, 1...32767 each, as an SVG file.
  static func svg(
    width: Int, height: Int, _ draw: (Canvas) throws -> Void
  ) throws -> Data {
    try check(width: width, height: height)
    return try streamed {
      cairo_svg_surface_create_for_stream($0, $1, Double(width), Double(height))
    } draw: { canvas in
      cairo_svg_surface_set_document_unit(canvas.surface, CAIRO_SVG_UNIT_PX)
      try draw(canvas)
    }
  }

  /// A PDF of pages; each is drawn in its own units, and its longest side is that of A4.
  static func pdf(_ pages: [Page], information: PDFInformation) throws -> Data {
    for page in pages { try check(width: page.width, height: page.height) }
    guard let first = pages.first else { throw DrawingError.noPages }
    var file = try streamed {
      cairo_pdf_surface_create_for_stream($0, $1, first.points.width, first.points.height)
    } draw: { canvas in
      // Cairo 1.18 would write PDF 1.7, in which the date that is completed below is compressed.
      cairo_pdf_surface_restrict_to_version(canvas.surface, CAIRO_PDF_VERSION_1_4)
      information.set(on: canvas.surface)
      for page in pages {
        cairo_pdf_surface_set_size(canvas.surface, page.points.width, page.points.height)
        cairo_save(canvas.context)
        cairo_scale(canvas.context, page.pointsPerPixel, page.pointsPerPixel)
        try page.draw(canvas)
        cairo_restore(canvas.context)
        cairo_show_page(canvas.context)
      }
    }
    prefixDate(in: &file)
    return file
  }

  /// Adds the `D:` at the start of the date that PDF requires (PDF 1.7, 7.9.4), which Cairo 1.16
  /// leaves out.
  ///
  /// The seconds are dropped for it, because no byte of a PDF may move.
  private static func prefixDate(in file: inout Data) {
    let key = Data("/CreationDate (".utf8)
    guard let start = file.range(of: key, options: .backwards)?.upperBound,
      file.count - start >= 16
    else { return }
    let written = file[start..<start + 16]
    guard written.prefix(14).allSatisfy({ (0x30...0x39).contains($0) }),
      Array(written.suffix(2)) == Array("Z)".utf8)
    else { return }
    file.replaceSubrange(
      start..<start + 16, with: Data("D:".utf8) + written.prefix(12) + Data(") ".utf8))
  }

  private static func check(width: Int, height: Int) throws {
    let limit = Canvas.maximumSide
    guard (1...limit).contains(width), (1...limit).contains(height) else {
      throw DrawingError.size(width: width, height: height, limit: limit)
    }
  }

  /// The bytes that a surface writes while `draw` draws on it.
  private static func streamed(
    _ surface: (cairo_write_func_t, UnsafeMutableRawPointer) -> OpaquePointer?,
    draw: (Canvas) throws -> Void
  ) throws -> Data {
    var bytes = Data()
    try withUnsafeMutablePointer(to: &bytes) { bytes in
      let canvas = try Canvas(
        owning: surface(
          { context, piece, count in
            guard let context, let piece else { return CAIRO_STATUS_WRITE_ERROR }
            context.assumingMemoryBound(to: Data.self).pointee.append(piece, count: Int(count))
            return CAIRO_STATUS_SUCCESS
          }, bytes))
      // The surface writes its end when it is released, and its destination must still exist then.
      try withExtendedLifetime(canvas) {
        try draw(canvas)
        // Letters and the end of the file are written only now, so errors appear only now.
        cairo_surface_finish(canvas.surface)
        try canvas.check()
      }
    }
    return bytes
  }
}

extension Page {
  /// Points of 1/72 inch per pixel of the page.
  fileprivate var pointsPerPixel: Double {
    VectorFile.pageSide / Double(max(width, height, 1))
  }

  /// The page's size on paper; readers refuse pages of less than 3 points.
  fileprivate var points: (width: Double, height: Double) {
    (max(Double(width) * pointsPerPixel, 3), max(Double(height) * pointsPerPixel, 3))
  }
}

/// The metadata of a PDF.
public struct PDFInformation: Hashable, Sendable {
  /// The document's title; empty for none.
  public var title: String
  /// Its subject; empty for none.
  public var subject: String
  /// The time of its creation, as ISO 8601 (`2026-01-31T12:00:00Z`).
  ///
  /// No clock is read: the default is the start of 2000, so that equal drawings give equal files.
  public var created: String

  /// Makes the metadata of a document.
  public init(title: String = "", subject: String = "", created: String = "2000-01-01T00:00:00Z") {
    (self.title, self.subject, self.created) = (title, subject, created)
  }

  fileprivate func set(on surface: OpaquePointer) {
    let fields = [
      (CAIRO_PDF_METADATA_TITLE, title), (CAIRO_PDF_METADATA_SUBJECT, subject),
      (CAIRO_PDF_METADATA_CREATOR, "Tally"), (CAIRO_PDF_METADATA_CREATE_DATE, created),
    ]
    for (field, text) in fields where !text.isEmpty {
      cairo_pdf_surface_set_metadata(surface, field, text)
    }
  }
}
