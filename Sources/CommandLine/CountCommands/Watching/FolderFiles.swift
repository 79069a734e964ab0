import CommandKit
import Foundation

/// The photos of a folder, existing and new ones, each as soon as it is complete.
///
/// On Linux the system reports when a writer closes or renames a file. Elsewhere, and on request,
/// the folder is scanned repeatedly, and a file is complete if its size and time did not change
/// between two scans. The same holds for files that exist at the start, and after the system lost
/// notices. A file that is written again comes again. A file that is removed before its turn, or
/// empty, is left out.
///
/// For one loop at a time. Cancelling its task ends it with `CancellationError`, ``finish()``
/// quietly.
final class FolderFiles: AsyncSequence, @unchecked Sendable {
  // Safe to share: the lock guards what varies.

  typealias Element = FolderName

  /// The method of detecting changes.
  enum Method: Equatable, Sendable {
    /// The system reports changes; files that exist at the start must be unchanged for this many
    /// seconds.
    case notices(settling: Double)
    /// The folder is scanned at this interval in seconds.
    case polling(every: Double)

    /// The one for this system.
    static var usual: Method {
      #if canImport(Glibc)
        .notices(settling: 1)
      #else
        .polling(every: 1)
      #endif
    }

    fileprivate var seconds: Double {
      switch self {
      case .notices(let seconds), .polling(let seconds): seconds
      }
    }
  }

  private let folder: String
  private let interval: TimeInterval
  private let isPolling: Bool
  private let identity: FolderIdentity
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  private let lock = NSLock()
  private var waiting = NameQueue()
  private var isFinished = false
  private var isGone = false
  /// Whether to scan the folder: always if the system does not report changes.
  private var isLooking = true
  private var nextLook = FolderFiles.now
  private var settling = SettlingFiles()

  #if canImport(Glibc)
    private var notices: FolderNotices?
  #endif

  /// Begins to watch a folder.
  ///
  /// - Parameter newOnly: leaves out what is there.
  /// - Throws: ``CommandError`` if it cannot be read or watched.
  init(in folder: String, by method: Method = .usual, newOnly: Bool = false) throws(CommandError) {
    self.folder = folder
    interval = method.seconds
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    guard let look = FolderLook(at: folder) else { throw Self.gone(folder) }
    identity = look.identity
    #if canImport(Glibc)
      if case .polling = method { isPolling = true } else { isPolling = false }
      if !isPolling {
        notices = try FolderNotices(folder) { [weak self] notices in self?.take(notices) }
      }
    #else
      isPolling = true
    #endif
    if newOnly {
      // Changes after this scan are reported.
      settling.leaveOut(FolderLook(at: folder)?.stamps ?? look.stamps)
      isLooking = isPolling
    }
  }

  deinit { finish() }

  /// Ends the sequence before its next element.
  func finish() {
    lock.withLock { isFinished = true }
    #if canImport(Glibc)
      notices?.cancel()
    #endif
    signal.yield()
  }

  #if canImport(Glibc)
    /// Takes in what happened.
    func take(_ notices: [FolderNotice]) {
      lock.withLock {
        for notice in notices {
          switch notice {
          case .whole(let name): if name.isPhoto { waiting.append(name) }
          case .gone(let name): settling.forget(name)
          case .overflow:
            isLooking = true
            nextLook = Self.now
          case .folderGone: isGone = true
          }
        }
      }
      signal.yield()
    }
  #endif

  // MARK: Handing out

  func makeAsyncIterator() -> Iterator {
    Iterator(files: self, signals: signals.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let files: FolderFiles
    fileprivate var signals: AsyncStream<Void>.Iterator

    mutating func next() async throws -> FolderName? {
      while true {
        try Task.checkCancellation()
        switch try files.step() {
        case .name(let name): return name
        case .end: return nil
        case .wait(let deadline):
          let alarm = deadline.map { files.alarm(at: $0) }
          _ = await signals.next()
          alarm?.cancel()
        }
      }
    }
  }

  private enum Step {
    case name(FolderName)
    case end
    /// Until something happens, or until then.
    case wait(TimeInterval?)
  }

  /// Seconds that never go back, whatever is done to the clock.
  ///
  /// Not `ContinuousClock`, which came with macOS 13.
  private static var now: TimeInterval { ProcessInfo.processInfo.systemUptime }

  private func alarm(at deadline: TimeInterval) -> Task<Void, Never> {
    // For a deadline of more than a day, this wakes once too often.
    let seconds = Swift.min(Swift.max(deadline - Self.now, 0), 86_400)
    return Task { [signal] in
      if (try? await Task.sleep(nanoseconds: UInt64(seconds * 1e9))) != nil { signal.yield() }
    }
  }

  private func step() throws(CommandError) -> Step {
    let result = lock.withLock { Result { () throws(CommandError) in try lockedStep() } }
    return try result.get()
  }

  private func lockedStep() throws(CommandError) -> Step {
    while true {
      if isFinished { return .end }
      while let name = waiting.popFirst() {
        if !name.isExact { return .name(name) }
        guard let stamp = FileStamp(ofFileAt: "\(folder)/\(name.text)"), stamp.size > 0 else {
          continue
        }
        settling.note(name, stamp)
        return .name(name)
      }
      if isGone { throw Self.gone(folder) }
      guard isLooking else { return .wait(nil) }
      if nextLook > Self.now { return .wait(nextLook) }
      try look()
    }
  }

  /// Puts files that did not change since the last scan into the queue.
  private func look() throws(CommandError) {
    guard let look = FolderLook(at: folder), look.identity == identity else {
      throw Self.gone(folder)
    }
    for name in settling.settled(in: look.stamps) { waiting.append(name) }
    if !isPolling, !settling.isWaiting { isLooking = false }
    nextLook = Self.now + interval
  }

  private static func gone(_ folder: String) -> CommandError {
    CommandError(.noInput, at: folder, "the folder is not there any more, or cannot be read")
  }
}

/// Names in the order in which they came, each once.
private struct NameQueue {
  private var names: [FolderName] = []
  private var start = 0
  private var members: Set<FolderName> = []

  mutating func append(_ name: FolderName) {
    if members.insert(name).inserted { names.append(name) }
  }

  mutating func popFirst() -> FolderName? {
    guard start < names.count else { return nil }
    let name = names[start]
    start += 1
    members.remove(name)
    if start == names.count {
      names.removeAll(keepingCapacity: true)
      start = 0
    }
    return name
  }
}
