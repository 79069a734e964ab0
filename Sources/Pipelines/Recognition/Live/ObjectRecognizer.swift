import Geometry
import VisionProtocols

/// A router and the running totals of what it did: what an app holds for as long as it recognizes
/// things.
///
/// Any number of tasks may use it at the same time.
public actor ObjectRecognizer<Image: SizedImage> {
  private let router: RecognitionRouter<Image>
  /// What came of all recognitions so far; those that were cancelled do not count.
  public private(set) var totals = RecognitionTotals()

  /// Makes a recognizer.
  public init(router: RecognitionRouter<Image>) {
    self.router = router
  }

  /// Recognizes the object in an image; see ``RecognitionRouter/recognition(of:objectBox:)``.
  public func recognize(_ image: Image, objectBox: Box? = nil) async throws -> RecognitionResult {
    let result = try await router.recognition(of: image, objectBox: objectBox)
    totals.add(result)
    return result
  }

  /// Begins the totals again.
  public func resetTotals() {
    totals = RecognitionTotals()
  }
}
