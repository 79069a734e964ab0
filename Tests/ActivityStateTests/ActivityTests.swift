import ActivityState
import Foundation
import Testing

@Suite("What an activity shows")
struct ActivityTests {
  @Test("It is idle, runs with progress, and finishes with the value")
  func phases() async {
    let activity = Activity<Int, String>()
    #expect(activity.snapshot.name == "idle" && activity.snapshot.run == 0)
    let go = Signal()
    activity.start { progress in
      progress(1)
      await go.wait()
      progress(2)
      return "done"
    }
    #expect(activity.snapshot.name == "running" && activity.snapshot.run == 1)
    #expect(activity.snapshot.isActive && activity.snapshot.canPause)
    #expect(!activity.snapshot.canResume && !activity.snapshot.canRetry)
    let half = await activity.first { $0.progress != nil }
    #expect(half.name == "running" && half.progress == 1)
    go.fire()
    let end = await activity.settled()
    #expect(end.name == "finished" && end.value == "done" && end.progress == 2)
    #expect(!end.isActive && !end.canRetry && end.error == nil)
  }

  @Test("An error says whether another attempt may help, and a retry is such an attempt")
  func retry() async {
    let attempts = Tally()
    let activity = Activity<Int, Int>(canRetry: { ($0 as? Mishap)?.isLasting != true })
    activity.start { progress in
      let attempt = attempts.add(1)
      progress(attempt)
      if attempt < 3 { throw Mishap() }
      return attempt
    }
    var failed = await activity.settled()
    #expect(failed.error as? Mishap == Mishap() && failed.canRetry && failed.progress == 1)
    activity.retry()
    failed = await activity.settled()
    #expect(failed.run == 2 && failed.canRetry && failed.progress == 2)
    activity.retry()
    #expect(await activity.settled().value == 3)

    activity.retry()  // There is nothing to do again.
    #expect(activity.snapshot.value == 3 && activity.snapshot.run == 3)

    activity.start { _ in throw Mishap(isLasting: true) }
    failed = await activity.settled()
    #expect(failed.name == "failed" && !failed.canRetry)
    activity.retry()
    #expect(activity.snapshot.run == 4 && activity.snapshot.name == "failed")
  }

  @Test("A cancelled run can be tried again")
  func retryAfterCancelling() async {
    let attempts = Tally()
    let activity = Activity<Int, Int>()
    let begun = Signal()
    activity.start { _ in
      begun.fire()
      if attempts.add(1) == 1 { try await Task.sleep(nanoseconds: 60_000_000_000) }
      return 7
    }
    await begun.wait()
    activity.cancel()
    #expect(activity.snapshot.name == "cancelled" && activity.snapshot.canRetry)
    activity.retry()
    let end = await activity.settled()
    #expect(end.value == 7 && end.run == 2)
  }

  @Test("A run that cancels itself has failed")
  func ownCancellation() async {
    let activity = Activity<Int, Int>()
    activity.start { _ in throw CancellationError() }
    let end = await activity.settled()
    #expect(end.name == "failed" && end.error is CancellationError && end.canRetry)
  }

  @Test("Nothing of a cancelled run shows any more, however late it ends")
  func late() async {
    let activity = Activity<Int, Int>()
    let (begun, go, ended) = (Signal(), Signal(), Signal())
    activity.start { progress in
      progress(1)
      begun.fire()
      await go.wait()
      progress(2)
      ended.fire()
      return 3
    }
    await begun.wait()
    activity.cancel()
    go.fire()
    await ended.wait()
    for _ in 0..<100 { await Task.yield() }
    #expect(activity.snapshot.name == "cancelled" && activity.snapshot.progress == 1)
    // A second run begins when the first has returned.
    let second = Signal()
    activity.start { _ in
      second.fire()
      return 4
    }
    await second.wait()
    let end = await activity.settled()
    #expect(end.run == 2 && end.value == 4 && end.progress == nil)
  }

  @Test("A start replaces the run before: it is cancelled, and the newest of several follows")
  func replaced() async {
    let activity = Activity<Int, Int>()
    let (begun, go, wasCancelled) = (Signal(), Signal(), Tally())
    let ran = Tally()
    activity.start { _ in
      begun.fire()
      await go.wait()
      if Task.isCancelled { wasCancelled.add(1) }
      return 1
    }
    await begun.wait()
    for value in [10, 100, 1000] {
      activity.start { _ in
        ran.add(value)
        return value
      }
    }
    #expect(activity.snapshot.run == 4 && activity.snapshot.name == "running")
    #expect(ran.value == 0)  // The first has not returned.
    go.fire()
    #expect(await activity.settled().value == 1000)
    #expect(wasCancelled.value == 1 && ran.value == 1000)
  }

