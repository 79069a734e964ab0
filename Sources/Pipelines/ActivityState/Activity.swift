import Foundation

/// A count, a scan or a recognition that a view starts, watches and stops.
///
/// ```swift
/// let activity = Activity<CountingProgress, CountingResult>()
/// activity.start { progress in try await counter.count(in: photo, progress: progress) }
/// Task {
///   for await snapshot in activity.snapshots {
///     switch snapshot.phase {
///     case .running, .paused: print(snapshot.progress?.fraction ?? 0)
///     case .finished(let result): print(result.count)
///     case .failed(let error, let canRetry): print(error, canRetry)
///     case .idle, .cancelled: break
///     }
///   }
/// }
/// ```
///
/// A view that can observe reads ``snapshot`` itself: an activity is `Observable` on all systems that
/// have Observation. It tells its observers on the main thread, where SwiftUI draws. All calls
/// return at once, and the snapshot has changed when they return. Any thread may make them.
///
/// **One run at a time.** A start replaces the run before, so the newest wins, as with a slider. The
/// run before is cancelled, and nothing of it shows any more, however late it ends. The new
/// operation begins when the one before has returned, so there are never two at work. If more
/// starts come meanwhile, only the newest one is run.
///
/// **Pausing** is by the ``gate``. What waits there, such as the ``Pausable`` models of a counter,
/// stops at its next call. An operation that never comes to the gate goes on, and its result shows
/// as usual.
///
/// An activity that is no longer held cancels its run and ends its snapshots. So an operation should
/// not hold the activity; its progress function does not.
public final class Activity<Progress: Sendable, Value: Sendable>: @unchecked Sendable {
  // Every access to `state` holds the lock.

  /// The work of a run; it passes its progress to the function that it gets.
  public typealias Operation =
    @Sendable (_ progress: @escaping @Sendable (Progress) -> Void) async throws -> Value

  /// The gate at which the work of a run waits while it is paused.
  ///
  /// Pause and resume with the activity, so that its phase says so.
  public let gate = PauseGate()

  private let isRetryable: @Sendable (any Error) -> Bool
  private let lock = NSLock()
  private var state = State()
  private let observers = ActivityObservers()

  private struct State {
    var snapshot = Snapshot(run: 0, phase: .idle, progress: nil)
    /// What a retry does; nil if there is nothing to do again.
    var operation: Operation?
    /// The run at work, also after its cancellation.
    var task: Task<Void, Never>?
    /// Whether the newest run waits for the one at work to return.
    var isNextWaiting = false
    var streams: [Int: AsyncStream<Snapshot>.Continuation] = [:]
    var nextStream = 0
    /// Whether the main thread will tell the observers, of this change too.
    var isTellingDue = false
  }

  /// Makes an idle activity.
  ///
  /// - Parameter canRetry: whether another attempt may help after an error. A wrong configuration
  ///   fails again, for example. All errors may by default.
  public init(canRetry: @escaping @Sendable (any Error) -> Bool = { _ in true }) {
    isRetryable = canRetry
  }

  deinit {
    state.task?.cancel()
    for stream in state.streams.values { stream.finish() }
  }

  // MARK: What a view shows

  /// What to show now.
  public var snapshot: Snapshot {
    observers.access(self)
    return lock.withLock { state.snapshot }
  }

