extension Guidance {
  /// What to tell the person; nil for *no book*, when there is nothing to say.
  ///
  /// The keys are `guidance.` and the name of the case.
  public var text: FrameText? {
    switch self {
    case .spineDetected: FrameText("guidance.spineDetected", "Book found")
    case .moveCloser: FrameText("guidance.moveCloser", "Move closer")
    case .holdSteady: FrameText("guidance.holdSteady", "Hold steady")
    case .noBook: nil
    }
  }

  /// The name of a symbol of Apple's SF Symbols 2 beside the text; nil for *no book*.
  public var symbolName: String? {
    switch self {
    case .spineDetected: "checkmark.circle.fill"
    case .moveCloser: "arrow.up.left.and.arrow.down.right"
    case .holdSteady: "hand.raised.fill"
    case .noBook: nil
    }
  }
}

extension FeedbackEvent {
  /// What to tell the person.
  ///
  /// The keys are `event.` and the name of the case.
  public var text: FrameText {
    switch self {
    case .spineFound: FrameText("event.spineFound", "Spine found")
    case .isbnFound: FrameText("event.isbnFound", "ISBN found")
    }
  }

  /// The name of a symbol of Apple's SF Symbols 2 beside the text.
  public var symbolName: String {
    switch self {
    case .spineFound: "books.vertical.fill"
    case .isbnFound: "barcode.viewfinder"
    }
  }
}
