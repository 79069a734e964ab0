import Geometry
import Tracking

/// All that the recognizers saw in one frame.
public struct FrameObservations: Hashable, Sendable, Codable {
  /// When the frame was taken.
  public var time: FrameTime
  /// The frame's size, which says how long a share of its width is beside one of its height.
  public var frame: CoordinateSpace
  /// The lines of text, of any confidence.
  public var texts: [TextLineRegion]
  /// The barcodes.
  public var barcodes: [BarcodeRegion]
  /// The objects.
  public var objects: [ObjectRegion]
  /// The recognizers that failed; what they would have seen is not known.
  public var failures: [RecognizerFailure]

  /// Makes observations.
  public init(
    time: FrameTime, frame: CoordinateSpace, texts: [TextLineRegion] = [],
    barcodes: [BarcodeRegion] = [], objects: [ObjectRegion] = [],
    failures: [RecognizerFailure] = []
  ) {
    self.time = time
    self.frame = frame
    self.texts = texts
    self.barcodes = barcodes
    self.objects = objects
    self.failures = failures
  }

  /// The usable observations: with a finite box that is not empty, and a confidence that is not
  /// NaN.
  ///
  /// Text needs a confidence above the limit.
  func usable(surerThan minimumTextConfidence: Double) -> FrameObservations {
    var result = self
    result.texts = texts.filter {
      $0.box.isUsable && Double($0.confidence) > minimumTextConfidence
    }
    result.barcodes = barcodes.filter(\.isUsable)
    result.objects = objects.filter { $0.box.isUsable && !$0.confidence.isNaN }
    return result
  }

  /// Whether a recognizer failed.
  func failed(_ recognizer: RecognizerFailure.Recognizer) -> Bool {
    failures.contains { $0.recognizer == recognizer }
  }

  /// Whether there is nothing at all.
  var isEmpty: Bool { texts.isEmpty && barcodes.isEmpty && objects.isEmpty }
}
