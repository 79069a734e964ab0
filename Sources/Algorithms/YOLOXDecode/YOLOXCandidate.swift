import Geometry

/// One candidate a YOLOX network proposes, before duplicates are suppressed.
public struct YOLOXCandidate: Hashable, Sendable, Codable {
  /// Where, in pixels of the network's input, origin at the top left; finite, not clipped.
  public var box: Box
  /// `objectness * classScore`.
  public var score: Float
  /// How sure the network is that there is any object, 0...1.
  public var objectness: Float
  /// How sure it is of the class, given that there is an object, 0...1.
  public var classScore: Float
  /// The index of the most likely class, the first of equally likely ones.
  public var classID: Int

  /// Makes a candidate.
  public init(box: Box, score: Float, objectness: Float, classScore: Float, classID: Int) {
    self.box = box
    self.score = score
    self.objectness = objectness
    self.classScore = classScore
    self.classID = classID
  }
}
