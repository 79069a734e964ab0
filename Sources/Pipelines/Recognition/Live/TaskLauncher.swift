import Dispatch

/// Starts the tasks of steps.
struct TaskLauncher: Sendable {
  let launch: @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>

  /// Starts tasks on threads of their own where the system lets tasks choose, elsewhere on those that
  /// all tasks share.
  ///
  /// Those are as few as the machine has cores. A step that computes without a pause, or that hangs, would
  /// hold one of them, and a few of those everything, the router that is to give them up included.
  static let own: TaskLauncher = {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return TaskLauncher { body in
        Task(executorPreference: StepExecutor.shared) { await body() }
      }
    }
    return TaskLauncher { body in Task { await body() } }
  }()
}

/// Runs tasks on a queue whose threads grow with what blocks them.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class StepExecutor: TaskExecutor {
  static let shared = StepExecutor()

  private let queue = DispatchQueue(
    label: "Tally.Recognition", qos: .userInitiated, attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
