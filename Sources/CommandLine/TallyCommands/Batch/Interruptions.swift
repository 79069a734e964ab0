import Foundation

/// The signals by which people and systems ask the process to end, for work that has something to finish.
public final class Interruptions: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.

  /// Those of this process, which has one set of them.
  public static let ofProcess = Interruptions()

  private static let numbers = [SIGINT, SIGTERM]

  private let lock = NSLock()
  private var first: Int32?

  private init() {}

  /// The first signal that came; nil where none did.
  public var received: Int32? { lock.withLock { first } }

  /// Does some work, whose task is cancelled when a signal comes; a second one ends the process at once.
  ///
  /// Signals that the process ignores, as in the background of a script, it goes on ignoring.
  func cancelling<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await work() }
    let queue = DispatchQueue(label: "tally.signals")
    let numbers = Self.numbers.filter { !Self.isIgnored($0) }
    let sources = numbers.map { number in
      // The source sees a signal only where it does not end the process first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if self.note(number) { task.cancel() } else { Self.end(by: number) }
      }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      for number in numbers { signal(number, SIG_DFL) }
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Ends the process by the signal that was received, so that a shell knows; returns where none was.
  func endIfReceived() {
    if let received { Self.end(by: received) }
  }

  /// Notes a signal, and says whether it is the first.
  private func note(_ number: Int32) -> Bool {
    lock.withLock {
      defer { first = first ?? number }
      return first == nil
    }
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
    // Functions cannot be compared, and this one is a number in disguise.
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
