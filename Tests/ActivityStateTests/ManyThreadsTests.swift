import ActivityState
import Foundation
import Observation
import TestSupport
import Testing

@Suite("Many tasks use one activity")
struct ManyThreadsTests {
  @Test("No call is lost, never are two runs at work, and no run shows another's value")
  func hammer() async {
    let activity = Activity<Int, Int>()
    let gate = activity.gate
    let (atWork, wrong) = (Tally(), Tally())
    /// A run of a few steps with the gate between.
    @Sendable func start(_ value: Int) {
      activity.start { progress in
        atWork.add(1)
        defer { atWork.add(-1) }
        for step in 0..<3 {
          try await gate.pass()
          progress(value * 10 + step)
        }
        if value % 7 == 0 { throw Mishap() }
        return value
      }
    }
    let reader = Task {
      for await snapshot in activity.snapshots {
        if let value = snapshot.value, snapshot.progress.map({ $0 / 10 }) != value { wrong.add(1) }
        if snapshot.value == -1 { return }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(task))
          for _ in 0..<200 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: start(Int.random(in: 1..<1000, using: &random))
            case 2: activity.cancel()
            case 3: activity.pause()
            case 4, 5: activity.resume()
            case 6: activity.retry()
            default:
              let snapshot = activity.snapshot
              if snapshot.canPause, snapshot.canResume { wrong.add(1) }
            }
            if Bool.random(using: &random) { await Task.yield() }
          }
        }
      }
    }
    start(5)
    let end = await activity.first { $0.value == 5 }
    #expect(end.progress == 52 && !gate.isPaused)
    #expect(atWork.largest == 1 && wrong.value == 0)
    activity.start { progress in
      progress(-10)
      return -1
    }
    await reader.value
  }

  @Test("A gate that opens and closes all the time loses nobody")
  func gate() async throws {
    let gate = PauseGate()
    let passed = Tally()
    let switching = Task {
      while !Task.isCancelled {
        gate.pause()
        await Task.yield()
        gate.resume()
        // A task that is let through looks at the gate once more, so the gate stays open for a moment.
        await Task.yield()
      }
      gate.resume()
    }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        group.addTask {
          let task = Task {
            try await gate.pass()
            passed.add(1)
          }
          if index % 4 == 0 { task.cancel() }
          if case .failure(let error) = await task.result, error is CancellationError {
            passed.add(1)
          }
        }
      }
    }
    #expect(passed.value == 100)
    switching.cancel()
    await switching.value
  }

  @Test("A cancellation at any moment ends the waiting at a gate that stays closed")
  func cancelledOnTheWay() async {
    let gate = PauseGate()
    gate.pause()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          let task = Task { try await gate.pass() }
          // Some are cancelled before they come to the gate, some on their way, some as they wait.
          for _ in 0..<index % 40 { _ = gate.isPaused }
          task.cancel()
          await #expect(throws: CancellationError.self) { try await task.value }
        }
      }
    }
  }

  @Test("An observer on the main thread is told after each change")
  @available(macOS 14, iOS 17, *)
  @MainActor
  func observed() async {
    let activity = Activity<Int, Int>()
    #expect(activity as any Observable is Activity<Int, Int>)
    let (steps, step) = AsyncStream.makeStream(of: Void.self)
    let observer = MainObserver(activity)
    observer.observe()
    activity.start { progress in
      var number = 0
      for await _ in steps {
        progress(number)
        number += 1
      }
      return -1
    }
    #expect(observer.told == 1 && observer.seen == "1 nil nil", "on this thread it is told at once")
    for number in 0..<50 {
      step.yield()
      await observer.wait(for: "1 \(number) nil")
    }
    step.finish()
    await observer.wait(for: "1 49 -1")
    #expect(observer.told == 52, "the start, each progress and the end")
  }

  @Test("A change while an observer on the main thread is reading is not lost")
  @available(macOS 14, iOS 17, *)
  @MainActor
  func changedWhileRead() async {
    let activity = Activity<Int, Int>()
    let observer = MainObserver(activity)
    // The change is made when the snapshot has been read, and before Observation watches it.
    observer.afterReading = {
      let changed = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        activity.start { _ in 7 }
        changed.signal()
      }
      changed.wait()
    }
    observer.observe()
    #expect(observer.seen == "0 nil nil")
    await observer.wait(for: "1 nil 7")
  }
}

/// Reads an activity on the main thread, as a view does, and reads it again when it is told of a change.
@available(macOS 14, iOS 17, *)
@MainActor
private final class MainObserver {
  private(set) var seen = ""
  private(set) var told = 0
  /// What happens once, in the middle of the next reading.
  var afterReading: (() -> Void)?
  private let activity: Activity<Int, Int>
  private let (readings, reading) = AsyncStream.makeStream(of: String.self)

  init(_ activity: Activity<Int, Int>) { self.activity = activity }

  func observe() {
    seen = withObservationTracking {
      let snapshot = activity.snapshot
      afterReading?()
      return [snapshot.run, snapshot.progress, snapshot.value]
        .map { $0.map(String.init) ?? "nil" }.joined(separator: " ")
    } onChange: {
      MainActor.assumeIsolated {
        self.told += 1
        self.observe()
      }
    }
    afterReading = nil
    reading.yield(seen)
  }

  /// Waits until it has seen these: the run, its progress and its value.
  func wait(for wanted: String) async {
    for await reading in readings where reading == wanted { return }
  }
}
