import Foundation

/// The three networks of a ``TextReader``, as files.
public struct TextModelFiles: Hashable, Sendable {
  /// Finds lines of text: `[1, 3, H, W]` to a map `[1, 1, H, W]`.
  public var detector: URL
  /// Says which lines are upside down: `[N, 3, 48, 192]` to `[N, 2]`; nil to take all as they lie.
  public var orientation: URL?
  /// Reads lines: `[N, 3, 48, W]` to `[N, steps, classes]`.
  public var recognizer: URL

  /// Names the files.
  public init(detector: URL, orientation: URL?, recognizer: URL) {
    self.detector = detector
    self.orientation = orientation
    self.recognizer = recognizer
  }

  /// The files of PP-OCRv4 in a folder, by the names they have in RapidOCR's wheel.
  ///
  /// Whether they are there shows when they are loaded.
  public init(folder: URL) {
    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
    self.init(
      detector: file(Self.names.detector), orientation: file(Self.names.orientation),
      recognizer: file(Self.names.recognizer))
  }

  /// What the files of PP-OCRv4 are called.
  public static let names = (
    detector: "ch_PP-OCRv4_det_infer.onnx", orientation: "ch_ppocr_mobile_v2.0_cls_infer.onnx",
    recognizer: "ch_PP-OCRv4_rec_infer.onnx"
  )
}
