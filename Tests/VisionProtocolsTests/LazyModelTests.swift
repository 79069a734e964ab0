import Foundation
import Testing
import VisionProtocols

// P19, SC-005: a model is loaded on first use, and its memory is free while it is not needed.

@Suite("A model that is loaded if it is needed", .timeLimit(.minutes(15)))
struct LazyModelTests {
  /// A model that says when it is freed.
  private final class Model: Sendable {
    let number: Int
    private let log: LoadLog

    init(_ number: Int, _ log: LoadLog) {
      self.number = number
      self.log = log
    }

    deinit { log.freed() }
  }

  private func model(
    _ log: LoadLog, loading: ModelLoading = .onFirstUse, idleSeconds: Double? = nil,
    alarm: Alarm = Alarm(), gate: Gate? = nil
  ) -> LazyModel<Model> {
    LazyModel(
      name: "test", loading: loading, idleSeconds: idleSeconds, sleep: { try await alarm.sleep($0) }
    ) {
      let number = try log.began()
      await gate?.pass()
      return Model(number, log)
    }
  }

  @Test("Nothing is loaded before the first use, and the same model serves all that follow")
  func firstUse() async throws {
    let log = LoadLog()
    let lazy = model(log)
    #expect(await !lazy.isLoaded && log.loads == 0)
    for _ in 0..<3 { #expect(try await lazy.withModel { $0.number } == 1) }
    #expect(await lazy.isLoaded && log.loads == 1 && log.alive == 1)
  }

  @Test("A hundred callers at once share one load")
  func concurrent() async throws {
    let (log, gate) = (LoadLog(), Gate())
    let lazy = model(log, gate: gate)
    let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 { group.addTask { try await lazy.withModel { $0.number } } }
      try await eventually { log.loads == 1 }
      await gate.open()
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(numbers == [1] && log.loads == 1)
  }

  @Test("All that wait for a load get its error, and the next use tries again")
  func failure() async throws {
    // More than the callers: one that comes after the shared load must fail too.
    let (log, gate) = (LoadLog(failures: 5), Gate())
    let lazy = LazyModel<Model>(name: "test") {
      await gate.pass()
      return Model(try log.began(), log)
    }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<5 {
        group.addTask {
          await #expect(throws: LoadLog.Failure.self) { try await lazy.withModel { $0.number } }
            != nil
        }
      }
      // There is no way to see who waits: this lets them all come in time, if not on a slow day.
      try? await Task.sleep(nanoseconds: 50_000_000)
      await gate.open()
      for await isRefused in group { #expect(isRefused) }
    }
    #expect(await !lazy.isLoaded)
    let failed = log.loads
    while log.loads < 5 { _ = try? await lazy.withModel { $0.number } }
    #expect(failed < 5)
    #expect(try await lazy.withModel { $0.number } == 6)
  }

  @Test("Unloading frees the memory, and the next use loads again")
  func unloading() async throws {
    let log = LoadLog()
    let lazy = model(log)
    #expect(await lazy.unload())
    _ = try await lazy.withModel { $0.number }
    #expect(await lazy.unload())
    #expect(await !lazy.isLoaded && log.alive == 0)
    #expect(try await lazy.withModel { $0.number } == 2)
  }

  @Test("A model in use is unloaded by its last user, and there is never a second one")
  func unloadingInUse() async throws {
    let (log, gate) = (LoadLog(), Gate())
    let lazy = model(log)
    async let first = lazy.withModel { model in
      await gate.pass()
      return model.number
    }
    try await eventually { await gate.waiting == 1 }
    #expect(await !lazy.unload())
    // Who comes now shares what is there.
    #expect(try await lazy.withModel { $0.number } == 1)
    #expect(await lazy.isLoaded && log.alive == 1)
    await gate.open()
    #expect(try await first == 1)
    #expect(await !lazy.isLoaded && log.alive == 0 && log.loads == 1 && log.mostAlive == 1)
  }

  @Test("A user that fails leaves as one that succeeds")
  func failingUser() async throws {
    let log = LoadLog()
    let lazy = model(log)
    await #expect(throws: LoadLog.Failure.self) {
      try await lazy.withModel { _ in throw LoadLog.Failure() }
    }
    #expect(await lazy.unload())
    #expect(log.alive == 0)
  }

