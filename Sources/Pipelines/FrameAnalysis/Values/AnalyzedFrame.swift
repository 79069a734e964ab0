import Geometry
import ISBN
import Tracking

/// What a frame shows, and what to tell the person who holds the camera.
public struct AnalyzedFrame: Hashable, Sendable, Codable {
  /// When the frame was taken.
  public let time: FrameTime
  /// The lines of text that are sure enough.
  public let texts: [TextLineRegion]
  /// The barcodes.
  public let barcodes: [BarcodeRegion]
  /// The objects, each once.
  public let objects: [FrameObject]
  /// The finding that matters most.
  public let primary: PrimaryFinding
  /// The ISBN of this frame: that of its most confident ISBN barcode.
  public let isbn: ISBN13?
  /// How far the boxes moved within the last results, as a share of the frame's side; nil if no box
  /// was seen twice.
  public let shift: Double?
  /// What the rules say of this frame by itself.
  public let reading: Guidance
  /// What the last frames agree on; nil until two did.
  public let guidance: Guidance?
  /// The guidance while it is to be shown; nil once it has been shown long enough.
  public let message: Guidance?
  /// What happened in this frame that is worth a sound or a tap.
  public let events: [FeedbackEvent]
  /// How many different objects were seen since the session began.
  public let distinctObjects: Int
}

/// The finding of a frame that matters most.
public enum PrimaryFinding: Hashable, Sendable, Codable {
  /// A barcode.
  case barcode(BarcodeRegion)
  /// An object.
  case object(FrameObject)
  /// A line of text.
  case text(TextLineRegion)
  /// Nothing that the priority names.
  case nothing
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
