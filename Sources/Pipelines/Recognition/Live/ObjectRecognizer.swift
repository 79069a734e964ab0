import Geometry
import VisionProtocols

/// A router and the running totals of what it did: what an app holds for as long as it recognizes
/// things.
///
/// Any number of tasks may use it at the same time.
public actor ObjectRecognizer<Image: SizedImage> {
  private let router: RecognitionRouter<Image>
  /// How many recognitions are in work.
  private var running = 0
  /// What came of all recognitions so far; those that were cancelled do not count.
  public private(set) var totals = RecognitionTotals()

  /// Makes a recognizer.
  public init(router: RecognitionRouter<Image>) {
    self.router = router
  }

  /// Recognizes the object in an image; see ``RecognitionRouter/recognition(of:objectBox:)``.
  public func recognize(_ image: Image, objectBox: Box? = nil) async throws -> RecognitionResult {
    running += 1
    defer { running -= 1 }
    let result = try await router.recognition(of: image, objectBox: objectBox)
    totals.add(result)
    return result
  }

  /// Recognizes the object in an image, or answers nil at once if a recognition is in work.
  ///
  /// For images that come faster than they are recognized, such as a camera's: those that come
  /// meanwhile are let pass, and don't wait in memory.
  ///
  /// - Throws: as ``recognize(_:objectBox:)``.
  public func recognizeIfIdle(
    _ image: Image, objectBox: Box? = nil
  ) async throws -> RecognitionResult? {
    running == 0 ? try await recognize(image, objectBox: objectBox) : nil
  }

  /// Begins the totals again.
  public func resetTotals() {
    totals = RecognitionTotals()
  }
}
