import Geometry
import Tracking

/// The barcodes that were read last beside the frames, and where they are by now.
struct LastBarcodes: Sendable {
  /// The frame's origin in the panorama, for the last frames.
  private var origins: [(time: FrameTime, origin: Point)] = []
  /// The barcodes as they were in the frame that was read.
  private var barcodes: [BarcodeRegion] = []
  /// The origin of that frame; nil if it is not known any more.
  private var origin: Point?

  /// A reading takes less than this many frames, or it is not known how far the camera moved.
  private static let capacity = 256

  /// Forgets all.
  mutating func clear() {
    self = LastBarcodes()
  }

  /// Takes in the barcodes of a frame, which replace those before.
  mutating func add(_ reading: BarcodeReading) {
    barcodes = reading.barcodes
    origin = origins.last { $0.time == reading.time }?.origin
  }

  /// The barcodes, moved as the picture has moved since the frame that was read, without those that
  /// have left the frame.
  ///
  /// - Parameters:
  ///   - time: the frame's time.
  ///   - now: the frame's origin in the panorama.
  mutating func barcodes(at time: FrameTime, origin now: Point) -> [BarcodeRegion] {
    if origins.count == Self.capacity { origins.removeFirst() }
    origins.append((time, now))
    guard let origin else { return barcodes }
    return barcodes.map { $0.moved(byX: origin.x - now.x, y: origin.y - now.y) }
      .filter(\.isInFrame)
  }
}

extension BarcodeRegion {
  /// Whether a part of it lies in the frame.
  fileprivate var isInFrame: Bool {
    box.x < 1 && box.y < 1 && box.x + box.width > 0 && box.y + box.height > 0
  }

  fileprivate func moved(byX dx: Double, y dy: Double) -> BarcodeRegion {
    BarcodeRegion(
      box: NormalizedBox(x: box.x + dx, y: box.y + dy, width: box.width, height: box.height),
      payload: payload, symbology: symbology, confidence: confidence)
  }
}
