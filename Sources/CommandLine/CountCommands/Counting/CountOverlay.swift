import CommandKit
import CountDrawing
import CountReport
import Counting
import Drawing
import Raster

/// The photo of a count with a box and a number around every object, and the count in words.
struct CountOverlay {
  let result: CountingResult
  /// The count with a person's corrections; nil if there are none.
  var corrected: CorrectedCount?
  let image: Raster
  /// The width and height of a photo's pixel in the drawing, in pixels; nil for a readable scale.
  var scale: Int?

  /// The drawing over the photo.
  var overlay: Overlay {
    var overlay = corrected.map { Overlay($0) } ?? Overlay(result)
    overlay.caption =
      corrected.map { "\(Sentence.count($0.count, "object", "objects")), corrected" }
      ?? CountWords.count(result)
    return overlay
  }

  /// Writes the drawing to the file at `path`, in the format that its name ends in.
  ///
  /// - Throws: `DrawingError`, `ImageFileError`, ``CommandError``.
  func write(to path: String) throws {
    try DrawingFile.write(overlay, over: image, scale: scale, to: path)
  }
}
