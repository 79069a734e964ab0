/// The stages in which a change reaches all users, and the figures that each stage needs.
///
/// ```swift
/// let plan = try RolloutPlan(stages: [
///   .init(share: 0.05, minimumTrials: 200, gates: [.share(of: "precision", atLeast: 0.9)]),
///   .init(share: 0.5, minimumTrials: 1000, gates: [.noRegression(of: "precision")]),
///   .init(share: 1, minimumTrials: 1000, gates: [.share(of: "precision", atLeast: 0.9)]),
/// ])
/// let found = try Proportion(successes: 188, trials: 200)
/// let decision = try plan.decision(at: 0, change: ["precision": found], control: [:])
/// print(decision.step, decision.share)  // advance 0.5
/// ```
///
/// A measure is a share of successes that you count for users with the change and for the others,
/// such as the share of right detections. A plan only answers; setting the ``Rollout`` is up to the
/// caller. It is a value, and JSON: see ``Gate`` for the form.
///
/// Of the questions about a harmless change, one in forty finds a regression by chance. That is for
/// one gate that compares, at a significance of 0.05. Ask seldom, or use a smaller significance.
public struct RolloutPlan: Hashable, Sendable {
  /// A share of users, and what has to hold before there are more.
  public struct Stage: Hashable, Sendable {
    /// The share of ids that have the change, above 0 and at most 1.
    public var share: Double
    /// How many trials a measure needs before it can pass a gate, at least 1.
    ///
    /// A gate that compares needs as many of the control. Too few trials do not prevent rolling
    /// back: the tests themselves know how little they show.
    public var minimumTrials: Int
    /// What has to hold, at least one.
    public var gates: [Gate]

    /// Makes a stage; the plan checks it.
    public init(share: Double, minimumTrials: Int, gates: [Gate]) {
      self.share = share
      self.minimumTrials = minimumTrials
      self.gates = gates
    }
  }

  /// What has to hold of a measure.
  ///
  /// As JSON it is `{"measure": "precision", "atLeast": 0.9}` or
  /// `{"measure": "precision", "noRegression": true}`.
  public enum Gate: Hashable, Sendable {
    /// The share of successes with the change is at least a limit, above 0 and at most 1.
    ///
    /// It passes if the observed share is. It fails if ``WilsonInterval`` lies below the limit.
    /// Between the two it is open, because more trials may bring the share up.
    case share(of: String, atLeast: Double)
    /// The change has no smaller share of successes than the control, as far as ``Verdict`` shows.
    ///
    /// It fails if the verdict is `worse`, and is open if there are too few trials. It passes
    /// otherwise. That no regression is shown does not prove that there is none: the more trials,
    /// the smaller a regression that would be shown.
    case noRegression(of: String)

    /// The measure that it looks at.
    public var measure: String {
      switch self {
      case .share(let measure, _), .noRegression(let measure): measure
      }
    }
  }

  /// The stages, at least one, with ascending shares.
  public let stages: [Stage]
  /// How small a p value must be to show that something is worse, between 0 and 1.
  public let significance: Double

  /// Makes a plan.
  ///
  /// - Throws: ``ExperimentError/noStage``; ``ExperimentError/invalidStage(number:reason:)`` for a
  ///   stage that is not possible, or whose share is not above that of the stage before;
  ///   ``ExperimentError/levelOutOfRange(name:value:)``.
  public init(stages: [Stage], significance: Double = 0.05) throws(ExperimentError) {
    guard !stages.isEmpty else { throw .noStage }
    try requireLevel(significance, named: "significance")
    var before = 0.0
    for (index, stage) in stages.enumerated() {
      func invalid(_ reason: String) -> ExperimentError {
        .invalidStage(number: index + 1, reason: reason)
      }
      guard stage.share > before, stage.share <= 1 else {
        throw invalid("its share is \(stage.share); it must be above \(before) and at most 1")
      }
      before = stage.share
      guard stage.minimumTrials >= 1 else {
        throw invalid("it needs \(stage.minimumTrials) trials; it must be at least 1")
      }
      guard !stage.gates.isEmpty else { throw invalid("it has no gate; it needs at least one") }
      for gate in stage.gates {
        guard !gate.measure.isEmpty else { throw invalid("a gate names no measure") }
        if case .share(let measure, let limit) = gate, !(limit > 0 && limit <= 1) {
          throw invalid("\(measure) is to be at least \(limit); it must be above 0 and at most 1")
        }
      }
    }
    self.stages = stages
    self.significance = significance
  }

