import Tracking
import VisionProtocols

/// One recognition on its way: starts steps and their budgets, takes in what comes of them, and
/// decides as soon as nothing that is still to come can change the answer.
struct RecognitionRun<Image: SizedImage> {
  let rules: RecognitionRules
  /// The step that recognized the object, with nothing before it still open.
  private(set) var winner: (step: RecognitionStep, object: RecognizedObject)?

  private let router: RecognitionRouter<Image>
  private let image: Image
  private let order = RecognitionStep.allCases
  private var states: [State]

  /// How far a step is.
  private enum State {
    case waiting
    case running(since: FrameTime, BoundedTask)
    case ended(RecognitionStepReport, RecognizedObject?)
  }

  /// What happens to a step.
  private enum Event: Sendable {
    case answered(Int, Result<StepAnswer, any Error>, at: FrameTime)
    case budgetOver(Int)
  }

  init(router: RecognitionRouter<Image>, image: Image) {
    self.router = router
    self.image = image
    rules = RecognitionRules(configuration: router.configuration)
    states = order.map { step in
      router.steps[step] != nil
        ? .waiting
        : .ended(
          RecognitionStepReport(
            step: step, outcome: .absent, answer: nil, confidence: nil, duration: nil), nil
        )
    }
  }

  /// What became of every step, in order; before the end, of those that have ended.
  var reports: [RecognitionStepReport] {
    states.compactMap { if case .ended(let report, _) = $0 { report } else { nil } }
  }

  /// Runs steps until the answer is certain.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  mutating func runSteps() async throws {
    let (events, sink) = AsyncStream<Event>.makeStream()
    defer {
      for index in states.indices { stop(index) }
      sink.finish()
    }
    var iterator = events.makeAsyncIterator()
    startDue(sink)
    while !isDecided {
      let event = await iterator.next()
      try Task.checkCancellation()
      guard let event else { throw CancellationError() }
      switch event {
      case .answered(let index, let answer, let time): take(answer, of: index, at: time)
      case .budgetOver(let index): giveUp(index)
      }
      decide()
      if winner == nil { startDue(sink) }
    }
    for index in states.indices { close(index) }
  }

  // MARK: Steps

  /// Starts every step that waits; one after the other, the next if none runs.
  private mutating func startDue(_ sink: AsyncStream<Event>.Continuation) {
    for index in states.indices {
      if case .running = states[index], !router.configuration.runsConcurrently { return }
      guard case .waiting = states[index], let body = router.steps[order[index]] else { continue }
      let (image, clock) = (image, router.clock)
      let since = clock.now()
      let task = BoundedTask(
        launcher: router.launcher, clock: clock,
        deadline: since + router.configuration.budget(of: order[index])
      ) {
        let answer: Result<StepAnswer, any Error>
        do { answer = .success(try await body(image)) } catch { answer = .failure(error) }
        sink.yield(.answered(index, answer, at: clock.now()))
      } late: {
        sink.yield(.budgetOver(index))
      }
      states[index] = .running(since: since, task)
      if !router.configuration.runsConcurrently { return }
    }
  }

  /// Takes in what a step answered in time.
  private mutating func take(
    _ answer: Result<StepAnswer, any Error>, of index: Int, at time: FrameTime
  ) {
    guard case .running(let since, let task) = states[index] else { return }
    task.cancel()
    let took = max(time - since, .zero)
    // The timer may come later than the answer that was too late.
    guard took < router.configuration.budget(of: order[index]) else {
      end(index, .timedOut, duration: took)
      return
    }
    switch answer {
    case .success(let answer):
      let verdict = rules.verdict(on: answer)
      end(
        index, verdict.outcome, answer: verdict.answer, confidence: verdict.confidence,
        duration: took, object: verdict.object)
    case .failure(let error as ModelNotLoadedError):
      end(index, .modelNotLoaded(model: error.model), duration: took)
    case .failure(let error):
      end(index, .failed(reason: "\(error)"), duration: took)
    }
  }

  /// Gives up a step whose budget is over.
  private mutating func giveUp(_ index: Int) {
    guard case .running(let since, let task) = states[index] else { return }
    task.cancel()
    end(index, .timedOut, duration: max(router.clock.now() - since, .zero))
  }

  /// Cancels a step, or never starts it.
  private mutating func close(_ index: Int) {
    switch states[index] {
    case .waiting: end(index, .notStarted, duration: nil)
    case .running(let since, let task):
      task.cancel()
      end(index, .cancelled, duration: max(router.clock.now() - since, .zero))
    case .ended: break
    }
  }

  /// Cancels a step that runs.
  private func stop(_ index: Int) {
    if case .running(_, let task) = states[index] { task.cancel() }
  }

  private mutating func end(
    _ index: Int, _ outcome: StepOutcome, answer: StepAnswer? = nil, confidence: Float? = nil,
    duration: FrameDuration?, object: RecognizedObject? = nil
  ) {
    let report = RecognitionStepReport(
      step: order[index], outcome: outcome, answer: answer, confidence: confidence,
      duration: duration)
    states[index] = .ended(report, object)
  }

  // MARK: Decision

  /// Closes the steps behind the first that recognized the object, and makes it the winner if all
  /// before it have ended.
  private mutating func decide() {
    guard let first = states.indices.first(where: { recognized($0) != nil }) else { return }
    for index in states.indices.dropFirst(first + 1) { close(index) }
    let isCertain = states[..<first].allSatisfy { if case .ended = $0 { true } else { false } }
    guard isCertain, let object = recognized(first) else { return }
    winner = (order[first], object)
    for index in states.indices.dropFirst(first + 1) {
      guard case .ended(let report, let object?) = states[index] else { continue }
      end(
        index, .outranked, answer: report.answer, confidence: report.confidence,
        duration: report.duration, object: object)
    }
  }

  private func recognized(_ index: Int) -> RecognizedObject? {
    if case .ended(_, let object) = states[index] { object } else { nil }
  }

  private var isDecided: Bool { winner != nil || reports.count == states.count }

  // MARK: Light

  /// The image's mean luma; nil without a meter, or if that fails or takes too long.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func meanLuma() async throws -> Double? {
    guard let light = router.light else { return nil }
    let (measured, sink) = AsyncStream<Double?>.makeStream()
    let image = image
    let task = BoundedTask(
      launcher: router.launcher, clock: router.clock,
      deadline: router.clock.now() + router.configuration.lightBudget
    ) {
      let luma = try? await light(image)
      sink.yield(luma.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil })
    } late: {
      sink.yield(nil)
    }
    defer { task.cancel() }
    var iterator = measured.makeAsyncIterator()
    let luma = await iterator.next()
    try Task.checkCancellation()
    return luma ?? nil
  }
}

/// Some work, and the action if it takes too long.
struct BoundedTask: Sendable {
  private let work: Task<Void, Never>
  private let timer: Task<Void, Never>

  /// Starts the work and its timer.
  init(
    launcher: TaskLauncher, clock: any RecognitionClock, deadline: FrameTime,
    work: @escaping @Sendable () async -> Void, late: @escaping @Sendable () -> Void
  ) {
    self.work = launcher.launch(work)
    timer = launcher.watch {
      guard (try? await clock.sleep(until: deadline)) != nil else { return }
      late()
    }
  }

  /// Ends both, as far as they heed it.
  func cancel() {
    work.cancel()
    timer.cancel()
  }
}
