import Tracking

/// Which events are worth a sound or a tap: each once until there is no book any more, and never two at a
/// time.
struct FeedbackGate: Sendable {
  let spacing: FrameDuration
  private var given: Set<FeedbackEvent> = []
  private var last: FrameTime?

  init(_ configuration: FrameConfiguration) {
    spacing = configuration.feedbackSpacing
  }

  /// The event to give for what holds in a frame, the ISBN first; nil if there is none, or it is too
  /// soon.
  ///
  /// What is held back comes in a later frame in which it still holds.
  mutating func event(
    hasISBN: Bool, guidance: Guidance?, at time: FrameTime
  ) -> FeedbackEvent? {
    if guidance == .noBook, !hasISBN { given = [] }
    if let last, time - last < spacing { return nil }
    let event: FeedbackEvent
    if hasISBN, !given.contains(.isbnFound) {
      event = .isbnFound
    } else if guidance == .spineDetected, !given.contains(.spineFound) {
      event = .spineFound
    } else {
      return nil
    }
    given.insert(event)
    last = time
    return event
  }
}
