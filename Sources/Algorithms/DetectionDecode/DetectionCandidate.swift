import Geometry

/// One candidate that a detection network proposes.
public struct DetectionCandidate: Hashable, Sendable, Codable {
  /// Where, in the units of the network's output; finite.
  ///
  /// Pixels of the network's input for YOLO, 0...1 of the image for DETR. A turned box is meant
  /// before it is turned.
  public var box: Box
  /// How sure the network is, usually 0...1.
  public var score: Float
  /// How sure it is that there is any object; nil if the network does not say.
  public var objectness: Float?
  /// The index of the most likely class, the first of equally likely ones.
  public var classID: Int
  /// By how much the box is turned about its center, clockwise as seen, in radians; nil for an
  /// upright box.
  public var angle: Float?
  /// Which row of the output it is, counted from 0.
  public var row: Int

  /// Makes a candidate.
  public init(
    box: Box, score: Float, objectness: Float? = nil, classID: Int, angle: Float? = nil, row: Int
  ) {
    self.box = box
    self.score = score
    self.objectness = objectness
    self.classID = classID
    self.angle = angle
    self.row = row
  }

  /// The greatest class index that is believed; an output with larger ones is not one of classes.
  static let largestClassID = 1_000_000

  /// A class index that a network wrote as a number; nil if it is not one.
  static func classID(_ value: Float) -> Int? {
    guard value >= 0, value <= Float(largestClassID) else { return nil }
    return Int(value)
  }
}

/// How four numbers say where a box is.
public enum BoxForm: String, Hashable, Sendable, Codable, CaseIterable {
  /// Center x, center y, width, height.
  case centerSize
  /// Left, top, right, bottom.
  case corners
  /// Top, left, bottom, right, as TensorFlow writes them.
  case cornersYFirst

  /// The box.
  @inline(__always)
  func box(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Box {
    switch self {
    case .centerSize: Box(centerX: a, centerY: b, width: c, height: d)
    case .corners: Box(minX: a, minY: b, maxX: c, maxY: d)
    case .cornersYFirst: Box(minX: b, minY: a, maxX: d, maxY: c)
    }
  }
}
