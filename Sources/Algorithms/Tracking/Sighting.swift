import Geometry

/// One object in one frame, as a detector saw it: what an ``ObjectTracker`` is fed.
public struct Sighting: Hashable, Sendable, Codable {
  /// Where, in any space that stays the same from frame to frame.
  public var box: Box
  /// The object's outline in the same space, if it is known more closely than by a box.
  public var outline: Quadrilateral?
  /// How sure the detector is; of two sightings of one object the surer one stays.
  public var confidence: Float
  /// A vector whose cosine says how alike two objects look, of any length but 0; it need not be
  /// normalized.
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

/// An object that an ``ObjectTracker`` follows, as it is in the newest frame.
public struct Track: Hashable, Sendable, Codable {
  /// The object's number, counted from 1; no two objects ever have the same.
  ///
  /// It is the object's for good once ``isConfirmed``; before that the object may turn out to be
  /// one that was known earlier, and take back that one's.
  public let id: Int
  /// The index of its sighting among those of the frame.
  public let sighting: Int
  /// In how many frames it was seen.
  public let hits: Int
  /// Whether it was seen often enough to be an object and no slip of the detector.
  public let isConfirmed: Bool
}
