/// What a ``RolloutPlan`` answers: stay, advance or roll back, and why.
public struct RolloutDecision: Hashable, Sendable, CustomStringConvertible {
  /// What to do.
  public enum Step: String, Hashable, Sendable, Codable, CaseIterable {
    /// Leave the share as it is.
    case stay
    /// Begin the next stage.
    case advance
    /// Take the change away from all.
    case rollBack = "roll back"
  }

  /// How a gate stands.
  public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// It holds.
    case passes
    /// More trials are needed to tell.
    case open
    /// It does not hold, and chance does not explain that.
    case fails
  }

  /// A gate, how it stands, and the figures behind that.
  public struct GateResult: Hashable, Sendable, CustomStringConvertible {
    /// The gate.
    public let gate: RolloutPlan.Gate
    /// How it stands.
    public let outcome: Outcome
    /// The measure with the change.
    public let change: Proportion
    /// The measure of the control; nil if the gate does not compare.
    public let control: Proportion?
    /// How many trials a measure needs to pass.
    public let minimumTrials: Int
    /// How small a p value must be to show that something is worse.
    public let significance: Double

    /// Makes a result.
    init(
      gate: RolloutPlan.Gate, outcome: Outcome, change: Proportion, control: Proportion?,
      minimumTrials: Int, significance: Double
    ) {
      self.gate = gate
      self.outcome = outcome
      self.change = change
      self.control = control
      self.minimumTrials = minimumTrials
      self.significance = significance
    }

    /// The figures and what they mean, as one clause without a full stop.
    public var description: String {
      guard change.trials > 0, control?.trials != 0 else {
        let whose = change.trials > 0 ? "of the control" : "with the change"
        return "there is no trial of \(gate.measure) \(whose) yet"
      }
      return "\(gate.measure) is \(Self.text(change)), \(meaning)\(shortage)"
    }

    private var meaning: String {
      switch gate {
      case .share(_, let limit):
        switch (outcome, (change.share ?? 0) >= limit) {
        case (.fails, _): "clearly below \(Self.text(limit))"
        case (_, true): "at least \(Self.text(limit))"
        case (_, false): "below \(Self.text(limit)), which may be chance"
        }
      case .noRegression:
        "against \(control.map(Self.text) ?? "") without the change: \(comparison)"
      }
    }

    private var comparison: String {
      guard let control, let test = TwoProportionTest(change, against: control),
        let verdict = try? Verdict(change, against: control, significance: significance)
      else { return "" }
      let p = test.pValue < 0.0005 ? "p below 0.001" : "p = \(Self.text(test.pValue))"
      return switch verdict {
      case .better: "better (\(p))"
      case .worse: "worse (\(p))"
      case .noDifferenceShown: "no difference shown (\(p))"
      case .tooFew: "too few for a test"
      }
    }

    private var shortage: String {
      guard outcome == .open, min(change.trials, control?.trials ?? .max) < minimumTrials else {
        return ""
      }
      return "; \(minimumTrials) trials are needed"
    }

    private static func text(_ proportion: Proportion) -> String {
      "\(text(proportion.share ?? 0)) (\(proportion.successes) of \(proportion.trials))"
    }

    /// A number of 0...1 with three decimals.
    private static func text(_ value: Double) -> String {
      let thousandths = Int((value * 1000).rounded())
      let decimals = String(thousandths % 1000)
      return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - decimals.count) + decimals
    }
  }

  /// What to do.
  public let step: Step
  /// The stage that was asked about, from 0.
  public let stage: Int
  /// The stage from now on; nil after rolling back.
  public let nextStage: Int?
  /// The share of ids that have the change from now on; 0 after rolling back.
  public let share: Double
  /// How each gate of the stage stands, in the plan's order.
  public let gates: [GateResult]

  private let presentShare: Double
  private let isLast: Bool

  /// Decides by how the gates of a stage stand.
  init(at stage: Int, of stages: [RolloutPlan.Stage], _ gates: [GateResult]) {
    self.stage = stage
    self.gates = gates
    presentShare = stages[stage].share
    isLast = stage == stages.count - 1
    if gates.contains(where: { $0.outcome == .fails }) {
      (step, nextStage, share) = (.rollBack, nil, 0)
    } else if isLast || gates.contains(where: { $0.outcome == .open }) {
      (step, nextStage, share) = (.stay, stage, stages[stage].share)
    } else {
      (step, nextStage, share) = (.advance, stage + 1, stages[stage + 1].share)
    }
  }

  /// The step and its reasons with their numbers, in one line.
  ///
  /// If the change is rolled back, the reasons are the gates that fail; if it stays because of open
  /// gates, those; otherwise all.
  public var description: String {
    let present = "stage \(stage + 1) (\(Self.percent(presentShare)))"
    let head: String
    var reasons = gates
    switch (step, nextStage) {
    case (.rollBack, _):
      head = "roll back from \(present)"
      reasons = gates.filter { $0.outcome == .fails }
    case (.advance, let next):
      head = "advance from \(present) to stage \((next ?? stage) + 1) (\(Self.percent(share)))"
    case (.stay, _):
      let open = gates.filter { $0.outcome == .open }
      head = open.isEmpty ? "stay at \(present), which is the last" : "stay at \(present)"
      if !open.isEmpty { reasons = open }
    }
    return head + ": " + reasons.map(\.description).joined(separator: "; and ")
  }

  private static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    if tenths == 0 { return "below 0.1 %" }
    return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }
}
