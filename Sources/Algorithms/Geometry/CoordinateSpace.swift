/// Converts between pixels and normalized coordinates in an image of known size.
///
/// *Pixels*: origin at the top left, y downward. *Normalized*: shares of width and height, 0...1,
/// origin at the bottom left, y upward. For a box, `x = bx*W`, `w = bw*W`, `h = bh*H`,
/// `y = H - by*H - h`.
///
/// ### Exactness
/// The computation is in `Double`, and pixel coordinates are rounded to multiples of 2^-30: less
/// than any measurement, more than the rounding errors of both conversions together. A pixel box
/// whose coordinates are such multiples (as every `Float` of magnitude 1/128 or more, and 0, is)
/// therefore comes back bit for bit, for sides up to 65,536 and coordinates within twice that.
public struct CoordinateSpace: Hashable, Sendable {
  /// The image's width in pixels.
  public let width: Int
  /// The image's height in pixels.
  public let height: Int

  /// Makes the conversion for an image.
  ///
  /// - Throws: ``GeometryError/invalidSize(width:height:)`` if a side is not in 1...2147483647.
  public init(width: Int, height: Int) throws(GeometryError) {
    try requireSize(width: width, height: height)
    self.width = width
    self.height = height
  }
}

extension CoordinateSpace {
  /// The box in pixels of a normalized box.
  public func pixels(from box: NormalizedBox) -> Box {
    let width = Double(width)
    let height = Double(height)
    let left = box.x * width
    let top = height - box.y * height - box.height * height
    return Box(
      minX: Float(snapped(left)), minY: Float(snapped(top)),
      maxX: Float(snapped(left + box.width * width)),
      maxY: Float(snapped(top + box.height * height)))
  }

  /// The normalized box of a box in pixels.
  public func normalized(from box: Box) -> NormalizedBox {
    let width = Double(width)
    let height = Double(height)
    return NormalizedBox(
      x: Double(box.minX) / width, y: (height - Double(box.maxY)) / height,
      width: (Double(box.maxX) - Double(box.minX)) / width,
      height: (Double(box.maxY) - Double(box.minY)) / height)
  }

  /// The point in pixels of a normalized point.
  public func pixels(from normalized: Point) -> Point {
    Point(
      x: snapped(normalized.x * Double(width)),
      y: snapped(Double(height) - normalized.y * Double(height)))
  }

  /// The normalized point of a point in pixels.
  public func normalized(from pixels: Point) -> Point {
    Point(x: pixels.x / Double(width), y: (Double(height) - pixels.y) / Double(height))
  }

  /// The quadrilateral in pixels of a normalized quadrilateral.
  public func pixels(from normalized: Quadrilateral) -> Quadrilateral {
    normalized.mapCorners { pixels(from: $0) }
  }

  /// The normalized quadrilateral of a quadrilateral in pixels.
  public func normalized(from pixels: Quadrilateral) -> Quadrilateral {
    pixels.mapCorners { normalized(from: $0) }
  }

  /// The nearest multiple of 2^-30; scaling by a power of two is exact.
  private func snapped(_ coordinate: Double) -> Double {
    let scale = 1_073_741_824.0
    let scaled = coordinate * scale
    return scaled.isFinite ? scaled.rounded() / scale : coordinate
  }
}

extension CoordinateSpace: Codable {
  private enum CodingKeys: String, CodingKey {
    case width, height
  }

  /// Reads a size.
  ///
  /// - Throws: ``GeometryError/invalidSize(width:height:)``, or a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      width: values.decode(Int.self, forKey: .width),
      height: values.decode(Int.self, forKey: .height))
  }
}
