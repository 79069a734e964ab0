import Geometry
import VisionProtocols
import _CLibrary

/// How large the objects of a photo usually are, and of what shape.
public struct TypicalObject: Hashable, Sendable, Codable {
  /// The side in pixels, `sqrt(width * height)`, of an object at the image's center.
  public let side: Double
  /// How the logarithm of the side grows from the image's top to its bottom: the perspective of a
  /// photo taken at a slant.
  public let slopeDown: Double
  /// The same from left to right.
  public let slopeAcross: Double
  /// Width over height.
  public let aspect: Double

  /// Makes a typical object.
  public init(side: Double, slopeDown: Double = 0, slopeAcross: Double = 0, aspect: Double) {
    self.side = side
    self.slopeDown = slopeDown
    self.slopeAcross = slopeAcross
    self.aspect = aspect
  }

  /// The side of an object whose center is at `point` of an image of this size.
  public func side(at point: Point, width: Int, height: Int) -> Double {
    side
      * exp(
        slopeDown * (point.y / Double(height) - 0.5) + slopeAcross
          * (point.x / Double(width) - 0.5))
  }
}

/// A detection, and how well it fits the typical object.
public struct FittedDetection: Hashable, Sendable, Codable {
  /// The detection.
  public var detection: Detection
  /// The square root of its score, times how near its size and shape are to the usual, 0...1.
  public var fit: Double

  /// Makes a fitted detection.
  public init(detection: Detection, fit: Double) {
    self.detection = detection
    self.fit = fit
  }
}
