import CommandKit
import CountSettings
import Counting
import Geometry
import Raster
import ReferenceModels

/// The counter for photos.
typealias PhotoObjectCounter = ObjectCounter<AnyDetector, AnyEmbedder>

extension LoadedModels {
  /// The counter for a command line and, for fields that it does not set, the settings.
  static func counter(
    _ arguments: ParsedArguments, settings: CountingSettings, console: Console
  ) throws -> PhotoObjectCounter {
    let configuration = try CountingConfiguration(arguments, settings: settings)
    return ObjectCounter(
      detector: try detector(arguments, console: console),
      // Kinds are distinguished by whole objects; the sets of bands do not change.
      embedder: try embedder(
        arguments, console: console,
        framing: configuration.adaptive == nil ? nil : .stretched),
      configuration: configuration,
      calibration: arguments[CountOptions.detector] == nil
        && arguments[CountOptions.embedder] == nil ? .bundledModels : nil)
  }
}

extension PhotoObjectCounter {
  /// A count, with the trace of every detection if it is needed, and an empty one if not.
  func count(
    in image: Raster, guide: CountingGuide, isTraced: Bool,
    progress: (@Sendable (CountingProgress) -> Void)? = nil
  ) async throws -> TracedCount {
    guard !isTraced else {
      return try await tracedCount(in: image, guide: guide, progress: progress)
    }
    return TracedCount(
      result: try await count(in: image, guide: guide, progress: progress),
      trace: CountTrace(detections: []))
  }
}
