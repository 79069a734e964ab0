import CommandKit
import CountCommands
import Counting
import Foundation
import ONNXRunner
import Raster
import ReferenceModels

/// What a model does, so that photos become what it is given.
enum ModelJob: String, CaseIterable {
  case detector
  case embedder
  case textDetector = "text-detector"
  case textRecognizer = "text-recognizer"
}

/// Runs the work that a model is for on photos, and sees what the model is given.
///
/// So examples are what the model meets in use: the detector's letterboxed photos, the embedder's
/// crops of objects that were found, the recogniser's straightened lines.
struct ModelExamples: Sendable {
  private let session: InferenceSession
  private let look: @Sendable (Raster) async throws -> Void

  /// - Parameter job: nil to find out, which tells detectors from embedders.
  /// - Throws: ``CommandError`` if the model does another job, or one that works with it is
  ///   missing.
  init(
    _ session: InferenceSession, path: String, job: ModelJob?, _ arguments: ParsedArguments,
    console: Console
  ) throws {
    self.session = session
    do {
      switch job ?? Self.job(saidBy: arguments) {
      case .detector: look = try Self.detecting(session, arguments)
      case .embedder: look = try Self.embedding(session, arguments)
      case .textDetector, .textRecognizer:
        look = try Self.reading(
          session, isDetector: job == .textDetector, arguments, console: console)
      case nil:
        if let detecting = try? Self.detecting(session, arguments) {
          look = detecting
        } else {
          look = try Self.embedding(session, arguments)
        }
      }
    } catch {
      throw Failure.of(error, at: path)
    }
  }

  /// The job that an option speaks of: whoever names a detector's head has a detector.
  private static func job(saidBy arguments: ParsedArguments) -> ModelJob? {
    if arguments[CountOptions.head] != nil || arguments[CountOptions.detectorInput] != nil
      || arguments[CountOptions.detectorSize] != nil
    {
      return .detector
    }
    return arguments[CountOptions.embedderPreset] != nil ? .embedder : nil
  }

  /// What the model is given while its work is done on a photo, run by run.
  func inputs(for image: Raster) async throws -> [[String: Tensor]] {
    let seen = SeenInputs()
    session.observeInputs { seen.add($0) }
    defer { session.observeInputs(nil) }
    try await look(image)
    return seen.all
  }

  private static func detecting(
    _ session: InferenceSession, _ arguments: ParsedArguments
  ) throws -> @Sendable (Raster) async throws -> Void {
    let detector = try AnyDetector(
      session: session, head: arguments[CountOptions.head],
      preprocessing: arguments[CountOptions.detectorInput].map { DetectorPreprocessing($0) },
      inputSize: arguments[CountOptions.detectorSize])
    return { _ = try await detector.detections(in: $0, minimumConfidence: 0.5) }
  }

  private static func embedding(
    _ session: InferenceSession, _ arguments: ParsedArguments
  ) throws -> @Sendable (Raster) async throws -> Void {
    var preset = arguments[CountOptions.embedderPreset]
    if let side = ImageEmbeddingModel.fixedSide(of: session) { preset?.size = side }
    let embedder = try ImageEmbeddingModel(
      session: session, preprocessing: preset, framing: .stretched)
    let counter = ObjectCounter(
      detector: try BundledModels.detector(options: SessionOptions(threads: arguments.threads)),
      embedder: embedder, configuration: .adaptive.suitedToBundledModels())
    return { image in
      // What was found in the photo is what the embedder is for; without any, the photo itself.
      if try await counter.count(in: image).count == 0 {
        _ = try await embedder.embeddings(of: [image])
      }
    }
  }

  private static func reading(
    _ session: InferenceSession, isDetector: Bool, _ arguments: ParsedArguments, console: Console
  ) throws -> @Sendable (Raster) async throws -> Void {
    let files = try TextModels.files(in: arguments[TextReading.models], console: console)
    let others = try files.map {
      try ModelFile.session($0, threads: arguments.threads, console: console)
    }
    let reader = try TextReader(
      detector: isDetector ? session : others[0], orientation: others[1],
      recognizer: isDetector ? others[2] : session, configuration: .rapidOCR)
    return { _ = try await reader.texts(in: $0) }
  }
}

extension ParsedArguments {
  fileprivate var threads: Int? { self[StandardOptions.threads] }
}

/// The inputs of a session so far.
private final class SeenInputs: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.
  private let lock = NSLock()
  private var inputs: [[String: Tensor]] = []

  func add(_ given: [String: Tensor]) {
    lock.withLock { inputs.append(given) }
  }

  var all: [[String: Tensor]] { lock.withLock { inputs } }
}
