import Geometry

/// One object a detector saw.
public struct Detection: Hashable, Sendable, Codable {
  /// Where, in pixels of the upright image, origin at the top left; not clipped to the image.
  public var box: Box
  /// How sure the detector is, 0...1: `objectness * classScore` for a YOLOX.
  public var score: Float
  /// How sure it is that there is any object, 0...1.
  public var objectness: Float
  /// How sure it is of the class, given that there is an object, 0...1.
  public var classScore: Float
  /// The index of the most likely class.
  public var classID: Int

  /// Makes a detection.
  public init(box: Box, score: Float, objectness: Float, classScore: Float, classID: Int) {
    self.box = box
    self.score = score
    self.objectness = objectness
    self.classScore = classScore
    self.classID = classID
  }
}
