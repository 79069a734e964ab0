import Foundation
import LinearAlgebra
import ONNXRunner
import Perception
import Raster
import ReferenceModels

/// The models that a command line names, or what the package has in their place.
enum LoadedModels {
  /// The detector.
  static func detector(
    _ arguments: ParsedArguments, console: Console
  ) throws -> YOLOXDetector {
    let options = sessionOptions(arguments)
    guard let path = arguments[CountOptions.detector] else {
      if arguments[CountOptions.decodedHead] {
        throw UsageError("--decoded-head is about the model named by --detector, and none is named")
      }
      if arguments[CountOptions.detectorSize] != nil {
        throw UsageError(
          "--detector-size is about the model named by --detector, and none is named")
      }
      return try BundledModels.detector(options: options)
    }
    let url = try ModelReference.file(path, console: console)
    do {
      return try YOLOXDetector(
        contentsOf: url, isSelfDecoded: arguments[CountOptions.decodedHead],
        inputSize: arguments[CountOptions.detectorSize], options: options)
    } catch ReferenceModelError.openInputSize(let found) {
      throw CommandError(
        .usage, at: path,
        "the model leaves its input size open: give --detector-size; it has \(found)")
    } catch {
      throw Failure.of(error, at: path)
    }
  }

  /// What the command line says of sessions; BLAS, which works in between, gets one thread.
  private static func sessionOptions(_ arguments: ParsedArguments) -> SessionOptions {
    // Between two runs of a model there are a few small products, for which waking other threads would
    // take longer than it saves, and whose last bits would depend on their number.
    BLASThreads.set(1)
    return SessionOptions(threads: arguments[StandardOptions.threads])
  }

  /// The embedder.
  ///
  /// - Parameter framing: which part of a crop it sees, where the model is one that is named.
  static func embedder(
    _ arguments: ParsedArguments, console: Console,
    framing: CropPreprocessing.Framing? = nil
  ) throws -> AnyEmbedder {
    let options = sessionOptions(arguments)
    guard let path = arguments[CountOptions.embedder] else {
      if arguments[CountOptions.embedderPreset] != nil {
        throw UsageError(
          "--embedder-preset is about the model named by --embedder, and none is named")
      }
      return AnyEmbedder(try BundledModels.embedder(options: options))
    }
    let url = try ModelReference.file(path, console: console)
    do {
      return AnyEmbedder(
        try ImageEmbeddingModel(
          contentsOf: url, preprocessing: arguments[CountOptions.embedderPreset], framing: framing,
          options: options))
    } catch {
      throw Failure.of(error, at: path)
    }
  }
}

/// Any embedder of rasters, so that a command need not be written once for each kind.
struct AnyEmbedder: ImageEmbedder {
  let dimension: Int
  private let embed: @Sendable ([Raster]) async throws -> EmbeddingMatrix

  /// Wraps `embedder`.
  init<Embedder: ImageEmbedder>(_ embedder: Embedder) where Embedder.Image == Raster {
    dimension = embedder.dimension
    embed = { try await embedder.embeddings(of: $0) }
  }

  func embeddings(of images: [Raster]) async throws -> EmbeddingMatrix {
    try await embed(images)
  }
}
