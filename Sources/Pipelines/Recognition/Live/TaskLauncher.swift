/// Starts the tasks of steps, and those that watch over their budgets.
struct TaskLauncher: Sendable {
  typealias Body = @Sendable () async -> Void

  /// Starts a step.
  let launch: @Sendable (@escaping Body) -> Task<Void, Never>
  /// Starts what waits for the end of a budget.
  let watch: @Sendable (@escaping Body) -> Task<Void, Never>

  /// Starts steps on their own threads if the system supports it, otherwise on the shared threads
  /// of tasks.
  ///
  /// There is only one shared thread per core. A step that computes without a pause, or hangs,
  /// would block one of them, and a few such steps would block everything, including the router.
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
