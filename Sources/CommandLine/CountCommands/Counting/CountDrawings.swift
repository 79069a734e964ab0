import CommandKit
import CountReport
import Counting
import Drawing
import Foundation
import ModelStore
import Raster

/// The files that `tally count` makes from its results: pictures, pages and labels.
struct CountDrawings {
  private let overlays: OutputPattern?
  private let thumbnails: OutputPattern?
  private let reports: OutputPattern?
  private let labels: CountLabels?
  private let crops: PhotoCrops?
  private let plots: CountPlots
  private let overlayScale: Int?
  private let images: [String]
  private let correction: CountCorrection?
  private let correctionPath: String

  /// Whether the files need the trace of every detection.
  var needTrace: Bool { reports != nil || plots.needTrace || labels?.hasKinds == true }

  /// Computes the requested files and their places.
  ///
  /// - Throws: ``UsageError`` if two of them would be one file, or one of them a photo;
  ///   ``CommandError`` if the correction does not exist or is invalid.
  init(_ arguments: ParsedArguments, images: [String]) throws {
    func pattern(_ option: Option<String>, _ extensions: [String]) throws(UsageError)
      -> OutputPattern?
    {
      guard let pattern = arguments[option] else { return nil }
      return try OutputPattern(
        pattern, option: option.name, extensions: extensions, inputs: images)
    }
    overlays = try pattern(CountOptions.overlay, DrawingFile.extensions)
    thumbnails = try pattern(CountOptions.thumbnail, ["jpg", "jpeg"])
    reports = try pattern(CountOptions.report, ["html", "htm"])
    labels = try CountLabels(arguments, images: images)
    plots = try CountPlots(arguments, images: images)
    overlayScale = arguments[CountPlots.overlayScale]
    self.images = images
    try Self.requireApart(
      [
        (CountOptions.overlay.name, overlays?.paths ?? []),
        (CountOptions.thumbnail.name, thumbnails?.paths ?? []),
        (CountOptions.report.name, reports?.paths ?? []),
        (CountOptions.labels.name, labels?.paths ?? []),
      ] + plots.patterns.map { ($0.name, $0.pattern?.paths ?? []) })
    crops = try arguments[CountOptions.crops].map { [overlays] folder throws(UsageError) in
      try PhotoCrops(folder: folder, images: images, overlays: overlays?.paths ?? [])
    }
    correctionPath = arguments[CountOptions.correction] ?? ""
    correction = try arguments[CountOptions.correction].map { path in
      guard images.count == 1 else {
        throw UsageError(
          "--correction is of one photo, and there are \(images.count); count that photo alone")
      }
      return try CorrectionFile.read(path)
    }
  }

  private static func requireApart(
    _ files: [(name: String, paths: [String])]
  ) throws(UsageError) {
    var makers: [FoundPath: String] = [:]
    for (name, paths) in files {
      for path in paths {
        if let other = makers.updateValue(name, forKey: FoundPath(path)), other != name {
          throw UsageError("--\(other) and --\(name) would both write '\(path)'")
        }
      }
    }
  }

  /// Makes the folders of the files.
  func makeFolders() throws(CommandError) {
    for pattern in [overlays, thumbnails, reports] + plots.patterns.map(\.pattern) {
      try pattern?.makeFolders()
    }
    try labels?.makeFolders()
    try crops?.makeFolder()
  }

  /// A result with a person's corrections; nil if there are none.
  ///
  /// - Throws: ``CommandError`` if the correction is of another count.
  func corrected(_ result: CountingResult) throws(CommandError) -> CorrectedCount? {
    guard let correction else { return nil }
    do {
      return try CorrectedCount(result, correctedBy: correction)
    } catch {
      throw CommandError(.badData, at: correctionPath, "\(error)")
    }
  }

  /// The identifier of the correction; nil if there is none.
  ///
  /// - Throws: ``CommandError`` if its file cannot be read any more.
  func correctionDigest() throws -> String? {
    guard correction != nil else { return nil }
    do {
      return try SHA256Digest(contentsOf: URL(fileURLWithPath: correctionPath)).description
    } catch {
      throw Failure.of(error, at: correctionPath)
    }
  }

  /// The files for the photo at `index`, if they have content.
  func plannedPaths(at index: Int) -> [String] {
    let patterns = [overlays, thumbnails, reports] + plots.patterns.map(\.pattern)
    return patterns.compactMap { $0?.paths[index] }
  }

  /// Writes the files of a photo, and returns them.
  func draw(
    _ count: TracedCount, of photo: LoadedPhoto, configuration: CountingConfiguration
  ) async throws -> [String] {
    let (result, image, index) = (count.result, photo.image, photo.place)
    if let path = overlays?.paths[index] {
      try CountOverlay(
        result: result, corrected: corrected(result), image: image, scale: overlayScale
      ).write(to: path)
    }
    if let path = thumbnails?.paths[index],
      let thumbnail = try CountThumbnail.jpeg(of: result, in: image)
    {
      try OutputFile.write(thumbnail, to: path)
    }
    let name = (images[index] as NSString).lastPathComponent
    if let path = reports?.paths[index] {
      let page = CountPage(
        name: name, count: count, configuration: configuration, correction: correction)
      try OutputFile.write(page.html(photo: image), to: path)
    }
    try plots.draw(count, of: image, configuration: configuration, at: index)
    let corrected = try corrected(result)
    let objects = corrected ?? CorrectedCount(result)
    var cut: [String] = []
    if let crops {
      // Numbers are those of the overlay, so a corrected count has no file for the ones that a
      // person took out.
      let boxes = Dictionary(
        objects.objects.map { ($0.number, $0.box) }, uniquingKeysWith: { first, _ in first })
      cut = try crops.write(boxes.keys.max() ?? 0, at: index) { place in
        boxes[place + 1].flatMap {
          CropStage.rect(of: $0, width: image.width, height: image.height)
        }.flatMap(image.cropped)
      }
    }
    let label = try await labels?.add(objects, trace: count.trace, of: photo)
    let written = plannedPaths(at: index).filter { FileManager.default.fileExists(atPath: $0) }
    // Of many crops the first and the last are named.
    let ends = cut.count > 1 ? ["\(cut[0]) to \(cut[cut.count - 1])"] : cut
    return written + ends + [label].compactMap { $0 }
  }

  /// Writes the files that need all photos, and returns the file about all of them.
  func finish(_ configuration: CountingConfiguration) async throws -> String? {
    try await labels?.finish(
      leastDistance: configuration.adaptive?.leastKindDistance ?? 1 - configuration.similarity)
  }
}
