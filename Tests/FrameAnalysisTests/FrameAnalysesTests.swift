import Foundation
import FrameAnalysis
import Testing

/// A frame that tells whether anyone still holds it.
private final class Frame: Sendable {
  let number: Int
  private let living: Living

  init(_ number: Int, _ living: Living) {
    self.number = number
    self.living = living
    living.add(number)
  }

  deinit { living.remove(number) }
}

/// The frames that someone holds, and the most there were at a time.
private final class Living: @unchecked Sendable {
  private let lock = NSLock()
  private var numbers: Set<Int> = []
  private var most = 0

  func add(_ number: Int) {
    lock.withLock {
      numbers.insert(number)
      most = max(most, numbers.count)
    }
  }

  func remove(_ number: Int) { lock.withLock { _ = numbers.remove(number) } }
  var current: Set<Int> { lock.withLock { numbers } }
  var maximum: Int { lock.withLock { most } }
}

private struct Broken: Error, Equatable {
  let number: Int
}

@Suite("Analyses of the newest frames")
struct FrameAnalysesTests {
  /// Waits for something that another task is about to bring about.
  private func eventually(_ condition: () async -> Bool) async -> Bool {
    for _ in 0..<200_000 {
      if await condition() { return true }
      await Task.yield()
    }
    return await condition()
  }

  @Test("Frames that come one by one are all analysed, in order")
  func oneByOne() async throws {
    let (frames, camera) = AsyncStream<Int>.makeStream()
    var results = frames.analyses { $0 * 2 }.makeAsyncIterator()
    for number in 0..<20 {
      camera.yield(number)
      #expect(try await results.next()?.get() == number * 2)
    }
    camera.finish()
    #expect(await results.next() == nil)
    #expect(await results.next() == nil)
  }

  @Test("While a frame is analysed the newest waits, and all others are dropped")
  func newestReplaces() async throws {
    let burst = Burst()
    let analyses = burst.frames.analyses { number in
      await burst.analyzes(number)
      return number
    }
    let task = Task {
      var numbers: [Int] = []
      for await result in analyses { numbers.append(try result.get()) }
      return numbers
    }
    await burst.release()
    #expect(try await task.value == [0, 50])
  }

  @Test("A slow consumer gets the newest frame each time, and nothing piles up")
  func slowConsumer() async throws {
    let living = Living()
    let produced = Numbers()
    // Made on demand, so that only this sequence can hold frames.
    let frames = AsyncStream<Frame>(unfolding: {
      let number = produced.values.count
      if number == 5000 { return nil }
      produced.add(number)
      await Task.yield()
      return Frame(number, living)
    })
    var last = -1
    var count = 0
    for await result in frames.analyses(analyze: { $0.number }) {
      let number = try result.get()
      #expect(number > last)
      (last, count) = (number, count + 1)
      for _ in 0..<20 { await Task.yield() }
    }
    #expect(last == 4999)
    #expect(count >= 1 && count <= 5000)
    // One in analysis, one that waits, one on its way, and one just being let go of.
    #expect(living.maximum <= 4)
    #expect(await eventually { living.current.isEmpty })
  }

  @Test("A frame is let go of when its analysis ends, while its result lives on")
  func retention() async throws {
    let living = Living()
    let (frames, camera) = AsyncStream<Frame>.makeStream()
    var results = frames.analyses { $0.number }.makeAsyncIterator()
    var kept: [Result<Int, any Error>] = []
    for number in 0..<10 {
      camera.yield(Frame(number, living))
      kept.append(try #require(await results.next()))
      #expect(await eventually { living.current.isEmpty })
    }
    #expect(try kept.map { try $0.get() } == Array(0..<10))
  }

  @Test("A frame's error is its result, and the next frame follows")
  func frameErrors() async throws {
    let (frames, camera) = AsyncStream<Int>.makeStream()
    var results = frames.analyses { number in
      if !number.isMultiple(of: 2) { throw Broken(number: number) }
      return number
    }.makeAsyncIterator()
    for number in 0..<6 {
      camera.yield(number)
      let result = try #require(await results.next())
      if number.isMultiple(of: 2) {
        #expect(try result.get() == number)
      } else {
        #expect(throws: Broken(number: number)) { try result.get() }
      }
    }
  }

  @Test("An error of the frames themselves is the last result, after the frame that waits")
  func sourceErrors() async throws {
    let (frames, camera) = AsyncThrowingStream<Int, any Error>.makeStream()
    var results = frames.analyses { $0 }.makeAsyncIterator()
    camera.yield(1)
    camera.finish(throwing: Broken(number: -1))
    #expect(try await results.next()?.get() == 1)
    let last = try #require(await results.next())
    #expect(throws: Broken(number: -1)) { try last.get() }
    #expect(await results.next() == nil)
  }

  @Test("Cancelling while waiting for a frame ends the sequence at once, and the fetching with it")
  func cancellationWhileWaiting() async {
    let (frames, camera) = AsyncStream<Int>.makeStream()
    let ended = Gate()
    camera.onTermination = { _ in Task { await ended.open() } }
    let task = Task {
      var count = 0
      for await _ in frames.analyses(analyze: { $0 }) { count += 1 }
      return count
    }
    camera.yield(1)
    for _ in 0..<1000 { await Task.yield() }
    task.cancel()
    #expect(await task.value <= 1)
    await ended.pass()
  }

  @Test("Cancelling during an analysis cancels it, and gives no result")
  func cancellationWhileAnalysing() async {
    let living = Living()
    let (frames, camera) = AsyncStream<Frame>.makeStream()
    let started = Gate()
    let analyses = frames.analyses { frame in
      await started.open()
      while !Task.isCancelled { await Task.yield() }
      return frame.number
    }
    let task = Task {
      var count = 0
      for await _ in analyses { count += 1 }
      return count
    }
    camera.yield(Frame(0, living))
    camera.yield(Frame(1, living))
    await started.pass()
    task.cancel()
    #expect(await task.value == 0)
    camera.finish()
    #expect(await eventually { living.current.isEmpty })
  }

  @Test("Leaving the loop ends the fetching")
  func leaving() async {
    let (frames, camera) = AsyncStream<Int>.makeStream()
    let ended = Gate()
    camera.onTermination = { _ in Task { await ended.open() } }
    camera.yield(1)
    for await _ in frames.analyses(analyze: { $0 }) { break }
    await ended.pass()
  }

  @Test("No frames, no results")
  func empty() async {
    let frames = AsyncStream<Int> { $0.finish() }
    for await _ in frames.analyses(analyze: { $0 }) { Issue.record("a result of nothing") }
  }

  @Test("Several loops at the same time don't disturb each other")
  func several() async throws {
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let (frames, camera) = AsyncStream<Int>.makeStream()
          var results = frames.analyses { $0 }.makeAsyncIterator()
          for number in 0..<200 {
            camera.yield(number)
            guard try await results.next()?.get() == number else { return number }
          }
          return 200
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [Int](repeating: 200, count: 8))
  }
}
