import CommandKit
import Counting
import Geometry
import Raster
import ReferenceModels

/// What counts in photos.
typealias PhotoObjectCounter = ObjectCounter<AnyDetector, AnyEmbedder>

extension LoadedModels {
  /// What counts as a command line asks for, and settings where that says nothing.
  static func counter(
    _ arguments: ParsedArguments, settings: Settings, console: Console
  ) throws -> PhotoObjectCounter {
    let configuration = try CountingConfiguration(arguments, settings: settings)
    return ObjectCounter(
      detector: try detector(arguments, console: console),
      // Kinds are distinguished by whole objects; the sets of bands are what they always were.
      embedder: try embedder(
        arguments, console: console,
        framing: configuration.adaptive == nil ? nil : .stretched),
      configuration: configuration,
      calibration: arguments[CountOptions.detector] == nil
        && arguments[CountOptions.embedder] == nil ? .bundledModels : nil)
  }
}

extension PhotoObjectCounter {
  /// A count, with the way of every detection where that is wanted and an empty one if it is not.
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
