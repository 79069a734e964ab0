import Geometry

/// One line of text that a ``TextRecognizer`` read.
///
/// Like all that crosses the seams it lies in pixels of the upright image, origin at the top left:
/// one convention for photos and frames, for drawing and for cutting out. `CoordinateSpace`
/// converts the shares with the origin at the bottom left that camera frameworks give, exactly.
public struct RecognizedText: Hashable, Sendable, Codable {
  /// The outline in pixels of the upright image.
  ///
  /// Text runs from the left to the right side of the outline. For the title on a spine, these are
  /// its upper and its lower end.
  public var outline: Quadrilateral
  /// What it says.
  public var text: String
  /// How sure the recognizer is, 0...1.
  public var confidence: Float

  /// Makes a line of text.
  public init(outline: Quadrilateral, text: String, confidence: Float) {
    self.outline = outline
    self.text = text
    self.confidence = confidence
  }
}

/// The outline of one object that an ``OutlineDetector`` found.
public struct DetectedOutline: Hashable, Sendable, Codable {
  /// The outline in pixels of the upright image, origin at the top left.
  public var outline: Quadrilateral
  /// How sure the detector is, 0...1.
  public var confidence: Float
  /// A vector for recognizing the object in later frames; nil if unknown.
  ///
  /// The cosine of two vectors is the similarity of two objects.
  public var appearance: [Float]?

  /// Makes an outline.
  public init(outline: Quadrilateral, confidence: Float, appearance: [Float]? = nil) {
    self.outline = outline
    self.confidence = confidence
    self.appearance = appearance
  }
}
