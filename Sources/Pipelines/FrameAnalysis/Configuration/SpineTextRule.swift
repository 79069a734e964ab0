import Geometry
import SpineHeuristics

/// The rule for lines of text that are on the spine of a book.
///
/// The line must be words: at least ``minimumLetters`` letters, and mostly letters and digits. One
/// of two conditions must hold, measured in pixels, so that the frame's shape does not matter:
///
/// - It runs along a book. Its middle lies in the outline of an object that has a spine's
///   proportions (`SpineGeometry`). Its long axis is within ``maximumAngle`` of the object's, and
///   it is at least ``minimumShare`` as long as the object.
/// - It runs upright by itself. Its long axis is within ``maximumAngle`` of the vertical, and it is
///   at least ``minimumElongation`` times as long as it is wide. This condition exists because the
///   outline of a spine is not always found. Usually only spines have lines that run up or down.
///
/// A horizontal line outside any book, or across one, is not the text of a spine: it may be a
/// cover, a page or a sign on the wall.
public struct SpineTextRule: Hashable, Sendable {
  /// The least number of letters of any script, 1...100.
  public var minimumLetters = 4
  /// The least share of letters and digits among characters that are not white space, 0...1.
  public var minimumWordShare = 0.6
  /// The largest angle between the line and the axis it has to follow, in degrees, 0...45.
  public var maximumAngle = 20.0
  /// The least length of a line on a book, as a share of the book's long side, 0...1.
  public var minimumShare = 0.2
  /// The least length of an upright line in widths, 1...100.
  public var minimumElongation = 2.5

  /// The defaults.
  public init() {}

  func validate() throws(FrameConfigurationError) {
    try FrameConfiguration.check("spineText.minimumLetters", Double(minimumLetters), 1...100)
    try FrameConfiguration.check("spineText.minimumWordShare", minimumWordShare, 0...1)
    try FrameConfiguration.check("spineText.maximumAngle", maximumAngle, 0...45)
    try FrameConfiguration.check("spineText.minimumShare", minimumShare, 0...1)
    try FrameConfiguration.check("spineText.minimumElongation", minimumElongation, 1...100)
  }
}

extension SpineTextRule {
  /// Whether the line reads like the spine of a book.
  ///
  /// - Parameters:
  ///   - text: the line.
  ///   - outlines: the outlines of objects, in shares of the frame like the line's.
  ///   - frame: the frame's size.
  public func accepts(
    _ text: TextLineRegion, on outlines: [Quadrilateral], in frame: CoordinateSpace
  ) -> Bool {
    accepts(text, on: Books(outlines, in: frame))
  }

  /// Whether the line reads like the spine of a book, for many lines of one frame.
  func accepts(_ text: TextLineRegion, on books: Books) -> Bool {
    guard isWords(text.text) else { return false }
    let line = books.frame.pixels(from: text.outline ?? text.box.outline)
    guard line.isFinite, line.longSide > 0 else { return false }
    return isUpright(line) || books.outlines.contains { runs(line, along: $0) }
  }

  /// The objects of a frame that have a spine's proportions.
  struct Books {
    let frame: CoordinateSpace
    /// In pixels.
    let outlines: [Quadrilateral]

    init(_ outlines: [Quadrilateral], in frame: CoordinateSpace) {
      self.frame = frame
      let spines = SpineGeometry()
      self.outlines = outlines.map { frame.pixels(from: $0) }.filter { spines.isSpineShaped($0) }
    }
  }

  private func isWords(_ text: String) -> Bool {
    var letters = 0
    var digits = 0
    var others = 0
    for character in text where !character.isWhitespace {
      if character.isLetter {
        letters += 1
      } else if character.isNumber {
        digits += 1
      } else {
        others += 1
      }
    }
    let whole = Double(letters + digits + others)
    return letters >= minimumLetters && Double(letters + digits) >= minimumWordShare * whole
  }

  private func isUpright(_ line: Quadrilateral) -> Bool {
    let fromVertical = 90 - abs(degrees(line.angleOfLongAxis))
    return fromVertical <= maximumAngle && line.longSide >= minimumElongation * line.shortSide
  }

  private func runs(_ line: Quadrilateral, along book: Quadrilateral) -> Bool {
    guard book.contains(line.center) else { return false }
    var angle = abs(degrees(line.angleOfLongAxis - book.angleOfLongAxis))
    if angle > 90 { angle = 180 - angle }
    return angle <= maximumAngle && line.longSide >= minimumShare * book.longSide
  }

  private func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}

extension SpineTextRule: Codable {
  private enum Field: String, CodingKey, CaseIterable {
    case minimumLetters, minimumWordShare, maximumAngle, minimumShare, minimumElongation
  }

  /// Reads a rule; absent fields keep their defaults.
  ///
  /// - Throws: ``FrameConfigurationError`` for an unknown field or a value of the wrong kind.
  public init(from decoder: any Decoder) throws {
    self.init()
    let fields = try FieldReader<Field>(decoder)
    try fields.read(.minimumLetters, into: &minimumLetters, as: "a whole number")
    try fields.read(.minimumWordShare, into: &minimumWordShare, as: "a number")
    try fields.read(.maximumAngle, into: &maximumAngle, as: "a number")
    try fields.read(.minimumShare, into: &minimumShare, as: "a number")
    try fields.read(.minimumElongation, into: &minimumElongation, as: "a number")
  }

  /// Writes every field.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(minimumLetters, forKey: .minimumLetters)
    try fields.encode(minimumWordShare, forKey: .minimumWordShare)
    try fields.encode(maximumAngle, forKey: .maximumAngle)
    try fields.encode(minimumShare, forKey: .minimumShare)
    try fields.encode(minimumElongation, forKey: .minimumElongation)
  }
}