  /// The present snapshot, then each that follows.
  ///
  /// A slow reader gets the newest only. Each access makes a stream of its own, which ends with the
  /// activity.
  public var snapshots: AsyncStream<Snapshot> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { stream in
      let id = lock.withLock {
        state.nextStream += 1
        state.streams[state.nextStream] = stream
        stream.yield(state.snapshot)
        return state.nextStream
      }
      stream.onTermination = { [weak self] _ in
        self?.lock.withLock { _ = self?.state.streams.removeValue(forKey: id) }
      }
    }
  }

  // MARK: What a person does

  /// Runs an operation; a run that is on its way is cancelled and replaced.
  ///
  /// The operation is kept for ``retry()`` until it finishes.
  public func start(_ operation: @escaping Operation) {
    change { state in
      state.operation = operation
      begin(&state)
      return true
    }
  }

  /// Runs the same operation again, from its beginning, after a failure or a cancellation.
  ///
  /// It does nothing if ``Snapshot/canRetry`` is false.
  public func retry() {
    change { state in
      guard state.snapshot.canRetry else { return false }
      begin(&state)
      return true
    }
  }

  /// Cancels the run; it does nothing if none is on its way.
  public func cancel() {
    change { state in
      guard state.snapshot.isActive else { return false }
      stop(&state)
      state.snapshot.phase = .cancelled
      return true
    }
  }

  /// Cancels the run if one is on its way, and forgets value, error, progress and operation.
  public func reset() {
    change { state in
      stop(&state)
      state.operation = nil
      state.snapshot.phase = .idle
      state.snapshot.progress = nil
      return true
    }
  }

  /// Closes the gate; it does nothing unless the activity is running.
  public func pause() {
    change { state in
      guard state.snapshot.canPause else { return false }
      gate.pause()
      state.snapshot.phase = .paused
      return true
    }
  }

  /// Opens the gate; it does nothing unless the activity is paused.
  public func resume() {
    change { state in
      guard state.snapshot.canResume else { return false }
      gate.resume()
      state.snapshot.phase = .running
      return true
    }
  }

  // MARK: Runs

  /// Changes the state, shows it, and cancels the run that has no place in it any more.
  ///
  /// - Parameter body: makes the change, and answers whether there is one to show.
  private func change(_ body: (inout State) -> Bool) {
    let (before, abandoned, isChanged) = lock.withLock {
      let before = state
      let isChanged = body(&state)
      if isChanged {
        for stream in state.streams.values { stream.yield(state.snapshot) }
      }
      let isOver = before.snapshot.run != state.snapshot.run || !state.snapshot.isActive
      return (before, before.snapshot.isActive && isOver ? state.task : nil, isChanged)
    }
    // What a cancellation calls, and what ends with an old value or operation, may call the
    // activity, so it has to wait until the lock is open.
    abandoned?.cancel()
    withExtendedLifetime(before) {}
    if isChanged, observers.mayExist { tellObservers() }
  }

  /// Tells the observers on the main thread, where SwiftUI reads.
  ///
  /// Observation begins to watch what a view read when the view has read all. If another thread told
  /// of a change before that, nobody would hear it, and the view would never show the change.
  private func tellObservers() {
    if MainQueue.isCurrent {
      MainActor.assumeIsolated { observers.notify(self) }
      return
    }
    let isFirst = lock.withLock {
      defer { state.isTellingDue = true }
      return !state.isTellingDue
    }
    guard isFirst else { return }
    Task { @MainActor [weak self] in
      guard let self else { return }
      lock.withLock { state.isTellingDue = false }
      observers.notify(self)
    }
  }

  /// Begins the next run, at once or when the one at work has returned.
  private func begin(_ state: inout State) {
    state.snapshot = Snapshot(run: state.snapshot.run + 1, phase: .running, progress: nil)
    gate.resume()
    if state.task == nil {
      launch(&state)
    } else {
      state.isNextWaiting = true
    }
  }

  private func launch(_ state: inout State) {
    guard let operation = state.operation else { return }
    let run = state.snapshot.run
    state.task = Task { [weak self] in
      let result: Result<Value, any Error>
      do {
        result = .success(try await operation { [weak self] in self?.report($0, of: run) })
      } catch {
        result = .failure(error)
      }
      self?.end(run, with: result)
    }
  }

  /// Lets what waits at the gate end, and no run follow.
  private func stop(_ state: inout State) {
    state.isNextWaiting = false
    gate.resume()
  }

  private func report(_ progress: Progress, of run: Int) {
    change { state in
      guard run == state.snapshot.run, state.snapshot.isActive else { return false }
      state.snapshot.progress = progress
      return true
    }
  }

  private func end(_ run: Int, with result: Result<Value, any Error>) {
    let phase: Phase =
      switch result {
      case .success(let value): .finished(value)
      case .failure(let error): .failed(error, canRetry: isRetryable(error))
      }
    change { state in
      state.task = nil
      if state.isNextWaiting {
        state.isNextWaiting = false
        launch(&state)
        return false
      }
      guard run == state.snapshot.run, state.snapshot.isActive else { return false }
      gate.resume()
      state.snapshot.phase = phase
      if !state.snapshot.canRetry { state.operation = nil }
      return true
    }
  }
}
