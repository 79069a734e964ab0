import Foundation

/// The signals that request the end of the process (SIGINT, SIGTERM), for work that must finish
/// something.
///
/// Signals that the process ignores, as in the background of a script, stay ignored. A second
/// signal ends the process at once.
package final class Interruptions: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.

  /// The interruptions of this process, which has one set of them.
  package static let ofProcess = Interruptions()

  private static let numbers = [SIGINT, SIGTERM]

  private let lock = NSLock()
  private var first: Int32?
  private let requests: AsyncStream<Void>?

  private init() { requests = nil }

  /// Uses other requests in the place of signals.
  init(requests: AsyncStream<Void>) { self.requests = requests }

  /// The first signal received; nil if there is none.
  package var received: Int32? { lock.withLock { first } }

  /// Runs work whose task is cancelled when a signal comes.
  func cancelling<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await work() }
    let stop = listen { number in
      self.lock.withLock { self.first = number }
      task.cancel()
    }
    defer { stop() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Runs work that never ends by itself, and tells it when a signal comes, so that it can end
  /// normally.
  package func telling<Result>(
    _ tell: @escaping @Sendable () -> Void, _ work: () async throws -> Result
  ) async throws -> Result {
    let stop = listen { _ in tell() }
    defer { stop() }
    return try await work()
  }

  /// Calls `body` at the first signal from now on; the returned function ends that.
  private func listen(_ body: @escaping @Sendable (Int32) -> Void) -> () -> Void {
    if let requests {
      let task = Task {
        for await _ in requests { return body(SIGINT) }
      }
      return { task.cancel() }
    }
    let queue = DispatchQueue(label: "tally.signals")
    let numbers = Self.numbers.filter { !Self.isIgnored($0) }
    let hasCome = FirstTime()
    let sources = numbers.map { number in
      // The source sees a signal only if it does not end the process first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if hasCome.isFirst() { body(number) } else { Self.end(by: number) }
      }
      source.resume()
      return source
    }
    return {
      for source in sources { source.cancel() }
      for number in numbers { signal(number, SIG_DFL) }
    }
  }

  /// Ends the process by the received signal, so that a shell knows; returns if there was none.
  package func endIfReceived() {
    if let received { Self.end(by: received) }
  }

  private static func end(by number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    // Functions cannot be compared, but this one is really a number.
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// Returns true once.
private final class FirstTime: @unchecked Sendable {
  // Unchecked: `isOver` is only touched under `lock`.
  private let lock = NSLock()
  private var isOver = false

  func isFirst() -> Bool {
    lock.withLock {
      defer { isOver = true }
      return !isOver
    }
  }
}
