import Foundation

/// Threads that run the tasks of steps.
///
/// If all are busy, one more is started, up to a limit. Idle threads end after a while.
/// A Dispatch queue is too slow: on Linux it adds one thread per second if all are busy, which is
/// longer than most budgets.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class StepThreads: TaskExecutor, @unchecked Sendable {
  static let shared = StepThreads(limit: 64, idleSeconds: 5)

  /// More threads than any app recognizes things at the same time with; further steps wait, and end
  /// at their budgets.
  private let limit: Int
  private let idleSeconds: Double
  /// Guards everything below, and wakes threads that wait for jobs.
  private let condition = NSCondition()
  /// Jobs from `head` on.
  private var jobs: [UnownedJob] = []
  private var head = 0
  private var threads = 0
  private var idle = 0

  init(limit: Int, idleSeconds: Double) {
    self.limit = limit
    self.idleSeconds = idleSeconds
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.lock()
    jobs.append(job)
    // As many waiting jobs as waiting threads have one each.
    let needsThread = jobs.count - head > idle && threads < limit
    if needsThread { threads += 1 }
    condition.signal()
    condition.unlock()
    guard needsThread else { return }
    let thread = Thread { [self] in
      while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
    thread.name = "Tally.Recognition"
    thread.qualityOfService = .userInitiated
    thread.start()
  }

  /// The next job; nil if there was none for long enough that the thread may end.
  private func next() -> UnownedJob? {
    condition.lock()
    defer { condition.unlock() }
    let deadline = Date(timeIntervalSinceNow: idleSeconds)
    while head == jobs.count {
      idle += 1
      let isInTime = condition.wait(until: deadline)
      idle -= 1
      if !isInTime, head == jobs.count {
        threads -= 1
        return nil
      }
    }
    let job = jobs[head]
    head += 1
    // Amortized: each job is moved once at most.
    if head * 2 > jobs.count {
      jobs.removeFirst(head)
      head = 0
    }
    return job
  }
}
