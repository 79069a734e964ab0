import CommandKit
import Foundation
import LinearAlgebra
import ModelStore
import ONNXRunner
import Raster
import ReferenceModels
import SimilarityIndex
import VisionProtocols

/// The models that a command line names, or the bundled ones.
package enum LoadedModels {
  /// The detector.
  package static func detector(
    _ arguments: ParsedArguments, console: Console
  ) throws -> AnyDetector {
    let options = sessionOptions(arguments)
    guard let path = arguments[CountOptions.detector] else {
      for option in CountOptions.ofDetector where arguments.has(option) {
        throw UsageError(
          "--\(option.name) is about the model named by --detector, and none is named")
      }
      return AnyDetector(try BundledModels.detector(options: options))
    }
    let url = try ModelReference.file(path, console: console)
    let names = try arguments[CountOptions.names].map { try ClassLabelFile.labels($0) }
    var detector: AnyDetector
    do {
      detector = try AnyDetector(
        contentsOf: url, head: arguments[CountOptions.head],
        preprocessing: arguments[CountOptions.detectorInput].map { DetectorPreprocessing($0) },
        names: names, inputSize: arguments[CountOptions.detectorSize], options: options)
    } catch ReferenceModelError.openInputSize(let found) {
      throw CommandError(
        .usage, at: path,
        "the model leaves its input size open: give --detector-size; it has \(found)")
    } catch ReferenceModelError.openHead(let heads, let reason, let found) {
      throw CommandError(
        .usage, at: path,
        "the head of this detector is not certain: \(reason). Give --head \(heads.joined(separator: " or ")); "
          + "it has \(found)")
    } catch {
      throw Failure.of(error, at: path)
    }
    detector.classes = try arguments[CountOptions.classes].map { words in
      Set(try words.map { try classID($0, of: detector, at: path) })
    }
    return detector
  }

  /// The class that a name or number stands for.
  private static func classID(
    _ word: String, of detector: AnyDetector, at path: String
  ) throws -> Int {
    if let names = detector.classNames?.names,
      let place = names.firstIndex(where: { $0.lowercased() == word.lowercased() })
    {
      return place
    }
    if let number = Int(word), number >= 0 { return number }
    guard let names = detector.classNames?.names else {
      throw UsageError(
        "--classes names '\(word)', and \(path) has no names of classes: give numbers, or --names")
    }
    let known = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", ..." : "")
    throw UsageError("--classes names '\(word)', which is not a class of \(path): \(known)")
  }

  /// The session options of the command line; BLAS, which works in between, gets one thread.
  private static func sessionOptions(_ arguments: ParsedArguments) -> SessionOptions {
    // Between two runs of a model there are a few small products. Waking other threads for them
    // would take longer than it saves, and the last bits would depend on their number.
    BLASThreads.set(1)
    return SessionOptions(threads: arguments[StandardOptions.threads])
  }

  /// The embedder.
  ///
  /// - Parameter framing: the part of a crop that it sees, if a model is named.
  package static func embedder(
    _ arguments: ParsedArguments, console: Console,
    framing: CropPreprocessing.Framing? = nil
  ) throws -> AnyEmbedder {
    AnyEmbedder(try embeddingModel(arguments, console: console, framing: framing).model)
  }

  /// The embedder and its identifier.
  package static func identifiedEmbedder(
    _ arguments: ParsedArguments, console: Console
  ) throws -> (embedder: ImageEmbeddingModel, identity: EmbedderIdentity) {
    let (model, file) = try embeddingModel(arguments, console: console, framing: nil)
    let digest: SHA256Digest
    do {
      digest = try SHA256Digest(contentsOf: file)
    } catch {
      throw Failure.of(error, at: file.path)
    }
    let identity = EmbedderIdentity(
      name: file.lastPathComponent, fingerprint: digest.description,
      preprocessing: summary(of: model.preprocessing), dimension: model.dimension)
    return (model, identity)
  }

  /// A model whose file was checked, with the threads from the options.
  package static func session(_ url: URL, _ arguments: ParsedArguments) throws -> InferenceSession {
    try InferenceSession(contentsOf: url, options: sessionOptions(arguments))
  }

  /// The embedder and its file.
  private static func embeddingModel(
    _ arguments: ParsedArguments, console: Console, framing: CropPreprocessing.Framing?
  ) throws -> (model: ImageEmbeddingModel, file: URL) {
    let options = sessionOptions(arguments)
    guard let path = arguments[CountOptions.embedder] else {
      if arguments[CountOptions.embedderPreset] != nil {
        throw UsageError(
          "--embedder-preset is about the model named by --embedder, and none is named")
      }
      return (try BundledModels.embedder(options: options), try BundledModels.embedderFile())
    }
    let url = try ModelReference.file(path, console: console)
    do {
      let session = try InferenceSession(contentsOf: url, options: options)
      // A preset determines the values of pixels, and the model their number.
      var preset = arguments[CountOptions.embedderPreset]
      if let side = ImageEmbeddingModel.fixedSide(of: session) { preset?.size = side }
      let model = try ImageEmbeddingModel(
        session: session, preprocessing: preset, framing: framing)
      return (model, url)
    } catch {
      throw Failure.of(error, at: path)
    }
  }

  /// A preprocessing in a few words; equal ones have equal words.
  private static func summary(of rule: CropPreprocessing) -> String {
    let normalization = rule.normalization
    let name =
      switch normalization {
      case CropPreprocessing.clip.normalization: "clip"
      case CropPreprocessing.imageNet.normalization: "imagenet"
      case CropPreprocessing.stretched.normalization: "signed"
      default:
        "\(normalization.divisor) \(normalization.mean) \(normalization.deviation)"
      }
    return "\(name) \(rule.framing.rawValue) \(rule.size) \(rule.resampling.rawValue) "
      + rule.order.rawValue
  }
}

/// Any embedder of rasters, so that a command need not be generic.
package struct AnyEmbedder: ImageEmbedder {
  package let dimension: Int
  private let embed: @Sendable ([Raster]) async throws -> EmbeddingMatrix

  /// Wraps `embedder`.
  init<Embedder: ImageEmbedder>(_ embedder: Embedder) where Embedder.Image == Raster {
    dimension = embedder.dimension
    embed = { try await embedder.embeddings(of: $0) }
  }

  package func embeddings(of images: [Raster]) async throws -> EmbeddingMatrix {
    try await embed(images)
  }
}
