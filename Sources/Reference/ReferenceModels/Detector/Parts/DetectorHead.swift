/// The kind of a detector's answer: what its outputs are, and how a photo is prepared for it.
///
/// ```swift
/// for head in DetectorHead.all { print(head.name, head.summary) }
/// let url = URL(fileURLWithPath: "yolox_s.onnx")
/// let detector = try AnyDetector(contentsOf: url, head: DetectorHead(named: "yolox"))
/// ```
public struct DetectorHead: Hashable, Sendable, CustomStringConvertible {
  /// A short name, such as `yolov8`.
  public let name: String
  /// The networks that have it, and its layout, in one line.
  public let summary: String

  init(name: String, summary: String) {
    self.name = name
    self.summary = summary
  }

  /// The name.
  public var description: String { name }
}

/// A family of detectors: its head, how it is known, and how its answers are read.
///
/// A new head is one file with a type of this protocol, and a line in ``DetectorFamilies/all``.
protocol DetectorFamily {
  /// Its name.
  static var head: DetectorHead { get }

  /// How a model is read as one of this family.
  ///
  /// - Throws: `UnfitModel` if the model is not of the family; what a trial run throws.
  static func reading(of model: DetectorFacts) throws -> DetectorReading
}
