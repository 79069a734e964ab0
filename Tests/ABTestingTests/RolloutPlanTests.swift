import ABTesting
import Foundation
import TestSupport
import Testing

// H46: gates between the stages of a rollout.

@Suite("Plans of rollouts")
struct RolloutPlanTests {
  struct GateGolden: Decodable {
    let counts: [Int]
    let atLeast, alpha: Double
    let share, regression: String
  }

  private typealias Stage = RolloutPlan.Stage

  private func plan() throws -> RolloutPlan {
    try RolloutPlan(stages: [
      Stage(share: 0.05, minimumTrials: 200, gates: [.share(of: "precision", atLeast: 0.9)]),
      Stage(
        share: 0.5, minimumTrials: 500,
        gates: [.share(of: "precision", atLeast: 0.9), .noRegression(of: "recall")]),
      Stage(share: 1, minimumTrials: 500, gates: [.share(of: "precision", atLeast: 0.9)]),
    ])
  }

  private func share(_ successes: Int, _ trials: Int) throws -> Proportion {
    try Proportion(successes: successes, trials: trials)
  }

  @Test("Gates stand as statsmodels' interval and test have it")
  func goldens() throws {
    let cases: [GateGolden] = try Folders.golden("ABTesting/gates.json")
    #expect(cases.count == 300)
    for golden in cases {
      let plan = try RolloutPlan(
        stages: [
          Stage(
            share: 0.5, minimumTrials: 1,
            gates: [.share(of: "x", atLeast: golden.atLeast), .noRegression(of: "x")])
        ], significance: golden.alpha)
      let decision = try plan.decision(
        at: 0, change: ["x": share(golden.counts[0], golden.counts[1])],
        control: ["x": share(golden.counts[2], golden.counts[3])])
      #expect(
        decision.gates.map(\.outcome.rawValue) == [golden.share, golden.regression], "\(golden)")
      let isWorse = golden.share == "fails" || golden.regression == "fails"
      #expect(decision.step == (isWorse ? .rollBack : .stay))
    }
  }

  @Test("Good figures lead through all stages, with the reasons")
  func advancing() throws {
    let plan = try plan()
    var rollout = try Rollout(salt: "finder", share: plan.stages[0].share)
    let first = try plan.decision(at: 0, change: ["precision": share(188, 200)], control: [:])
    #expect(first.step == .advance && first.nextStage == 1 && first.share == 0.5)
    #expect(
      "\(first)"
        == "advance from stage 1 (5 %) to stage 2 (50 %): precision is 0.940 (188 of 200), "
        + "at least 0.900")
    try rollout.set(share: first.share)
    let second = try plan.decision(
      at: 1, change: ["precision": share(460, 500), "recall": share(400, 520)],
      control: ["recall": share(390, 500)])
    #expect(second.step == .advance && second.nextStage == 2 && second.share == 1)
    #expect(
      "\(second)"
        == "advance from stage 2 (50 %) to stage 3 (100 %): precision is 0.920 (460 of 500), "
        + "at least 0.900; and recall is 0.769 (400 of 520), against 0.780 (390 of 500) without "
        + "the change: no difference shown (p = 0.681)")
    let last = try plan.decision(at: 2, change: ["precision": share(920, 1000)], control: [:])
    #expect(last.step == .stay && last.nextStage == 2 && last.share == 1)
    #expect("\(last)".hasPrefix("stay at stage 3 (100 %), which is the last: precision is 0.920"))
  }

  @Test("Worse figures roll back, with the gate that fails and no other")
  func rollingBack() throws {
    let decision = try plan().decision(
      at: 1, change: ["precision": share(460, 500), "recall": share(350, 500)],
      control: ["recall": share(400, 500)])
    #expect(decision.step == .rollBack && decision.nextStage == nil && decision.share == 0)
    #expect(
      "\(decision)"
        == "roll back from stage 2 (50 %): recall is 0.700 (350 of 500), against 0.800 "
        + "(400 of 500) without the change: worse (p below 0.001)")
    // A failing gate counts more than an open one.
    let both = try plan().decision(
      at: 1, change: ["precision": share(300, 500)], control: [:])
    #expect(both.step == .rollBack)
    #expect("\(both)".hasSuffix("precision is 0.600 (300 of 500), clearly below 0.900"))
  }

  @Test("Too few trials hold an advance back, and not a rollback")
  func minimum() throws {
    let early = try plan().decision(at: 0, change: ["precision": share(199, 199)], control: [:])
    #expect(early.step == .stay && early.share == 0.05 && early.nextStage == 0)
    #expect(
      "\(early)"
        == "stay at stage 1 (5 %): precision is 1.000 (199 of 199), at least 0.900; "
        + "200 trials are needed")
    let bad = try plan().decision(at: 0, change: ["precision": share(5, 50)], control: [:])
    #expect(bad.step == .rollBack)
    // The control has to have as many.
    let few = try plan().decision(
      at: 1, change: ["precision": share(500, 500), "recall": share(400, 500)],
      control: ["recall": share(80, 100)])
    #expect(few.step == .stay && few.gates.map(\.outcome) == [.passes, .open])
  }

  @Test("A share below its limit that chance explains stays open")
  func open() throws {
    let decision = try plan().decision(at: 0, change: ["precision": share(178, 200)], control: [:])
    #expect(decision.step == .stay)
    #expect(
      "\(decision)"
        == "stay at stage 1 (5 %): precision is 0.890 (178 of 200), below 0.900, which may be "
        + "chance")
  }

  @Test("Measures without a trial keep the stage open, whoever lacks them")
  func nothingMeasured() throws {
    let nothing = try plan().decision(at: 1, change: [:], control: [:])
    #expect(nothing.step == .stay)
    #expect(
      "\(nothing)"
        == "stay at stage 2 (50 %): there is no trial of precision with the change yet; "
        + "and there is no trial of recall with the change yet")
    let control = try plan().decision(
      at: 1, change: ["precision": share(500, 500), "recall": share(1, 500)], control: [:])
    #expect("\(control)".hasSuffix(": there is no trial of recall of the control yet"))
    let alike = try plan().decision(
      at: 1, change: ["precision": share(500, 500), "recall": share(500, 500)],
      control: ["recall": share(500, 500)])
    #expect("\(alike)".hasSuffix("1.000 (500 of 500) without the change: too few for a test"))
  }

  @Test("Counts of any size are answered")
  func hugeCounts() throws {
    let plan = try RolloutPlan(stages: [
      Stage(share: 1e-9, minimumTrials: .max, gates: [.noRegression(of: "x")]),
      Stage(share: 1, minimumTrials: .max, gates: [.share(of: "x", atLeast: 1)]),
    ])
    let most = try share(.max, .max)
    #expect(try plan.decision(at: 1, change: ["x": most], control: [:]).step == .stay)
    let half = try share(.max / 2, .max)
    let worse = try plan.decision(at: 0, change: ["x": half], control: ["x": most])
    #expect(worse.step == .rollBack && "\(worse)".contains("(below 0.1 %)"))
  }

  @Test("More right trials never lead to a worse step, and a worse control neither")
  func monotony() throws {
    let order: [RolloutDecision.Step] = [.rollBack, .stay, .advance]
    let plan = try RolloutPlan(stages: [
      Stage(
        share: 0.5, minimumTrials: 50,
        gates: [.share(of: "x", atLeast: 0.7), .noRegression(of: "x")]),
      Stage(share: 1, minimumTrials: 50, gates: [.share(of: "x", atLeast: 0.7)]),
    ])
    for trials in [10, 50, 120] {
      for controlSuccesses in stride(from: 0, through: 100, by: 10) {
        var before = 0
        for successes in 0...trials {
          let decision = try plan.decision(
            at: 0, change: ["x": share(successes, trials)],
            control: ["x": share(controlSuccesses, 100)])
          let place = try #require(order.firstIndex(of: decision.step))
          // If nearly all trials are alike, the test says nothing: such a step is no comparison.
          if decision.gates.contains(where: { $0.outcome == .open }) { continue }
          #expect(place >= before, "\(successes) of \(trials), \(controlSuccesses)")
          before = place
        }
      }
    }
  }

  @Test("Of harmless changes, as many are rolled back in one look as the significance says")
  func falseAlarms() throws {
    let plan = try RolloutPlan(stages: [
      Stage(share: 0.5, minimumTrials: 1, gates: [.noRegression(of: "x")])
    ])
    var generator = SeededGenerator(seed: 41)
    let rounds = 4000
    var alarms = 0
    for _ in 0..<rounds {
      let counts = (0..<2).map { _ in (0..<200).count { _ in generator.unit() < 0.4 } }
      let decision = try plan.decision(
        at: 0, change: ["x": share(counts[0], 200)], control: ["x": share(counts[1], 200)])
      if decision.step == .rollBack { alarms += 1 }
    }
    // 2.5 % of 4000 are 100; 6 standard deviations are 60.
    #expect((40...160).contains(alarms), "\(alarms)")
  }

  // MARK: Values

  @Test(
    "Stages that are not possible are refused by number",
    arguments: [
      ([], "a plan has no stage"), ([(0, 1, 1)], "stage 1: its share is 0.0"),
      ([(0.5, 1, 1), (0.5, 1, 1)], "stage 2: its share is 0.5; it must be above 0.5"),
      ([(1.1, 1, 1)], "stage 1: its share is 1.1"), ([(.nan, 1, 1)], "stage 1: its share is nan"),
      ([(0.5, 0, 1)], "stage 1: it needs 0 trials"), ([(0.5, 1, 0)], "stage 1: it has no gate"),
    ] as [([(Double, Int, Int)], String)])
  func refused(stages: [(Double, Int, Int)], message: String) throws {
    let error = #expect(throws: ExperimentError.self) {
      _ = try RolloutPlan(
        stages: stages.map { share, trials, gates in
          Stage(
            share: share, minimumTrials: trials,
            gates: Array(repeating: .noRegression(of: "x"), count: gates))
        })
    }
    #expect(error.map { "\($0)".hasPrefix(message) } == true, "\(String(describing: error))")
  }

  @Test("Gates, significances and stages out of range are refused")
  func refusedValues() throws {
    for gate in [
      .share(of: "x", atLeast: 0), .share(of: "x", atLeast: 1.01), .share(of: "x", atLeast: .nan),
      .share(of: "", atLeast: 0.5), .noRegression(of: ""),
    ] as [RolloutPlan.Gate] {
      #expect(throws: ExperimentError.self) {
        _ = try RolloutPlan(stages: [Stage(share: 1, minimumTrials: 1, gates: [gate])])
      }
    }
    for level in [0, 1, -0.1, .nan, .infinity] {
      #expect(throws: ExperimentError.self) {
        _ = try RolloutPlan(stages: plan().stages, significance: level)
      }
    }
    for stage in [-1, 3, .max] {
      #expect(throws: ExperimentError.stageOutOfRange(stage, count: 3)) {
        _ = try plan().decision(at: stage, change: [:], control: [:])
      }
    }
  }

  @Test("A plan is the JSON of its documentation, and reads back")
  func json() throws {
    let text = """
      {"stages": [
        {"share": 0.05, "minimumTrials": 200, "gates": [{"measure": "precision", "atLeast": 0.9}]},
        {"share": 0.5, "minimumTrials": 500, "gates": [
          {"measure": "precision", "atLeast": 0.9}, {"measure": "recall", "noRegression": true}]},
        {"share": 1, "minimumTrials": 500, "gates": [{"measure": "precision", "atLeast": 0.9}]}
      ]}
      """
    let read = try JSONDecoder().decode(RolloutPlan.self, from: Data(text.utf8))
    #expect(read == (try plan()))
    let again = try JSONDecoder().decode(RolloutPlan.self, from: JSONEncoder().encode(read))
    #expect(again == read)
  }

  @Test(
    "JSON that is not a plan is refused",
    arguments: [
      "{}", "[]", #"{"stages": []}"#, #"{"stages": [{"share": 1}]}"#,
      #"{"stages": [{"share": 2, "minimumTrials": 1, "gates": [{"measure": "x", "atLeast": 1}]}]}"#,
      #"{"stages": [{"share": 1, "minimumTrials": 1, "gates": [{"measure": "x"}]}]}"#,
      #"{"stages": [{"share": 1, "minimumTrials": 1, "gates": [{"measure": "x", "atLeast": 1, "#
        + #""noRegression": true}]}]}"#,
      #"{"stages": [{"share": 1, "minimumTrials": 1, "gates": [{"measure": "x", "#
        + #""noRegression": false}]}]}"#,
      #"{"significance": 0, "stages": [{"share": 1, "minimumTrials": 1, "gates": "#
        + #"[{"measure": "x", "atLeast": 1}]}]}"#,
    ])
  func otherJSON(text: String) {
    #expect(throws: DecodingError.self) {
      _ = try JSONDecoder().decode(RolloutPlan.self, from: Data(text.utf8))
    }
  }
}
