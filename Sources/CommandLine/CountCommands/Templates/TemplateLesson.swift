import CommandKit
import CountReport
import CountTemplates
import Counting
import Foundation
import Geometry
import Raster

/// The objects of a count that a template learns.
struct TemplateLesson: Sendable {
  /// The objects to count.
  let like: [Box]
  /// The objects to leave out.
  let unlike: [Box]

  /// Takes the counted objects, and leaves out the others, or those that a person took out.
  ///
  /// - Parameter corrected: the result with the correction, if there is one.
  init(_ result: CountingResult, correction: CountCorrection?, _ corrected: CorrectedCount) {
    like = corrected.objects.map(\.box)
    unlike =
      correction?.removed ?? result.detections.filter { !$0.isMain }.map(\.detection.box)
  }

  /// The template of the objects in a photo.
  ///
  /// - Throws: errors of embedding, and ``CommandError`` if a model's file cannot be read.
  func template(
    _ name: String, in image: Raster, named photo: String, by counter: PhotoObjectCounter,
    _ arguments: ParsedArguments, _ console: Console
  ) async throws -> StoredTemplate {
    let models = try ModelDigests.of(arguments, console: console)
    return StoredTemplate(
      name: name, created: console.now(), photo: photo, objects: like.count,
      embedderPreset: ModelDigests.embedderPreset(arguments),
      template: try await counter.template(
        in: image, like: like, unlike: unlike, models: models))
  }
}
