import Dispatch
import Foundation
import Testing

@testable import AppleVision

/// What several threads write down.
private final class Notes: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func add(_ line: String) { lock.withLock { lines.append(line) } }
  var all: [String] { lock.withLock { lines } }
}

private struct Broken: Error {}

@Suite("Calls that block a thread", .timeLimit(.minutes(15)))
struct BlockingQueueTests {
  private let queue = BlockingQueue(label: "tests")

  @Test("Work answers, and its error comes through")
  func answers() async throws {
    #expect(try await queue.run { _ in 7 } == 7)
    await #expect(throws: Broken.self) { try await queue.run { _ in throw Broken() } }
  }

  @Test("Work runs one after the other")
  func serial() async throws {
    let notes = Notes()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          try await queue.run { _ in
            notes.add("begin \(number)")
            Thread.sleep(forTimeInterval: 0.002)
            notes.add("end \(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    let lines = notes.all
    #expect(lines.count == 16)
    for pair in stride(from: 0, to: lines.count - 1, by: 2) {
      #expect(lines[pair].dropFirst(6) == lines[pair + 1].dropFirst(4))
    }
  }

  @Test("A cancelled task stops its request, and the request's own error is not the answer")
  func stops() async {
    let hasBegun = DispatchSemaphore(value: 0)
    let stopped = DispatchSemaphore(value: 0)
    let notes = Notes()
    let task = Task {
      try await queue.run { interruption in
        try interruption.stopping(by: {
          notes.add("stop")
          stopped.signal()
        }) {
          hasBegun.signal()
          stopped.wait()
          throw Broken()
        }
      }
    }
    await waiting(for: hasBegun)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(notes.all == ["stop"])
  }

  @Test("What a cancelled task was answered all the same is thrown away")
  func late() async {
    let hasBegun = DispatchSemaphore(value: 0)
    let isCancelled = DispatchSemaphore(value: 0)
    let task = Task {
      try await queue.run { _ in
        hasBegun.signal()
        isCancelled.wait()
        return 7
      }
    }
    await waiting(for: hasBegun)
    task.cancel()
    isCancelled.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Work that waits is not begun if its task is cancelled")
  func waitingWork() async {
    let hasBegun = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    let notes = Notes()
    let first = Task {
      try await queue.run { _ in
        hasBegun.signal()
        mayEnd.wait()
      }
    }
    await waiting(for: hasBegun)
    let second = Task { try await queue.run { _ in notes.add("second") } }
    second.cancel()
    mayEnd.signal()
    await #expect(throws: CancellationError.self) { try await second.value }
    await #expect(throws: Never.self) { try await first.value }
    #expect(notes.all == [])
  }

  @Test("An interruption before the request begins keeps it from beginning")
  func interruptedBefore() {
    let interruption = Interruption()
    interruption.set()
    let notes = Notes()
    #expect(throws: CancellationError.self) {
      try interruption.stopping(by: { notes.add("stop") }) { notes.add("body") }
    }
    #expect(notes.all == [])
  }

  @Test("An interruption after the request stops nothing")
  func interruptedAfter() throws {
    let interruption = Interruption()
    let notes = Notes()
    try interruption.stopping(by: { notes.add("stop") }) { notes.add("body") }
    interruption.set()
    #expect(notes.all == ["body"])
    #expect(throws: CancellationError.self) { try interruption.check() }
  }

  /// Waits in a thread that is not one of Swift's pool.
  private func waiting(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        semaphore.wait()
        continuation.resume()
      }
    }
  }
}