  @Test("A model that is unloaded while it is loaded serves those that wait, and goes")
  func unloadingWhileLoading() async throws {
    let (log, gate) = (LoadLog(), Gate())
    let lazy = model(log, gate: gate)
    async let number = lazy.withModel { $0.number }
    try await eventually { await gate.waiting == 1 }
    #expect(await !lazy.unload())
    await gate.open()
    #expect(try await number == 1)
    #expect(await !lazy.isLoaded && log.alive == 0)
  }

  @Test("If only a request loads, a use before it, during it and after unloading is told so")
  func onRequest() async throws {
    let (log, gate) = (LoadLog(), Gate())
    let lazy = model(log, loading: .onRequest, gate: gate)
    let expected = ModelNotLoadedError(model: "test")
    await #expect(throws: expected) { try await lazy.withModel { $0.number } }
    async let loaded: Void = lazy.load()
    try await eventually { await gate.waiting == 1 }
    await #expect(throws: expected) { try await lazy.withModel { $0.number } }
    await gate.open()
    try await loaded
    #expect(try await lazy.withModel { $0.number } == 1)
    await lazy.unload()
    await #expect(throws: expected) { try await lazy.withModel { $0.number } }
    try await lazy.load()
    try await lazy.load()
    #expect(try await lazy.withModel { $0.number } == 2)
  }

  @Test("If only a request loads, a model that is about to go takes no new user")
  func onRequestLeaving() async throws {
    let (log, gate) = (LoadLog(), Gate())
    let lazy = model(log, loading: .onRequest)
    try await lazy.load()
    async let number = lazy.withModel { model in
      await gate.pass()
      return model.number
    }
    try await eventually { await gate.waiting == 1 }
    await lazy.unload()
    await #expect(throws: ModelNotLoadedError.self) { try await lazy.withModel { $0.number } }
    // Another request takes the unloading back.
    try await lazy.load()
    #expect(try await lazy.withModel { $0.number } == 1)
    await gate.open()
    #expect(try await number == 1)
    #expect(await lazy.isLoaded && log.loads == 1)
  }

  @Test("A cancelled caller leaves at once, and the load goes on for the next")
  func cancelled() async throws {
    let (log, gate) = (LoadLog(), Gate())
    let lazy = model(log, gate: gate)
    let task = Task { try await lazy.withModel { $0.number } }
    try await eventually { await gate.waiting == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await gate.open()
    #expect(try await lazy.withModel { $0.number } == 1)
    #expect(log.loads == 1)
  }

  @Test("A task that is cancelled before it asks loads nothing")
  func cancelledBefore() async throws {
    let log = LoadLog()
    let lazy = model(log)
    let gate = Gate()
    let task = Task {
      await gate.pass()
      return try await lazy.withModel { $0.number }
    }
    task.cancel()
    await gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.loads == 0)
  }

  // MARK: Idle time

  @Test("Idle time begins with the last user, and a use ends it")
  func idle() async throws {
    let (log, alarm) = (LoadLog(), Alarm())
    let lazy = model(log, idleSeconds: 60, alarm: alarm)
    _ = try await lazy.withModel { $0.number }
    try await eventually { await alarm.sleepers == [60] }
    // The next use ends this idle time and begins another.
    _ = try await lazy.withModel { $0.number }
    try await eventually { await alarm.begun == 2 }
    try await eventually { await alarm.sleepers == [60] }
    #expect(await lazy.isLoaded && log.alive == 1)
    await alarm.ring()
    try await eventually { await !lazy.isLoaded }
    #expect(log.alive == 0)
    #expect(try await lazy.withModel { $0.number } == 2)
  }

  @Test("An idle time that ends while somebody uses the model unloads nothing")
  func idleAgainstUse() async throws {
    let (log, gate) = (LoadLog(), Gate())
    // A clock that does not hear that it is cancelled.
    let bell = Gate()
    let lazy = LazyModel(name: "test", idleSeconds: 1, sleep: { _ in await bell.pass() }) {
      Model(try log.began(), log)
    }
    try await lazy.load()
    try await eventually { await bell.waiting == 1 }
    async let number = lazy.withModel { model in
      await gate.pass()
      return model.number
    }
    try await eventually { await gate.waiting == 1 }
    await bell.open()
    for _ in 0..<100 { await Task.yield() }
    #expect(await lazy.isLoaded)
    await gate.open()
    #expect(try await number == 1)
    // The idle time after this use is over at once.
    try await eventually { await !lazy.isLoaded }
    #expect(log.loads == 1)
  }

