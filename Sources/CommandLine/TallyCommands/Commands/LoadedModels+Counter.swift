import Counting
import ReferenceModels

extension LoadedModels {
  /// What counts as a command line asks for, and settings where that says nothing.
  static func counter(
    _ arguments: ParsedArguments, settings: Settings, console: Console
  ) throws -> ObjectCounter<YOLOXDetector, AnyEmbedder> {
    let configuration = try CountingConfiguration(arguments, settings: settings)
    return ObjectCounter(
      detector: try detector(arguments, console: console),
      // Kinds are told apart by whole objects; the sets of bands are what they always were.
      embedder: try embedder(
        arguments, console: console,
        framing: configuration.adaptive == nil ? nil : .stretched),
      configuration: configuration)
  }
}
