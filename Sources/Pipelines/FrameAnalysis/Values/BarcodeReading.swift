import Tracking

/// The barcodes of one frame, read beside the frames that follow it.
public struct BarcodeReading: Hashable, Sendable, Codable {
  /// The time of the frame that was read.
  public var time: FrameTime
  /// The barcodes, in shares of that frame.
  public var barcodes: [BarcodeRegion]
  /// Why nothing was read, if the reader failed.
  public var failure: RecognizerFailure?

  /// Makes a reading.
  public init(
    at time: FrameTime, barcodes: [BarcodeRegion], failure: RecognizerFailure? = nil
  ) {
    self.time = time
    self.barcodes = barcodes
    self.failure = failure
  }
}