  @Test("Without an idle time, or with one that never ends, nothing is unloaded by itself")
  func endless() async throws {
    for seconds in [nil, .nan, .infinity] as [Double?] {
      let (log, alarm) = (LoadLog(), Alarm())
      let lazy = model(log, idleSeconds: seconds, alarm: alarm)
      _ = try await lazy.withModel { $0.number }
      for _ in 0..<20 { await Task.yield() }
      #expect(await alarm.begun == 0)
    }
    let alarm = Alarm()
    let lazy = model(LoadLog(), idleSeconds: -3, alarm: alarm)
    _ = try await lazy.withModel { $0.number }
    try await eventually { await alarm.sleepers == [0] }
  }

  @Test("The usual clock unloads too")
  func usualClock() async throws {
    let log = LoadLog()
    let lazy = LazyModel(name: "test", idleSeconds: 0.01) { Model(try log.began(), log) }
    _ = try await lazy.withModel { $0.number }
    try await eventually { await !lazy.isLoaded }
    #expect(log.alive == 0)
  }

  @Test("Nothing keeps a model whose owner is gone, not even its idle time")
  func owner() async throws {
    let (log, alarm) = (LoadLog(), Alarm())
    do {
      let lazy = model(log, idleSeconds: 1000, alarm: alarm)
      _ = try await lazy.withModel { $0.number }
      try await eventually { await alarm.begun == 1 }
    }
    try await eventually { log.alive == 0 }
    try await eventually { await alarm.sleepers.isEmpty }
  }

  @Test("Users, unloads and idle times in any order never meet a second or a freed model")
  func storm() async throws {
    let log = LoadLog()
    let lazy = LazyModel(name: "test", idleSeconds: 0, sleep: { _ in await Task.yield() }) {
      await Task.yield()
      return Model(try log.began(), log)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<3 {
        group.addTask {
          for round in 0..<500 {
            switch (index + round) % 4 {
            case 0: await lazy.unload()
            case 1: try await lazy.load()
            default:
              try await lazy.withModel { model in
                await Task.yield()
                #expect(log.alive == 1 && model.number == log.loads)
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await eventually { await !lazy.isLoaded }
    #expect(log.mostAlive == 1 && log.alive == 0)
  }
}

// MARK: Fakes

/// Counts the loads of a test.
final class LoadLog: @unchecked Sendable {
  struct Failure: Error {}

  // Safe to share: the lock guards the mutable state.
  private let lock = NSLock()
  private let failures: Int
  private var state = (loads: 0, alive: 0, mostAlive: 0)

  init(failures: Int = 0) { self.failures = failures }

  var loads: Int { lock.withLock { state.loads } }
  var alive: Int { lock.withLock { state.alive } }
  var mostAlive: Int { lock.withLock { state.mostAlive } }

  /// The number of a load, from 1; the first ones fail.
  func began() throws -> Int {
    try lock.withLock {
      state.loads += 1
      guard state.loads > failures else { throw Failure() }
      state.alive += 1
      state.mostAlive = max(state.mostAlive, state.alive)
      return state.loads
    }
  }

  func freed() { lock.withLock { state.alive -= 1 } }
}

/// Holds up all that come until it is opened.
actor Gate {
  private var isOpen = false
  private var held: [CheckedContinuation<Void, Never>] = []

  var waiting: Int { held.count }

  func pass() async {
    if isOpen { return }
    await withCheckedContinuation { held.append($0) }
  }

  func open() {
    isOpen = true
    for continuation in held { continuation.resume() }
    held = []
  }
}

/// A clock whose sleepers wake when a test rings it, or when they are cancelled.
actor Alarm {
  private var held: [Int: (seconds: Double, continuation: CheckedContinuation<Void, any Error>)] =
    [:]
  private(set) var begun = 0

  var sleepers: [Double] { held.values.map(\.seconds) }

  func sleep(_ seconds: Double) async throws {
    begun += 1
    let id = begun
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          held[id] = (seconds, continuation)
        }
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func cancel(_ id: Int) {
    held.removeValue(forKey: id)?.continuation.resume(throwing: CancellationError())
  }

  func ring() {
    for sleeper in held.values { sleeper.continuation.resume() }
    held = [:]
  }
}

/// Waits until something is so; the suite's time limit ends a wait in vain.
func eventually(_ condition: () async throws -> Bool) async throws {
  while try await !condition() { try await Task.sleep(nanoseconds: 1_000_000) }
}
