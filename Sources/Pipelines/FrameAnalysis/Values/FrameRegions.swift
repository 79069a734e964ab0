import Geometry
import ISBN
import VisionProtocols

/// A line of text in a frame.
public struct TextLineRegion: Hashable, Sendable, Codable {
  /// Where, in shares of the frame, 0...1, origin at the bottom left.
  public var box: NormalizedBox
  /// The line's outline in the same shares, from its first to its last letter; nil if only the box
  /// is known.
  public var outline: Quadrilateral?
  /// What it says.
  public var text: String
  /// How sure the recognizer is, 0...1.
  public var confidence: Float

  /// Makes a region.
  public init(
    box: NormalizedBox, outline: Quadrilateral? = nil, text: String, confidence: Float
  ) {
    self.box = box
    self.outline = outline
    self.text = text
    self.confidence = confidence
  }

  /// The region of a line that was read in an image of known size.
  public init(_ text: RecognizedText, in frame: CoordinateSpace) {
    self.init(
      box: frame.normalized(from: text.outline.boundingBox),
      outline: frame.normalized(from: text.outline), text: text.text, confidence: text.confidence)
  }
}

/// A barcode in a frame.
public struct BarcodeRegion: Hashable, Sendable {
  /// Where, in shares of the frame, 0...1, origin at the bottom left.
  public let box: NormalizedBox
  /// What it says.
  public let payload: String
  /// The kind of bars or dots.
  public let symbology: BarcodeSymbology
  /// How sure the reader is, 0...1.
  public let confidence: Float
  /// The book's ISBN, where the payload is one: thirteen digits with a book's prefix and the right
  /// check digit, with or without an add-on.
  ///
  /// Nil for all other products and texts.
  public let isbn: ISBN13?

  /// Makes a region.
  public init(
    box: NormalizedBox, payload: String, symbology: BarcodeSymbology, confidence: Float = 1
  ) {
    self.box = box
    self.payload = payload
    self.symbology = symbology
    self.confidence = confidence
    isbn = (try? EANPayload(payload))?.isbn
  }

  /// The region of a barcode that was read in an image of known size.
  public init(_ barcode: RecognizedBarcode, in frame: CoordinateSpace) {
    self.init(
      box: frame.normalized(from: barcode.outline.boundingBox),
      payload: barcode.payload, symbology: barcode.symbology, confidence: barcode.confidence)
  }

  /// Whether a frame can have it: its box is usable and its confidence is a number.
  var isUsable: Bool { box.isUsable && !confidence.isNaN }
}

extension BarcodeRegion: Codable {
  private enum CodingKeys: String, CodingKey {
    case box, payload, symbology, confidence, isbn
  }

  /// Reads a region; the ISBN comes from the payload, not from the field.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      box: try fields.decode(NormalizedBox.self, forKey: .box),
      payload: try fields.decode(String.self, forKey: .payload),
      symbology: try fields.decode(BarcodeSymbology.self, forKey: .symbology),
      confidence: try fields.decode(Float.self, forKey: .confidence))
  }

  /// Writes all fields.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(box, forKey: .box)
    try fields.encode(payload, forKey: .payload)
    try fields.encode(symbology, forKey: .symbology)
    try fields.encode(confidence, forKey: .confidence)
    try fields.encodeIfPresent(isbn, forKey: .isbn)
  }
}

/// An object in a frame, as a detector saw it.
public struct ObjectRegion: Hashable, Sendable, Codable {
  /// The outline in shares of the frame, 0...1, origin at the bottom left.
  public var outline: Quadrilateral
  /// How sure the detector is, 0...1.
  public var confidence: Float
  /// A vector whose cosine is the similarity of two objects; nil if unknown.
  public var appearance: [Float]?

  /// Makes a region.
  public init(outline: Quadrilateral, confidence: Float, appearance: [Float]? = nil) {
    self.outline = outline
    self.confidence = confidence
    self.appearance = appearance
  }

  /// Makes a region of which only the box is known.
  public init(box: NormalizedBox, confidence: Float, appearance: [Float]? = nil) {
    self.init(outline: box.outline, confidence: confidence, appearance: appearance)
  }

  /// The region of an outline that was found in an image of known size.
  public init(_ detected: DetectedOutline, in frame: CoordinateSpace) {
    self.init(
      outline: frame.normalized(from: detected.outline), confidence: detected.confidence,
      appearance: detected.appearance)
  }

  /// The smallest upright box around the outline.
  public var box: NormalizedBox { NormalizedBox(around: outline) }
}

/// An object in a frame, known from frame to frame.
public struct FrameObject: Hashable, Sendable, Codable {
  /// The object's number, the same in every frame once ``isConfirmed``; see `Track`.
  public let id: Int
  /// Where, in shares of the frame, 0...1, origin at the bottom left.
  public internal(set) var box: NormalizedBox
  /// The outline in the same shares.
  public internal(set) var outline: Quadrilateral
  /// How sure the detector is, 0...1.
  public internal(set) var confidence: Float
  /// Whether the object was seen in enough frames to be no slip of the detector.
  public let isConfirmed: Bool
  /// The lines that were read on it, in reading order.
  ///
  /// Empty until it was read, and if text is read in whole frames. Their places are in
  /// ``AnalyzedFrame/texts``.
  public internal(set) var lines: [String] = []
}

extension NormalizedBox {
  /// The smallest upright box around a quadrilateral.
  init(around outline: Quadrilateral) {
    let xs = outline.corners.map(\.x)
    let ys = outline.corners.map(\.y)
    let (left, bottom) = (xs.reduce(.infinity, min), ys.reduce(.infinity, min))
    self.init(
      x: left, y: bottom, width: xs.reduce(-.infinity, max) - left,
      height: ys.reduce(-.infinity, max) - bottom)
  }

  /// The four corners, the upper ones first.
  var outline: Quadrilateral {
    Quadrilateral(
      topLeft: Point(x: x, y: y + height), topRight: Point(x: x + width, y: y + height),
      bottomRight: Point(x: x + width, y: y), bottomLeft: Point(x: x, y: y))
  }

  /// The box as a `Box` in the same shares, for what compares boxes.
  var unitBox: Box {
    Box(minX: Float(x), minY: Float(y), maxX: Float(x + width), maxY: Float(y + height))
  }

  /// Whether it holds a point and no coordinate is infinite or NaN.
  var isUsable: Bool {
    x.isFinite && y.isFinite && width.isFinite && height.isFinite && width > 0 && height > 0
  }
}
