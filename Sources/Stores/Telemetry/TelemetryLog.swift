import Foundation

/// Writes events into a folder, in the background.
///
/// ```swift
/// let log = try TelemetryLog(folder: URL(fileURLWithPath: "events"))
/// let event = try TelemetryEvent(
///   time: Date(), confidence: 0.9, width: 0.1, height: 0.5, aspectRatio: 0.2, sawText: true,
///   sawBarcode: false)
/// log.record(event)          // costs a lock and an append; never waits for the disk
/// try await log.close()      // writes what is waiting
/// ```
///
/// Events wait in memory until there are ``TelemetryLimits/batchEvents`` of them or the first has
/// waited for ``TelemetryLimits/delay``, and are then written together. Events that cannot be
/// written are dropped and counted, so that telemetry never makes an app fail or grow. A killed
/// process loses the waiting events; written events are complete, and half a line is never read
/// back as an event.
///
/// Any number of logs, in any number of processes, may share a folder. If their limits differ, the
/// smallest ones hold. If the folder is removed while the log is open, it is not made again, and
/// further events are dropped.
public final class TelemetryLog: TelemetrySink, @unchecked Sendable {
  // Safe to share: the lock guards `state`, everything else is constant; the disk is only touched
  // on the queue.

  /// The folder of the events.
  public let folder: URL
  /// How much is kept, and how often it is written.
  public let limits: TelemetryLimits

  private let path: String
  private let now: @Sendable () -> Date
  private let queue = DispatchQueue(label: "tally.telemetry", qos: .utility)
  private let lock = NSLock()
  private var state = State()

  private struct State {
    var waiting: [TelemetryEvent] = []
    var status = TelemetryStatus()
    /// How many events have left `waiting` and are not known to be written yet.
    var beingWritten = 0
    var failure: TelemetryError?
    var isClosed = false
  }

  /// Opens a folder, which is made if it is not there.
  ///
  /// Files beyond the limits are deleted at once; all are deleted if the user has opted out.
  ///
  /// - Parameters:
  ///   - folder: a folder for the log only.
  ///   - limits: the limits of kept data, and the frequency of writing.
  ///   - now: the current time, for beginning and deleting files; not the time of events.
  /// - Throws: ``TelemetryError`` if the folder cannot be made, or not be written to.
  public init(
    folder: URL, limits: TelemetryLimits = .standard,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(TelemetryError) {
    self.folder = folder
    self.limits = limits
    self.now = now
    path = folder.path
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      var status = stat()
      guard stat(path, &status) == 0 else {
        throw .unwritable(path: path, reason: "the folder cannot be made")
      }
      throw .notAFolder(path: path)
    }
    let folder = try EventFolder(lockingFolderAt: path, patience: Self.patience)
    state.status.isOptedOut = folder.isOptedOut
    if folder.isOptedOut {
      try folder.deleteAll()
    } else {
      try folder.prune(limits, now: Self.milliseconds(now()))
    }
  }

  /// How long the background waits for another process's lock, in seconds.
  private static let patience = 2.0

  // MARK: Recording

  /// Records an event.
  ///
  /// Never waits for the disk and never fails; what becomes of events is in ``status``.
  ///
  /// - Complexity: O(1).
  public func record(_ event: TelemetryEvent) {
    let waiting: Int = lock.withLock {
      state.status.recorded += 1
      if state.status.isOptedOut {
        state.status.declined += 1
        return 0
      }
      if state.isClosed || state.waiting.count >= limits.waitingEvents {
        state.status.dropped += 1
        return 0
      }
      state.waiting.append(event)
      return state.waiting.count
    }
    if waiting == limits.batchEvents {
      queue.async { self.write() }
    } else if waiting == 1 {
      queue.asyncAfter(deadline: .now() + limits.delay) { self.write() }
    }
  }

  /// What became of the events so far.
  public var status: TelemetryStatus {
    lock.withLock {
      var status = state.status
      status.waiting = state.waiting.count + state.beingWritten
      return status
    }
  }

  /// Writes waiting events, and returns when they are written.
  ///
  /// - Throws: the first ``TelemetryError`` since the last call, including that of a batch in the
  ///   background; its events are dropped. ``TelemetryError/closed`` on a closed log.
  public func flush() async throws(TelemetryError) {
    try await onQueue { self.flushNow() }
  }

  /// Writes waiting events synchronously, for example at the end of a process.
  ///
  /// - Throws: as ``flush()``.
  public func flushAndWait() throws(TelemetryError) {
    try queue.sync { self.flushNow() }.get()
  }

