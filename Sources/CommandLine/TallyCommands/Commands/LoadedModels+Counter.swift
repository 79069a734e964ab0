import Counting
import ReferenceModels

extension LoadedModels {
  /// What counts as a command line asks for.
  static func counter(
    _ arguments: ParsedArguments
  ) throws -> ObjectCounter<YOLOXDetector, AnyEmbedder> {
    let configuration = try CountingConfiguration(arguments)
    return ObjectCounter(
      detector: try detector(arguments),
      // Kinds are told apart by whole objects; the sets of bands are what they always were.
      embedder: try embedder(
        arguments, framing: configuration.adaptive == nil ? nil : .stretched),
      configuration: configuration)
  }
}
