import Tracking

/// Decides which events get a sound or a tap.
///
/// Each event gets one until there is no book any more, and never two at a time.
struct FeedbackGate: Sendable {
  let spacing: FrameDuration
  private var given: Set<FeedbackEvent> = []
  private var last: FrameTime?

  init(_ configuration: FrameConfiguration) {
    spacing = configuration.feedbackSpacing
  }

  /// Lets every event come again, but no sooner than the spacing says.
  mutating func clear() {
    given = []
  }

  /// The event for a frame, the ISBN first; nil if there is none, or if it is too soon.
  ///
  /// A delayed event comes in a later frame in which it still holds.
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
