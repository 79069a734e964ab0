import Drawing
import Foundation
import ImageFiles
import Raster

/// Overlays as files.
enum OverlayFile {
  /// The formats that a name may end in, the one for folders first.
  static let extensions = ["png", "jpg", "jpeg", "svg"]

  /// Writes a photo with `overlay` over it to the file at `path`, in the format that its name ends in.
  ///
  /// - Throws: `DrawingError`, `ImageFileError`, ``CommandError``.
  static func write(_ overlay: Overlay, over image: Raster, to path: String) throws {
    let url = URL(fileURLWithPath: path)
    guard url.pathExtension.lowercased() == "svg" else {
      return try ImageFile.write(overlay.drawn(over: image), to: url)
    }
    try OutputFile.write(
      overlay.svg(
        width: image.width, height: image.height, photo: ImageFile.data(of: image, as: .jpeg())),
      to: path)
  }
}
