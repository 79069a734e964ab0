import CommandKit
import Counting
import Foundation
import ModelStore

extension ResultsSettings {
  /// Collects the settings of a count; models are distinguished by their bytes.
  ///
  /// - Parameter correction: the identifier of the correction; nil if there is none.
  /// - Throws: ``CommandError`` if a model cannot be read.
  init(
    _ arguments: ParsedArguments, configuration: CountingConfiguration, guide: PhotoGuide,
    correction: String?, console: Console
  ) throws {
    let template = try guide.templateDigest()
    let models = try ModelDigests.of(arguments, console: console)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let thresholds = String(decoding: try encoder.encode(configuration), as: UTF8.self)
    let values: [(String, JSONText)] = [
      ("detector", .string(models.detector)),
      ("head", .optional(arguments[CountOptions.head]) { .string($0.name) }),
      (
        "detectorInput",
        .optional(arguments[CountOptions.detectorInput]) { .string($0.rawValue) }
      ),
      (
        "classes",
        .optional(arguments[CountOptions.classes]) { .array($0.map { .string($0) }) }
      ),
      (
        "detectorSize",
        .optional(arguments[CountOptions.detectorSize]) {
          .array([.integer($0.width), .integer($0.height)])
        }
      ),
      ("embedder", .string(models.embedder)),
      (
        "embedderPreset",
        .optional(ModelDigests.embedderPreset(arguments)) { .string($0) }
      ),
      ("like", .array(guide.guide.like.map(JSONText.box))),
      ("unlike", .array(guide.guide.unlike.map(JSONText.box))),
      (
        "region",
        .optional(guide.guide.region) {
          .array($0.corners.map { .array([.double($0.x), .double($0.y)]) })
        }
      ),
      ("template", .optional(template) { .string($0) }),
      ("correction", .optional(correction) { .string($0) }),
      ("thresholds", .encoded(thresholds)),
    ]
    self.init(values)
  }
}
