import CommandKit
import Counting

/// A search for thresholds that count a set of photos better, with cross-validation.
///
/// It changes one threshold at a time and takes the value with the best mean if that is clearly
/// better, and repeats this until none is. One search uses all photos. Each photo also has its own
/// search without it: the result shows how well the photo is counted by thresholds that were chosen
/// on others (Stone, "Cross-validatory choice and assessment of statistical predictions", 1974).
///
/// The searches run in step, so that each photo is processed once per round for all of them.
struct ThresholdSearch {
  /// Counts a photo by a configuration, and returns the accuracy, 0...1.
  typealias Measure = (_ photo: Int, _ configuration: CountingConfiguration) async throws -> Double

  /// The initial configuration.
  let basis: CountingConfiguration
  /// The number of photos.
  let photoCount: Int
  /// The least gain of a mean for changing a threshold.
  var leastGain = 0.002
  /// The greatest number of rounds.
  var mostRounds = 2

  /// The result of the searches.
  struct Outcome: Sendable {
    /// The thresholds that count all photos best.
    let configuration: CountingConfiguration
    /// The thresholds for each photo that were chosen without it.
    let withoutPhoto: [CountingConfiguration]
  }

  /// Runs the searches.
  ///
  /// - Parameters:
  ///   - photoDone: called when a photo is not needed for a while.
  ///   - progress: called before each photo with the present trial.
  ///   - measure: called once for each photo and configuration.
  func run(
    photoDone: (Int) -> Void = { _ in }, progress: (String) -> Void = { _ in }, measure: Measure
  ) async throws -> Outcome {
    var known: [CountingConfiguration: [Double]] = [:]
    // The last one leaves out no photo.
    var current = [CountingConfiguration](repeating: basis, count: photoCount + 1)
    let thresholds = TunedThreshold.all(around: basis)
    for round in 1...mostRounds {
      var isChanged = false
      for threshold in thresholds {
        let choices = current.map(threshold.variants)
        var asked: [CountingConfiguration] = []
        for variant in choices.joined() where known[variant] == nil && !asked.contains(variant) {
          asked.append(variant)
        }
        var scores = [[Double]](repeating: [], count: asked.count)
        for photo in 0..<photoCount where !asked.isEmpty {
          try Task.checkCancellation()
          progress("round \(round), \(threshold.name), photo \(photo + 1) of \(photoCount)")
          for (index, variant) in asked.enumerated() {
            scores[index].append(try await measure(photo, variant))
          }
          photoDone(photo)
        }
        for (variant, scores) in zip(asked, scores) { known[variant] = scores }
        for (index, variants) in choices.enumerated() {
          let best = best(of: variants, without: index, known)
          if best != current[index] {
            current[index] = best
            isChanged = true
          }
        }
      }
      if !isChanged { break }
    }
    return Outcome(
      configuration: current[photoCount], withoutPhoto: Array(current[..<photoCount]))
  }

  /// The variant with the best mean over all photos except one.
  ///
  /// It is the first, unless another is better by more than ``leastGain`` and by more than the
  /// standard error of its gain. A smaller gain may be chance with a few photos (the rule of
  /// Breiman et al., "Classification and Regression Trees", 1984, section 3.4.3).
  private func best(
    of variants: [CountingConfiguration], without left: Int,
    _ known: [CountingConfiguration: [Double]]
  ) -> CountingConfiguration {
    guard let own = variants.first, let scores = known[own] else { return basis }
    let seen = scores.indices.filter { $0 != left }
    var best = own
    var greatest = 0.0
    for variant in variants.dropFirst() {
      guard let others = known[variant] else { continue }
      let gains = seen.map { others[$0] - scores[$0] }
      let (mean, error) = Self.mean(of: gains)
      if mean > max(leastGain, error, greatest) { (best, greatest) = (variant, mean) }
    }
    return best
  }

  /// The mean, and its standard error; both 0 if there are no values.
  private static func mean(of values: [Double]) -> (mean: Double, error: Double) {
    let count = Double(values.count)
    guard count > 0 else { return (0, 0) }
    let mean = values.reduce(0, +) / count
    guard count > 1 else { return (mean, 0) }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / (count - 1) / count).squareRoot())
  }
}