  @Test("A start that was cancelled before its turn never runs")
  func cancelledBeforeItsTurn() async {
    let activity = Activity<Int, Int>()
    let (begun, go, ended) = (Signal(), Signal(), Signal())
    let ran = Tally()
    activity.start { _ in
      begun.fire()
      await go.wait()
      defer { ended.fire() }
      return 1
    }
    await begun.wait()
    activity.start { _ in ran.add(1) }
    activity.cancel()
    go.fire()
    await ended.wait()
    activity.start { _ in 5 }
    #expect(await activity.settled().value == 5)
    #expect(ran.value == 0)
  }

  @Test("A reset forgets the value, and what a run is busy with")
  func reset() async {
    let activity = Activity<Int, Int>()
    activity.start { progress in
      progress(1)
      return 2
    }
    _ = await activity.settled()
    activity.reset()
    #expect(activity.snapshot.name == "idle" && activity.snapshot.value == nil)
    #expect(activity.snapshot.progress == nil && !activity.snapshot.canRetry)

    let cancelled = Signal()
    activity.start { _ in
      await withTaskCancellationHandler {
        await cancelled.wait()
        return 3
      } onCancel: {
        cancelled.fire()
      }
    }
    activity.reset()
    await cancelled.wait()
    #expect(activity.snapshot.name == "idle")
  }

  @Test("The streams begin with the present snapshot, and each reader gets the last one")
  func streams() async {
    let activity = Activity<Int, Int>()
    activity.start { progress in
      for number in 0..<1000 { progress(number) }
      return 1
    }
    await withTaskGroup(of: (Int, Bool).self) { group in
      for _ in 0..<4 {
        group.addTask {
          var (last, isOrdered) = (-1, true)
          for await snapshot in activity.snapshots {
            if let progress = snapshot.progress {
              isOrdered = isOrdered && progress >= last
              last = progress
            }
            if !snapshot.isActive { break }
          }
          return (last, isOrdered)
        }
      }
      for await (last, isOrdered) in group { #expect(last == 999 && isOrdered) }
    }
    var late = activity.snapshots.makeAsyncIterator()
    #expect(await late.next()?.value == 1)
  }

  @Test("An activity that nobody holds cancels its run and ends its streams")
  func released() async {
    let (begun, cancelled) = (Signal(), Signal())
    var activity: Activity<Int, Int>? = Activity()
    let stream = activity?.snapshots
    activity?.start { _ in
      begun.fire()
      return await withTaskCancellationHandler {
        await cancelled.wait()
        return 1
      } onCancel: {
        cancelled.fire()
      }
    }
    await begun.wait()
    activity = nil
    await cancelled.wait()
    var last: Substring?
    if let stream { for await snapshot in stream { last = snapshot.name } }
    #expect(last == "running")
  }

  @Test("Handlers of a cancellation may call the activity")
  func calledBack() async {
    let activity = Activity<Int, Int>()
    let begun = Signal()
    activity.start { _ in
      try await withTaskCancellationHandler {
        begun.fire()
        try await Task.sleep(nanoseconds: 60_000_000_000)
        return 1
      } onCancel: {
        activity.reset()
      }
    }
    await begun.wait()
    activity.cancel()
    #expect(activity.snapshot.name == "idle")
  }

  @Test("Each phase has a text, a key for its translation, and all but idle a symbol")
  func texts() {
    let phases: [Activity<Int, Int>.Phase] = [
      .idle, .running, .paused, .finished(1), .failed(Mishap(), canRetry: true), .cancelled,
    ]
    #expect(
      phases.map(\.englishText) == ["Ready", "Working", "Paused", "Done", "Failed", "Cancelled"])
    #expect(Set(phases.map(\.textKey)).count == phases.count)
    #expect(phases.allSatisfy { $0.textKey.hasPrefix("activity.") })
    #expect(phases.map { $0.symbolName == nil } == [true] + Array(repeating: false, count: 5))
  }
}
