import Dispatch
import Foundation

/// The signals by which a person or the system asks a process to end.
enum Interruptions {
  private static let signals = [SIGINT, SIGTERM]

  /// One element for the first of them from now on; a second has its usual effect.
  static func ofThisProcess() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let queue = DispatchQueue(label: "tally.interruptions")
    let sources = signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        continuation.yield()
        continuation.finish()
      }
      return source
    }
    // They are only cancelled there, which Dispatch allows from anywhere.
    nonisolated(unsafe) let kept = sources
    continuation.onTermination = { _ in
      for number in signals { signal(number, SIG_DFL) }
      for source in kept { source.cancel() }
    }
    for source in sources { source.resume() }
    return stream
  }
}
