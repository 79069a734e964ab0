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
  /// A plan has no stage.
  case noStage
  /// A stage of a plan, counted from 1, is not possible.
  case invalidStage(number: Int, reason: String)
  /// A plan does not have this stage, counted from 0.
  case stageOutOfRange(Int, count: Int)

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
    case .noStage:
      "a plan has no stage; it needs at least one"
    case .invalidStage(let number, let reason):
      "stage \(number): \(reason)"
    case .stageOutOfRange(let stage, let count):
      "the stage is \(stage); it must be in 0..<\(count)"
    }
  }
}

/// Refuses probabilities at which there is nothing to decide.
func requireLevel(_ value: Double, named name: String) throws(ExperimentError) {
  guard value > 0, value < 1 else { throw .levelOutOfRange(name: name, value: value) }
}
