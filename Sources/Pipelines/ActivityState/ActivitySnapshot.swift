extension Activity {
  /// What a view shows at one moment.
  public struct Snapshot: Sendable {
    /// How often the activity was started, which tells one run from the next; 0 before the first.
    public internal(set) var run: Int
    /// What the activity does.
    public internal(set) var phase: Phase
    /// The last progress of the run; nil if there was none yet.
    ///
    /// It stays when the run ends.
    public internal(set) var progress: Progress?
  }

  /// What an activity does.
  public enum Phase: Sendable {
    /// Nothing was started, or all was forgotten.
    case idle
    /// It runs.
    case running
    /// It waits at the gate, or will at its next call.
    case paused
    /// It has ended with a value.
    case finished(Value)
    /// It has ended with an error; `canRetry` says whether another attempt may help.
    case failed(any Error, canRetry: Bool)
    /// It was cancelled.
    case cancelled
  }
}

extension Activity.Snapshot {
  /// The value; nil if the run has not finished.
  public var value: Value? {
    if case .finished(let value) = phase { value } else { nil }
  }

  /// The error; nil if the run has not failed.
  public var error: (any Error)? {
    if case .failed(let error, canRetry: _) = phase { error } else { nil }
  }

  /// Whether a run is on its way, paused or not.
  public var isActive: Bool { canPause || canResume }

  /// Whether ``Activity/pause()`` does something.
  public var canPause: Bool {
    if case .running = phase { true } else { false }
  }

  /// Whether ``Activity/resume()`` does something.
  public var canResume: Bool {
    if case .paused = phase { true } else { false }
  }

  /// Whether ``Activity/retry()`` does something.
  public var canRetry: Bool {
    switch phase {
    case .failed(_, let canRetry): canRetry
    case .cancelled: true
    case .idle, .running, .paused, .finished: false
    }
  }
}

extension Activity.Phase {
  /// The key to translate the text by: `activity.` and the name of the case.
  public var textKey: String {
    switch self {
    case .idle: "activity.idle"
    case .running: "activity.running"
    case .paused: "activity.paused"
    case .finished: "activity.finished"
    case .failed: "activity.failed"
    case .cancelled: "activity.cancelled"
    }
  }

  /// The text in English.
  public var englishText: String {
    switch self {
    case .idle: "Ready"
    case .running: "Working"
    case .paused: "Paused"
    case .finished: "Done"
    case .failed: "Failed"
    case .cancelled: "Cancelled"
    }
  }

  /// The name of a symbol of Apple's SF Symbols 2 beside the text; nil for *idle*.
  public var symbolName: String? {
    switch self {
    case .idle: nil
    case .running: "hourglass"
    case .paused: "pause.circle.fill"
    case .finished: "checkmark.circle.fill"
    case .failed: "exclamationmark.triangle.fill"
    case .cancelled: "xmark.circle.fill"
    }
  }
}
