import CommandKit
import CountTemplates
import Counting
import Foundation
import Geometry
import ModelStore
import Raster

/// What to count in the photos of a command line, and where.
struct PhotoGuide: Sendable {
  /// The guide of a count.
  let guide: CountingGuide
  /// The file of the template; nil if there is none.
  let templateFile: URL?

  /// Reads the options and the template, which must be of the models in use.
  ///
  /// - Throws: ``UsageError``, ``CommandError``.
  init(_ arguments: ParsedArguments, console: Console) throws {
    let stored = try TemplateInputs.chosen(arguments, console)
    templateFile = stored?.file
    guide = CountingGuide(
      like: arguments.all(CountOptions.like), unlike: arguments.all(CountOptions.unlike),
      region: arguments[CountOptions.region], template: stored?.template.template)
  }

  /// The guide for one photo: boxes and a region, but no template.
  init(ofPhotoIn arguments: ParsedArguments) {
    templateFile = nil
    guide = CountingGuide(
      like: arguments.all(CountOptions.like), unlike: arguments.all(CountOptions.unlike),
      region: arguments[CountOptions.region])
  }

  /// The guide; each of its boxes must show a part of the photo.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` that names the box.
  func checked(for image: Raster, at path: String) throws(CommandError) -> CountingGuide {
    let photo = Box(minX: 0, minY: 0, maxX: Float(image.width), maxY: Float(image.height))
    func check(_ box: Box, _ option: String, _ text: String) throws(CommandError) {
      guard box.intersection(photo) == nil else { return }
      throw CommandError(
        .usage, at: path,
        "--\(option) \(text) lies outside the photo, which is \(image.width) x \(image.height) pixels"
      )
    }
    for box in guide.like { try check(box, CountOptions.like.name, Self.text(of: box)) }
    for box in guide.unlike { try check(box, CountOptions.unlike.name, Self.text(of: box)) }
    if let region = guide.region {
      let corners = region.corners.map { "\(NumberText.of($0.x)),\(NumberText.of($0.y))" }
      try check(
        region.bounds, CountOptions.region.name,
        "with the corners \(corners.joined(separator: " "))")
    }
    return guide
  }

  /// The identifier of the template; nil if there is none.
  ///
  /// - Throws: ``CommandError`` if its file cannot be read any more.
  func templateDigest() throws -> String? {
    try templateFile.map { file in
      do {
        return try SHA256Digest(contentsOf: file).description
      } catch {
        throw Failure.of(error, at: file.path)
      }
    }
  }

  /// A box in the form of an option: left, top, width, height.
  static func text(of box: Box) -> String {
    // A width is a difference, so that it has more digits than were typed.
    [box.minX, box.minY, box.width, box.height]
      .map { NumberText.of(($0 * 100).rounded() / 100) }.joined(separator: ",")
  }
}
