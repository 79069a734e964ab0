import Dispatch
import VisionProtocols

/// The running account of one count: the clock, the steps, the progress.
struct CountingRun {
  let progress: (@Sendable (CountingProgress) -> Void)?
  let survivors: SurvivorObserver?
  private(set) var steps: [CountingStepReport] = []
  private(set) var seconds = CountingSeconds()
  /// The notes for a trace; nil if no trace is needed.
  var notes: TraceNotes?
  private var stage: CountingStage?
  private var entered = DispatchTime.now()

  init(
    progress: (@Sendable (CountingProgress) -> Void)?, survivors: SurvivorObserver?,
    isTraced: Bool = false
  ) {
    self.progress = progress
    self.survivors = survivors
    notes = isTraced ? TraceNotes() : nil
  }

  /// Closes the stage before and opens the next, unless the task was cancelled.
  mutating func enter(_ next: CountingStage) throws {
    try Task.checkCancellation()
    close()
    stage = next
    report(next, part: 0)
  }

  /// Closes the last stage.
  mutating func finish() {
    close()
    report(.done, part: 0)
  }

  /// Takes down what a step let through, and which detections are left after it.
  mutating func record<Items>(
    _ step: CountingStep, _ output: StageOutput<Items>,
    leaving detections: @autoclosure () -> [Detection]
  ) {
    record(
      CountingStepReport(step: step, itemsIn: output.itemsIn, itemsOut: output.itemsOut),
      leaving: detections())
  }

  /// Takes down a step.
  mutating func record(
    _ report: CountingStepReport, leaving detections: @autoclosure () -> [Detection]
  ) {
    steps.append(report)
    guard survivors != nil || notes != nil else { return }
    let left = detections()
    survivors?(report.step, left)
    notes?.note(report.step, left: left)
  }

  /// Reports how much of a stage is done, `part` in 0...1.
  func report(_ stage: CountingStage, part: Double) {
    guard let progress else { return }
    let all = CountingStage.allCases
    let end = all.firstIndex(of: stage).map { all[min($0 + 1, all.count - 1)].start } ?? 1
    progress(
      CountingProgress(stage: stage, fraction: stage.start + (end - stage.start) * part))
  }

  private mutating func close() {
    let now = DispatchTime.now()
    let elapsed = Double(now.uptimeNanoseconds &- entered.uptimeNanoseconds) / 1e9
    entered = now
    switch stage {
    case .detecting: seconds.detecting = elapsed
    case .filtering: seconds.filtering = elapsed
    case .embedding: seconds.embedding = elapsed
    case .clustering: seconds.clustering = elapsed
    case .merging: seconds.merging = elapsed
    case .done, nil: return
    }
    seconds.total += elapsed
  }
}
