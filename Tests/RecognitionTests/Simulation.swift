import Foundation
import Tracking

@testable import Recognition

/// A world with one thread, and time that passes only when nothing is left to do: tests of delays that take none, and
/// go the same way on every run.
final class Simulation: TaskExecutor, RecognitionClock, @unchecked Sendable {
  private let lock = NSLock()
  private var jobs: [UnownedJob] = []
  private var sleepers:
    [(id: Int, wake: FrameTime, continuation: CheckedContinuation<Void, any Error>)] = []
  private var cancelled: Set<Int> = []
  private var nextID = 0
  private var time = FrameTime.milliseconds(1_000_000)

  /// Starts the tasks of a router in this world.
  var launcher: TaskLauncher {
    let start: @Sendable (@escaping TaskLauncher.Body) -> Task<Void, Never> = { body in
      Task(executorPreference: self) { await body() }
    }
    return TaskLauncher(launch: start, watch: start)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lock.withLock { jobs.append(job) }
  }

  func now() -> FrameTime { lock.withLock { time } }

  func sleep(until wake: FrameTime) async throws {
    let id = lock.withLock {
      nextID += 1
      return nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = lock.withLock {
          if cancelled.contains(id) || wake <= time { return true }
          sleepers.append((id, wake, continuation))
          return false
        }
        if isOver {
          let isCancelled = lock.withLock { cancelled.contains(id) }
          continuation.resume(with: isCancelled ? .failure(CancellationError()) : .success(()))
        }
      }
    } onCancel: {
      let sleeper = lock.withLock {
        cancelled.insert(id)
        return sleepers.firstIndex { $0.id == id }.map { sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Runs a task until it is done, and then all that it has left behind and can still be run at the same
  /// moment; nil where it waits for what never comes.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) -> Result<Value, any Error>? {
    let result = Slot<Result<Value, any Error>>()
    let task = Task(executorPreference: self) {
      do { result.value = .success(try await body()) } catch { result.value = .failure(error) }
    }
    defer { task.cancel() }
    while true {
      while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if result.value != nil || !wakeNext() { return result.value }
    }
  }

  /// How many tasks sleep.
  var sleeperCount: Int { lock.withLock { sleepers.count } }

  private func nextJob() -> UnownedJob? {
    lock.withLock { jobs.isEmpty ? nil : jobs.removeFirst() }
  }

  /// Lets time pass to the next moment at which anything happens.
  private func wakeNext() -> Bool {
    let due = lock.withLock {
      guard let next = sleepers.map(\.wake).min() else {
        return [] as [CheckedContinuation<Void, any Error>]
      }
      time = next
      let due = sleepers.filter { $0.wake == next }.map(\.continuation)
      sleepers.removeAll { $0.wake == next }
      return due
    }
    for one in due { one.resume() }
    return !due.isEmpty
  }
}

/// A value that tasks share.
final class Slot<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value?

  var value: Value? {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}

/// Lines that tasks write.
final class Log: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: [String] = []

  func add(_ line: String) { lock.withLock { stored.append(line) } }
  var lines: [String] { lock.withLock { stored } }
}
