import Counting
import Drawing
import Foundation
import ImageFiles
import Raster

/// The pictures that `tally count` makes of its results.
struct CountDrawings {
  private let overlays: OutputPattern?
  private let thumbnails: OutputPattern?

  /// Works out which pictures are asked for and where they go.
  ///
  /// - Throws: ``UsageError`` where two of them would be one file, or one of them a photo.
  init(_ arguments: ParsedArguments, images: [String]) throws(UsageError) {
    overlays =
      if let pattern = arguments[CountOptions.overlay] {
        try OutputPattern(
          pattern, option: CountOptions.overlay.name, extensions: DrawingFile.extensions,
          inputs: images)
      } else { nil }
    thumbnails =
      if let pattern = arguments[CountOptions.thumbnail] {
        try OutputPattern(
          pattern, option: CountOptions.thumbnail.name, extensions: ["jpg", "jpeg"], inputs: images)
      } else { nil }
    if let overlays, let thumbnails,
      let shared = overlays.paths.first(where: thumbnails.paths.contains)
    {
      throw UsageError("--overlay and --thumbnail would both write '\(shared)'")
    }
  }

  /// Makes the folders that the pictures go to.
  func makeFolders() throws(CommandError) {
    try overlays?.makeFolders()
    try thumbnails?.makeFolders()
  }

  /// Writes the pictures of the photo at `index`.
  func draw(_ result: CountingResult, of image: Raster, at index: Int) throws {
    if let path = overlays?.paths[index] {
      try CountOverlay(result: result, image: image).write(to: path)
    }
    if let path = thumbnails?.paths[index] {
      guard let thumbnail = try Self.thumbnail(of: result, in: image) else { return }
      try ImageFile.write(
        thumbnail, to: URL(fileURLWithPath: path), as: .jpeg(quality: 80))
    }
  }

  /// The main kind's representative, at most `side` pixels wide and high; nil where nothing was counted.
  static func thumbnail(
    of result: CountingResult, in image: Raster, side: Int = 200
  ) throws -> Raster? {
    guard let box = result.representative?.detection.box,
      let rect = CropStage.rect(of: box, width: image.width, height: image.height),
      let crop = image.cropped(to: rect)
    else { return nil }
    return try crop.fitted(width: side, height: side, method: .bicubic)
  }
}
