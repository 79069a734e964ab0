/// Starts the tasks of steps, and those that watch over their budgets.
struct TaskLauncher: Sendable {
  typealias Body = @Sendable () async -> Void

  /// Starts a step.
  let launch: @Sendable (@escaping Body) -> Task<Void, Never>
  /// Starts what waits for the end of a budget.
  let watch: @Sendable (@escaping Body) -> Task<Void, Never>

  /// Starts steps on threads of their own where the system lets tasks choose, elsewhere on those that all
  /// tasks share.
  ///
  /// Those are as few as the machine has cores. A step that computes without a pause, or that hangs, would
  /// hold one of them, and a few of those everything, the router that is to give them up included.
  static let own: TaskLauncher = {
    let shared: @Sendable (@escaping Body) -> Task<Void, Never> = { body in Task { await body() } }
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return TaskLauncher(
        launch: { body in Task(executorPreference: StepThreads.shared) { await body() } },
        watch: shared)
    }
    return TaskLauncher(launch: shared, watch: shared)
  }()
}
