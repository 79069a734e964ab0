import Geometry

/// One object a detector saw.
public struct Detection: Hashable, Sendable, Codable {
  /// The box in pixels of the upright image, origin at the top left; not clipped to the image.
  public var box: Box
  /// How sure the detector is, 0...1: `objectness * classScore`.
  public var score: Float
  /// How sure it is that there is any object, 0...1; the score if the detector does not tell them
  /// apart.
  public var objectness: Float
  /// How sure it is of the class, given that there is an object, 0...1; 1 if the detector does not
  /// tell them apart.
  public var classScore: Float
  /// The index of the most likely class.
  public var classID: Int
  /// What the detector knows of the shape; nil if it knows the box alone.
  public var outline: Outline?

  /// The shape of an object, in pixels of the upright image.
  public enum Outline: Hashable, Sendable, Codable {
    /// The outer line of a mask: at least three corners, clockwise as seen, the first not repeated.
    case polygon([Point])
    /// The corners of a rotated box.
    case rotatedBox(Quadrilateral)

    /// The corners, clockwise as seen.
    public var corners: [Point] {
      switch self {
      case .polygon(let points): points
      case .rotatedBox(let quad): quad.corners
      }
    }
  }

  /// Makes a detection.
  public init(
    box: Box, score: Float, objectness: Float, classScore: Float, classID: Int,
    outline: Outline? = nil
  ) {
    self.box = box
    self.score = score
    self.objectness = objectness
    self.classScore = classScore
    self.classID = classID
    self.outline = outline
  }
}
