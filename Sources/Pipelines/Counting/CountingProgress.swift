/// What a running count is busy with, in the order of work.
public enum CountingStage: String, Hashable, Sendable, Codable, CaseIterable {
  /// The detector searches the image.
  case detecting
  /// Outliers in size and shape are dropped.
  case filtering
  /// The crops are turned into embeddings, batch by batch.
  case embedding
  /// Like embeddings are grouped.
  case clustering
  /// Overlapping boxes are merged and the clusters counted again.
  case merging
  /// The result is there.
  case done
}

extension CountingStage {
  /// The fraction of the whole work at which the stage begins.
  ///
  /// The shares are those of a count of some fifty objects on a CPU: embedding is most of it.
  var start: Double {
    switch self {
    case .detecting: 0
    case .filtering: 0.25
    case .embedding: 0.27
    case .clustering: 0.92
    case .merging: 0.97
    case .done: 1
    }
  }
}

/// How far a count is.
public struct CountingProgress: Hashable, Sendable, Codable {
  /// What it is busy with.
  public let stage: CountingStage
  /// How much of the whole is done, 0...1; it never goes back within one count.
  public let fraction: Double

  /// Makes a progress report.
  public init(stage: CountingStage, fraction: Double) {
    self.stage = stage
    self.fraction = fraction
  }
}

/// What the stream of a count delivers: progress, and once, last, the result.
public enum CountingUpdate: Hashable, Sendable {
  /// The count is this far.
  case progress(CountingProgress)
  /// The count is finished; nothing follows.
  case finished(CountingResult)
}
