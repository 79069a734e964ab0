import CommandKit
import Counting

/// The search for thresholds that count a set of photos better, each photo left out once.
///
/// It goes along one threshold at a time, takes the value with the best mean if that is clearly
/// better, and goes around until none is. One search has all photos; beside it each photo has a
/// search of its own that does not see it: what that search ends with says how well the photo is
/// counted by thresholds that were chosen on others (Stone, "Cross-validatory choice and assessment
/// of statistical predictions", 1974).
///
/// The searches go in step, so that each photo is looked at once a round for all of them.
struct ThresholdSearch {
  /// What counts a photo by a configuration, and says how right it is, 0...1.
  typealias Measure = (_ photo: Int, _ configuration: CountingConfiguration) async throws -> Double

  /// The configuration to begin with.
  let basis: CountingConfiguration
  /// How many photos there are.
  let photoCount: Int
  /// How much better a mean must be for a threshold to be changed.
  var leastGain = 0.002
  /// How often the search goes around at most.
  var mostRounds = 2

  /// What the searches ended with.
  struct Outcome: Sendable {
    /// The thresholds that count all photos best.
    let configuration: CountingConfiguration
    /// For each photo the thresholds that were chosen without it.
    let withoutPhoto: [CountingConfiguration]
  }

  /// Searches.
  ///
  /// - Parameters:
  ///   - photoDone: called when nothing more is asked about a photo for a while.
  ///   - progress: called before each photo with what is tried.
  ///   - measure: is asked once for each photo and configuration.
  func run(
    photoDone: (Int) -> Void = { _ in }, progress: (String) -> Void = { _ in }, measure: Measure
  ) async throws -> Outcome {
    var known: [CountingConfiguration: [Double]] = [:]
    // The last one leaves nothing out.
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

  /// The variant with the best mean over all photos but one; the first unless another is better by
  /// more than ``leastGain`` and than the standard error of its gain.
  ///
  /// Less than a standard error is what a few photos may show by chance (the rule of Breiman et
  /// al., "Classification and Regression Trees", 1984, section 3.4.3).
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

  /// The mean, and its standard error; both 0 of nothing.
  private static func mean(of values: [Double]) -> (mean: Double, error: Double) {
    let count = Double(values.count)
    guard count > 0 else { return (0, 0) }
    let mean = values.reduce(0, +) / count
    guard count > 1 else { return (mean, 0) }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / (count - 1) / count).squareRoot())
  }
}
