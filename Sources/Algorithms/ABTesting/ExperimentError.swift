/// Why ids cannot be assigned or proportions not be compared.
public enum ExperimentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A share of ids is NaN or outside its range.
  case shareOutOfRange(Double, atMost: Double)
  /// An experiment has nothing to try.
  case noTreatment
  /// Two treatments have the same name.
  case sameName(String)
  /// A number of trials is negative, or successes are negative or more than the trials.
  case invalidProportion(successes: Int, trials: Int)
  /// A probability (confidence, significance) is NaN, 0, 1 or outside.
  case levelOutOfRange(name: String, value: Double)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .shareOutOfRange(let share, let most):
      "a share is \(share); it must be in 0...\(most)"
    case .noTreatment:
      "an experiment has no treatment; it needs at least one"
    case .sameName(let name):
      "two treatments are called \"\(name)\"; names must differ"
    case .invalidProportion(let successes, let trials):
      "\(successes) successes in \(trials) trials; 0 <= successes <= trials is needed"
    case .levelOutOfRange(let name, let value):
      "\(name) is \(value); it must lie between 0 and 1, both excluded"
    }
  }
}

/// Refuses probabilities at which there is nothing to decide.
func requireLevel(_ value: Double, named name: String) throws(ExperimentError) {
  guard value > 0, value < 1 else { throw .levelOutOfRange(name: name, value: value) }
}
