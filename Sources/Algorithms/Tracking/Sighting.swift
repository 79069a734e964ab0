import Geometry

/// A detection of one object in one frame: the input of an ``ObjectTracker``.
public struct Sighting: Hashable, Sendable, Codable {
  /// Its box, in any space that is the same for all frames.
  public var box: Box
  /// The object's outline in the same space, if it is known more precisely than by a box.
  public var outline: Quadrilateral?
  /// The detector's confidence; of two sightings of one object, the one with more confidence stays.
  public var confidence: Float
  /// A vector whose cosine is the similarity of two objects.
  ///
  /// Its length may be any except 0; it need not be normalized.
  public var appearance: [Float]?

  /// Makes a sighting.
  public init(
    box: Box, outline: Quadrilateral? = nil, confidence: Float = 1, appearance: [Float]? = nil
  ) {
    self.box = box
    self.outline = outline
    self.confidence = confidence
    self.appearance = appearance
  }
}

/// An object that an ``ObjectTracker`` follows, with its state in the newest frame.
public struct Track: Hashable, Sendable, Codable {
  /// The object's number, counted from 1; it is unique.
  ///
  /// It is final once ``isConfirmed``. Before that, the object may turn out to be an earlier known
  /// one, and get that one's number.
  public let id: Int
  /// The index of its sighting among those of the frame.
  public let sighting: Int
  /// The number of frames in which it was seen.
  public let hits: Int
  /// Whether it was seen often enough to be an object and not an error of the detector.
  public let isConfirmed: Bool
}
