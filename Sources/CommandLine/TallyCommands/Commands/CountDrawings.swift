import CountReport
import Counting
import Drawing
import Foundation
import Raster

/// The files that `tally count` makes of its results: pictures, pages and labels.
struct CountDrawings {
  private let overlays: OutputPattern?
  private let thumbnails: OutputPattern?
  private let reports: OutputPattern?
  private let labels: OutputPattern?
  private let plots: CountPlots
  private let overlayScale: Int?
  private let images: [String]
  private let correction: CountCorrection?
  private let correctionPath: String

  /// Whether the files need the way of every detection.
  var needTrace: Bool { reports != nil || plots.needTrace }

  /// Works out which files are asked for and where they go.
  ///
  /// - Throws: ``UsageError`` where two of them would be one file, or one of them a photo; ``CommandError``
  ///   where the correction is not there, or none.
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
    labels = try pattern(CountOptions.labels, ["json", "txt", "csv"])
    plots = try CountPlots(arguments, images: images)
    overlayScale = arguments[CountPlots.overlayScale]
    self.images = images
    try Self.requireApart(
      [
        (CountOptions.overlay.name, overlays), (CountOptions.thumbnail.name, thumbnails),
        (CountOptions.report.name, reports), (CountOptions.labels.name, labels),
      ] + plots.patterns)
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
    _ patterns: [(name: String, pattern: OutputPattern?)]
  ) throws(UsageError) {
    var makers: [String: String] = [:]
    for (name, pattern) in patterns {
      for path in pattern?.paths ?? [] {
        if let other = makers.updateValue(name, forKey: path), other != name {
          throw UsageError("--\(other) and --\(name) would both write '\(path)'")
        }
      }
    }
  }

  /// Makes the folders that the files go to.
  func makeFolders() throws(CommandError) {
    for pattern in [overlays, thumbnails, reports, labels] + plots.patterns.map(\.pattern) {
      try pattern?.makeFolders()
    }
  }

  /// A result as the person corrected it; nil where nobody did.
  ///
  /// - Throws: ``CommandError`` where the correction is of another count.
  func corrected(_ result: CountingResult) throws(CommandError) -> CorrectedCount? {
    guard let correction else { return nil }
    do {
      return try CorrectedCount(result, correctedBy: correction)
    } catch {
      throw CommandError(.badData, at: correctionPath, "\(error)")
    }
  }

  /// Writes the files of the photo at `index`.
  func draw(
    _ count: TracedCount, of image: Raster, configuration: CountingConfiguration, at index: Int
  ) throws {
    let result = count.result
    if let path = overlays?.paths[index] {
      try CountOverlay(result: result, image: image, scale: overlayScale).write(to: path)
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
    if let path = labels?.paths[index] {
      let formats: [String: LabelFile.Format] = ["json": .coco, "txt": .yolo, "csv": .csv]
      let file = try LabelFile(corrected(result) ?? CorrectedCount(result), image: name)
      try OutputFile.write(
        file.data(as: formats[(path as NSString).pathExtension.lowercased()] ?? .coco), to: path)
    }
  }
}