  /// Writes waiting events and closes the log; later events are dropped and counted.
  ///
  /// Closing again does nothing.
  ///
  /// - Throws: as ``flush()``, except ``TelemetryError/closed``; the log is closed all the same.
  public func close() async throws(TelemetryError) {
    try await onQueue {
      if self.lock.withLock({ self.state.isClosed }) { return .success(()) }
      let result = self.flushNow()
      self.lock.withLock {
        self.state.isClosed = true
        // Recorded between the two.
        self.state.status.dropped += self.state.waiting.count
        self.state.waiting = []
      }
      return result
    }
  }

  // MARK: Opting out

  /// Stops recording and deletes all events, waiting and written, of all processes.
  ///
  /// It holds for all logs in this folder, from their next batch on at the latest, and as long as
  /// the folder exists: a log opened tomorrow records nothing.
  ///
  /// - Throws: ``TelemetryError`` if the folder cannot be changed. This log then records nothing
  ///   all the same.
  public func optOut() async throws(TelemetryError) {
    lock.withLock {
      state.status.isOptedOut = true
      declineWaiting()
    }
    try await onQueue { self.changing { folder throws(TelemetryError) in try folder.optOut() } }
  }

  /// Begins to record again; other logs that are open in this folder do when they are opened again.
  ///
  /// - Throws: ``TelemetryError`` if the folder cannot be changed. The log then stays as it was.
  public func optIn() async throws(TelemetryError) {
    try await onQueue {
      let result = self.changing { folder throws(TelemetryError) in try folder.optIn() }
      if case .success = result { self.lock.withLock { self.state.status.isOptedOut = false } }
      return result
    }
  }

  /// Counts waiting events as declined; the lock is held.
  private func declineWaiting() {
    state.status.declined += state.waiting.count
    state.waiting = []
  }

  // MARK: On the queue

  private func onQueue(
    _ work: @escaping @Sendable () -> Result<Void, TelemetryError>
  ) async throws(TelemetryError) {
    let result = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
    try result.get()
  }

  private func changing(
    _ change: (borrowing EventFolder) throws(TelemetryError) -> Void
  ) -> Result<Void, TelemetryError> {
    do throws(TelemetryError) {
      try change(EventFolder(lockingFolderAt: path, patience: Self.patience))
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func flushNow() -> Result<Void, TelemetryError> {
    if lock.withLock({ state.isClosed }) { return .failure(.closed) }
    write()
    let failure = lock.withLock {
      defer { state.failure = nil }
      return state.failure
    }
    return failure.map { .failure($0) } ?? .success(())
  }

  /// Writes waiting events; on the queue only, so that batches keep their order.
  private func write() {
    let events = lock.withLock {
      defer { state.waiting = [] }
      state.beingWritten = state.waiting.count
      return state.waiting
    }
    guard !events.isEmpty else { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(events.count * EventLine.longest)
    var ends: [Int] = []
    ends.reserveCapacity(events.count)
    for event in events {
      EventLine.append(event, to: &bytes)
      ends.append(bytes.count)
    }
    var written = 0
    var failure: TelemetryError?
    var isOptedOut = false
    do throws(TelemetryError) {
      let folder = try EventFolder(lockingFolderAt: path, patience: Self.patience)
      isOptedOut = folder.isOptedOut
      if !isOptedOut {
        (written, failure) = folder.append(
          bytes, ends: ends, limits: limits, now: Self.milliseconds(now()))
      }
    } catch {
      failure = error
    }
    lock.withLock {
      state.beingWritten = 0
      state.status.written += written
      if isOptedOut {
        state.status.isOptedOut = true
        state.status.declined += events.count
        declineWaiting()
      } else {
        state.status.dropped += events.count - written
      }
      if let failure {
        state.failure = state.failure ?? failure
        state.status.lastFailure = failure
      }
    }
  }

  /// Milliseconds since 1970, clamped to the years 1970 to 9999.
  private static func milliseconds(_ time: Date) -> Int64 {
    let milliseconds = time.timeIntervalSince1970 * 1000
    return milliseconds > 0 ? Int64(min(milliseconds, 253_402_300_799_999)) : 0
  }
}

/// What became of the events that a log was given.
public struct TelemetryStatus: Hashable, Sendable {
  /// How many were recorded: the sum of the four below.
  public internal(set) var recorded = 0
  /// How many are in files.
  public internal(set) var written = 0
  /// How many wait to be written.
  public internal(set) var waiting = 0
  /// How many were lost: writing failed or did not keep up, or the log was closed.
  public internal(set) var dropped = 0
  /// How many were not wanted, because the user had opted out, or did while they waited.
  public internal(set) var declined = 0
  /// Whether the user has opted out, as far as this log knows.
  public internal(set) var isOptedOut = false
  /// Why events were dropped last.
  public internal(set) var lastFailure: TelemetryError?
}
