import Foundation

/// A place that takes events.
///
/// ``TelemetryLog`` writes them into a folder, and ``MemoryTelemetry`` keeps them in memory. An app
/// may send them elsewhere.
public protocol TelemetrySink: Sendable {
  /// Records an event.
  ///
  /// It must not wait for a disk or a network, and must not fail: telemetry never stops an app.
  func record(_ event: TelemetryEvent)

  /// Returns when all events that were recorded before are kept or sent.
  ///
  /// - Throws: an error if events were lost.
  func flush() async throws
}

/// Events in memory, for tests and for sessions that leave nothing behind.
public final class MemoryTelemetry: TelemetrySink, @unchecked Sendable {
  // Safe to share: every access holds the lock.
  private let lock = NSLock()
  private var recorded: [TelemetryEvent] = []

  /// Makes a place without events.
  public init() {}

  /// Records an event.
  public func record(_ event: TelemetryEvent) { lock.withLock { recorded.append(event) } }

  /// Does nothing: events are kept at once.
  public func flush() async {}

  /// All events, in the order in which they were recorded.
  public var events: [TelemetryEvent] { lock.withLock { recorded } }
}
