/// A non-empty rectangle of whole pixels, origin at the top left.
public struct PixelRect: Hashable, Sendable {
  /// The first column.
  public let x: Int
  /// The first row.
  public let y: Int
  /// The number of columns, at least 1.
  public let width: Int
  /// The number of rows, at least 1.
  public let height: Int

  /// Makes a rectangle, or nil if it would be empty or its far edge would overflow.
  public init?(x: Int, y: Int, width: Int, height: Int) {
    guard width > 0, height > 0, !x.addingReportingOverflow(width).overflow,
      !y.addingReportingOverflow(height).overflow
    else { return nil }
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The pixels of a box: its corners truncated toward zero, then clamped to an image.
  ///
  /// The far edges are exclusive, as in a slice. Nil if nothing is left, or if the box is not
  /// finite.
  ///
  /// - Parameters:
  ///   - box: in pixels, origin at the top left.
  ///   - imageWidth: the image's width.
  ///   - imageHeight: the image's height.
  public init?(truncating box: Box, inWidth imageWidth: Int, height imageHeight: Int) {
    guard box.isFinite, imageWidth > 0, imageHeight > 0 else { return nil }
    // Clamping before the conversion gives the same result and cannot overflow.
    func edge(_ coordinate: Float, _ limit: Int) -> Int {
      if coordinate <= 0 { return 0 }
      return Double(coordinate) >= Double(limit) ? limit : min(Int(coordinate), limit)
    }
    let left = edge(box.minX, imageWidth)
    let top = edge(box.minY, imageHeight)
    self.init(
      x: left, y: top, width: edge(box.maxX, imageWidth) - left,
      height: edge(box.maxY, imageHeight) - top)
  }
}

extension PixelRect {
  /// The column after the last.
  public var maxX: Int { x + width }

  /// The row after the last.
  public var maxY: Int { y + height }

  /// The number of pixels, `Int.max` if there are more.
  public var area: Int {
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : area
  }
}

extension PixelRect: Codable {
  private enum CodingKeys: String, CodingKey {
    case x, y, width, height
  }

  /// Reads a rectangle; if ``init(x:y:width:height:)`` refuses it, throws a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let rect = PixelRect(
      x: try values.decode(Int.self, forKey: .x), y: try values.decode(Int.self, forKey: .y),
      width: try values.decode(Int.self, forKey: .width),
      height: try values.decode(Int.self, forKey: .height))
    guard let rect else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a rectangle's width and height must be at least 1"))
    }
    self = rect
  }
}

extension Box {
  /// The box around whole pixels.
  public init(_ rect: PixelRect) {
    self.init(
      minX: Float(rect.x), minY: Float(rect.y), maxX: Float(rect.maxX), maxY: Float(rect.maxY))
  }
}
