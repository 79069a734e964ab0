import Drawing
import Foundation
import ImageFiles
import Raster

/// Drawings as files, in the format of the name's ending.
package enum DrawingFile {
  /// The possible endings; the first is for folders.
  package static let extensions = ["png", "jpg", "jpeg", "svg", "pdf"]
  /// The formats in a sentence.
  package static let formats = "a .png, .jpg, .svg or .pdf file"

  /// The width and height of a page's unit in an image, in pixels.
  private static let pageScale = 2

  /// Writes a page to the file at `path`.
  ///
  /// - Parameter title: the title of a PDF.
  /// - Throws: `DrawingError`, `ImageFileError`, ``CommandError``.
  package static func write(_ page: Page, title: String, to path: String) throws {
    switch ending(of: path) {
    case "svg": try OutputFile.write(page.svg(), to: path)
    case "pdf": try OutputFile.write(page.pdf(PDFInformation(title: title)), to: path)
    default:
      try ImageFile.write(page.image(scale: pageScale), to: URL(fileURLWithPath: path))
    }
  }

  /// Writes a photo with `overlay` over it to the file at `path`.
  ///
  /// - Parameter scale: the width and height of a photo's pixel in the drawing, in pixels; nil for
  ///   a scale at which its labels are readable.
  /// - Throws: `DrawingError`, `ImageFileError`, `RasterError`, ``CommandError``.
  package static func write(
    _ overlay: Overlay, over image: Raster, scale: Int? = nil, to path: String
  ) throws {
    let scale =
      try scale ?? overlay.readableScale(width: image.width, height: image.height)
    switch ending(of: path) {
    case "svg", "pdf":
      let photo = try ImageFile.data(of: image, as: .jpeg())
      let page = overlay.page(width: image.width, height: image.height, photo: photo, scale: scale)
      try write(page, title: overlay.caption, to: path)
    default:
      try ImageFile.write(
        overlay.drawn(over: image, scale: scale), to: URL(fileURLWithPath: path))
    }
  }

  /// Throws for a name with another ending.
  ///
  /// - Throws: ``UsageError``.
  package static func check(_ path: String, option: String) throws(UsageError) {
    guard extensions.contains(ending(of: path)) else {
      throw UsageError(
        "--\(option) '\(path)' must end in \(Sentence.either(extensions.map { ".\($0)" }))")
    }
  }

  private static func ending(of path: String) -> String {
    (path as NSString).pathExtension.lowercased()
  }
}
