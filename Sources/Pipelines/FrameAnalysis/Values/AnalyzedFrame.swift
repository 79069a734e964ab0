import Geometry
import ISBN
import Tracking

/// What a frame shows, and what to tell the person who holds the camera.
public struct AnalyzedFrame: Hashable, Sendable, Codable {
  /// When the frame was taken.
  public internal(set) var time: FrameTime
  /// The upright frame's size in pixels; nil for a frame that shows nothing because none was
  /// analysed.
  public internal(set) var size: CoordinateSpace?
  /// The lines of text that are sure enough.
  public internal(set) var texts: [TextLineRegion]
  /// The number of each of ``texts``, the same from frame to frame; nil for a line that lies on
  /// another one.
  ///
  /// Numbers of texts and of objects are independent of each other.
  public internal(set) var textIDs: [Int?]
  /// The barcodes.
  public internal(set) var barcodes: [BarcodeRegion]
  /// The objects, each once.
  public internal(set) var objects: [FrameObject]
  /// The ids of those objects that this frame confirmed.
  ///
  /// Each object is confirmed in one frame of a session. So the number in all frames together is
  /// ``distinctObjects``.
  public internal(set) var newlyConfirmed: [Int]
  /// The finding that matters most; nil if there is nothing that the priority names.
  public internal(set) var primary: FrameFinding?
  /// The ISBN of this frame: that of its most confident ISBN barcode.
  public internal(set) var isbn: ISBN13?
  /// How far the boxes moved within the last results, as a share of the frame's side; nil if no box
  /// was seen twice.
  public internal(set) var shift: Double?
  /// What the rules say of this frame by itself.
  public internal(set) var reading: Guidance
  /// What the last frames agree on; nil until two did.
  public internal(set) var guidance: Guidance?
  /// The guidance while it is to be shown; nil once it has been shown long enough.
  public internal(set) var message: Guidance?
  /// What happened in this frame that is worth a sound or a tap.
  public internal(set) var events: [FeedbackEvent]
  /// How many different objects were seen since the session began or was reset.
  public internal(set) var distinctObjects: Int
  /// Which recognizers failed, and with which errors; the findings are those of the others.
  public internal(set) var failures: [RecognizerFailure]
}

extension AnalyzedFrame {
  /// A frame that shows nothing: where an app starts, and what a session that is off answers.
  public static func empty(at time: FrameTime) -> AnalyzedFrame {
    AnalyzedFrame(
      time: time, size: nil, texts: [], textIDs: [], barcodes: [], objects: [],
      newlyConfirmed: [], primary: nil, isbn: nil, shift: nil, reading: .noBook, guidance: nil,
      message: nil, events: [], distinctObjects: 0, failures: [])
  }
}

/// A hint for the person who holds the camera.
public enum Guidance: String, Hashable, Sendable, Codable, CaseIterable {
  /// A book was found.
  case spineDetected
  /// The text is too small to be read.
  case moveCloser
  /// The frame moves too much, or reading needs more time.
  case holdSteady
  /// Nothing looks like a book.
  case noBook
}

/// Something worth a sound or a tap.
public enum FeedbackEvent: String, Hashable, Sendable, Codable, CaseIterable {
  /// The guidance has become *spine detected*.
  case spineFound
  /// A barcode with a valid ISBN was read.
  case isbnFound
}
