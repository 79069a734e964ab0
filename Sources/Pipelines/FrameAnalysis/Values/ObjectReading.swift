/// What was read on one object of a frame.
///
/// Reading takes longer than a frame lasts. So the object is given as it was in the frame that was
/// read, and ``FrameSession/add(_:)-(ObjectReading)`` moves the lines to where the object is by then.
public struct ObjectReading: Hashable, Sendable, Codable {
  /// The object in the frame that was read.
  public var object: FrameObject
  /// The lines on it, in shares of that frame and of any confidence.
  public var texts: [TextLineRegion]
  /// Why nothing was read, if the recognizer failed.
  public var failure: RecognizerFailure?

  /// Makes a reading.
  public init(
    of object: FrameObject, texts: [TextLineRegion], failure: RecognizerFailure? = nil
  ) {
    self.object = object
    self.texts = texts
    self.failure = failure
  }
}
