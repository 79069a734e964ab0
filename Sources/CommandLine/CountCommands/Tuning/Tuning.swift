import CommandKit
import Counting
import Foundation

/// The tuning of a set of photos with one pair of models.
struct Tuning {
  private typealias Counter = ObjectCounter<RememberedDetector, RememberedEmbedder>

  private let truths: [TruePhoto]
  private let basis: CountingConfiguration
  private let counter: Counter

  /// - Parameter counter: the models and the initial thresholds.
  init(_ truths: [TruePhoto], by counter: PhotoObjectCounter) {
    self.truths = truths
    basis = counter.configuration
    let floor = TunedThreshold.all(around: basis).flatMap { $0.variants(counter.configuration) }
      .map(\.confidence).min()
    self.counter = ObjectCounter(
      detector: RememberedDetector(
        counter.detector, floor: Float(floor ?? counter.configuration.confidence)),
      embedder: RememberedEmbedder(counter.embedder), configuration: basis)
  }

  /// Runs the search, and compares each photo before and after.
  ///
  /// - Parameter show: called with the present activity.
  func run(
    _ show: (String) -> Void
  ) async throws -> (cases: [TunedCase], configuration: CountingConfiguration) {
    var photos: [TunedPhoto] = []
    for (index, truth) in truths.enumerated() {
      show("reading, \(index + 1) of \(truths.count)")
      let photo = try load(truth)
      photos.append(photo)
      photo.release()
    }
    let search = ThresholdSearch(basis: basis, photoCount: truths.count)
    var known: [[CountingConfiguration: TuningScore]] = truths.map { _ in [:] }
    func score(_ index: Int, _ configuration: CountingConfiguration) async throws -> TuningScore {
      if let score = known[index][configuration] { return score }
      let score = try await self.score(photos[index], truths[index], by: configuration)
      known[index][configuration] = score
      return score
    }
    let outcome = try await search.run(
      photoDone: { photos[$0].release() }, progress: show,
      measure: { try await score($0, $1).value })
    var cases: [TunedCase] = []
    for (index, truth) in truths.enumerated() {
      cases.append(
        TunedCase(
          truth: truth, before: try await score(index, basis),
          after: try await score(index, outcome.withoutPhoto[index]),
          onAll: try await score(index, outcome.configuration)))
      photos[index].release()
    }
    return (cases, outcome.configuration)
  }

  private func load(_ truth: TruePhoto) throws -> TunedPhoto {
    do {
      return try TunedPhoto(truth)
    } catch {
      throw Failure.of(error, at: truth.path)
    }
  }

  private func score(
    _ photo: TunedPhoto, _ truth: TruePhoto, by configuration: CountingConfiguration
  ) async throws -> TuningScore {
    var counter = counter
    counter.configuration = configuration
    do {
      guard let piece = PhotoPiece(photo) else {
        throw CommandError(.badData, at: photo.path, "the photo has no pixels")
      }
      return try TuningScore(await counter.count(in: piece), truth: truth)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw Failure.of(error, at: photo.path)
    }
  }
}