  /// What to do at a stage with these figures.
  ///
  /// A gate that fails rolls back. If none fails and one is open, the stage stays. If all pass, the
  /// next stage begins; the last stage stays.
  ///
  /// - Parameters:
  ///   - stage: the present stage, from 0.
  ///   - change: the measures of users with the change; one that is missing has no trial.
  ///   - control: the same of users without it, in the same period.
  /// - Throws: ``ExperimentError/stageOutOfRange(_:count:)``.
  /// - Complexity: O(gates).
  public func decision(
    at stage: Int, change: [String: Proportion], control: [String: Proportion]
  ) throws(ExperimentError) -> RolloutDecision {
    guard stages.indices.contains(stage) else {
      throw .stageOutOfRange(stage, count: stages.count)
    }
    let present = stages[stage]
    var results: [RolloutDecision.GateResult] = []
    for gate in present.gates {
      results.append(
        try result(
          of: gate, change: change[gate.measure] ?? .none, control: control[gate.measure] ?? .none,
          minimumTrials: present.minimumTrials))
    }
    return RolloutDecision(at: stage, of: stages, results)
  }

  private func result(
    of gate: Gate, change: Proportion, control: Proportion, minimumTrials: Int
  ) throws(ExperimentError) -> RolloutDecision.GateResult {
    var compared: Proportion?
    if case .noRegression = gate { compared = control }
    let outcome: RolloutDecision.Outcome
    switch gate {
    case .share(_, let limit):
      let interval = try WilsonInterval(change, confidence: 1 - significance)
      outcome =
        interval.upper < limit ? .fails : (change.share ?? 0) >= limit ? .passes : .open
    case .noRegression:
      switch try Verdict(change, against: control, significance: significance) {
      case .worse: outcome = .fails
      case .better, .noDifferenceShown: outcome = .passes
      case .tooFew: outcome = .open
      }
    }
    let fewest = min(change.trials, compared?.trials ?? .max)
    let isEarly = fewest < minimumTrials
    return RolloutDecision.GateResult(
      gate: gate, outcome: isEarly && outcome == .passes ? .open : outcome, change: change,
      control: compared, minimumTrials: minimumTrials, significance: significance)
  }
}

extension Proportion {
  /// No trial at all.
  fileprivate static let none = Proportion(unchecked: 0, of: 0)
}

extension RolloutPlan: Codable {
  private enum CodingKeys: String, CodingKey {
    case stages, significance
  }

  /// Reads a plan, and refuses what is none.
  ///
  /// The significance may be missing. It is then 0.05.
  ///
  /// - Throws: `DecodingError`; its underlying error is the ``ExperimentError``, if there is one.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let stages = try fields.decode([Stage].self, forKey: .stages)
    let significance = try fields.decodeIfPresent(Double.self, forKey: .significance) ?? 0.05
    do {
      try self.init(stages: stages, significance: significance)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: fields.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }
}

extension RolloutPlan.Stage: Codable {}

extension RolloutPlan.Gate: Codable {
  private enum CodingKeys: String, CodingKey {
    case measure, atLeast, noRegression
  }

  /// Reads a gate, which has one of `atLeast` and `"noRegression": true`.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let measure = try fields.decode(String.self, forKey: .measure)
    let limit = try fields.decodeIfPresent(Double.self, forKey: .atLeast)
    let compares = try fields.decodeIfPresent(Bool.self, forKey: .noRegression) ?? false
    switch (limit, compares) {
    case (let limit?, false): self = .share(of: measure, atLeast: limit)
    case (nil, true): self = .noRegression(of: measure)
    default:
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: fields.codingPath,
          debugDescription: "a gate needs \"atLeast\" or \"noRegression\": true, and not both"))
    }
  }

  /// Writes the measure and what has to hold of it.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(measure, forKey: .measure)
    switch self {
    case .share(_, let limit): try fields.encode(limit, forKey: .atLeast)
    case .noRegression: try fields.encode(true, forKey: .noRegression)
    }
  }
}
