/// The mapping between an image and a network's input that keeps the aspect ratio.
///
/// The image is scaled by `ratio = min(H / h, W / w)` to `w * ratio` by `h * ratio` pixels,
/// truncated or rounded, and pasted onto a canvas of `W` by `H`. The ratio is computed in `Double`,
/// as Python does, so that the truncation agrees with YOLOX's pre-processing for every size.
///
/// Coordinates are scaled by `ratio` itself, not by the whole sizes, again as in YOLOX. Boxes are
/// scaled in `Float` with the ratio rounded to `Float`, which NumPy does with a float32 array.
public struct Letterbox: Hashable, Sendable {
  /// The place of the image on the canvas.
  public enum Placement: String, Hashable, Sendable, Codable, CaseIterable {
    /// In the top left corner (YOLOX).
    case topLeft
    /// In the middle; an odd margin is split with the larger part right or below.
    case centered
  }

  /// The rounding of sides to whole pixels.
  public enum SideRounding: String, Hashable, Sendable, Codable, CaseIterable {
    /// Truncated (YOLOX).
    case truncated
    /// Rounded to the nearest whole number, halves to the even one (YOLOv5 and later, torchvision).
    case nearest
  }

  /// The image's width in pixels.
  public let imageWidth: Int
  /// The image's height in pixels.
  public let imageHeight: Int
  /// The canvas's width in pixels.
  public let networkWidth: Int
  /// The canvas's height in pixels.
  public let networkHeight: Int
  /// The place of the image on the canvas.
  public let placement: Placement
  /// The rounding of the scaled sides.
  public let sides: SideRounding
  /// Network pixels per image pixel.
  public let ratio: Double
  /// The scaled image's width, in `1...networkWidth`.
  public let resizedWidth: Int
  /// The scaled image's height, in `1...networkHeight`.
  public let resizedHeight: Int
  /// The first column of the canvas that the image covers.
  public let offsetX: Int
  /// The first row of the canvas that the image covers.
  public let offsetY: Int

  /// Fits an image into a canvas.
  ///
  /// If an image is so long and thin that its scaled side truncates to 0, the side is one pixel.
  ///
  /// - Throws: ``GeometryError/invalidSize(width:height:)`` if a side is not in 1...2147483647.
  public init(
    imageWidth: Int, imageHeight: Int, networkWidth: Int, networkHeight: Int,
    placement: Placement = .topLeft, sides: SideRounding = .truncated
  ) throws(GeometryError) {
    try requireSize(width: imageWidth, height: imageHeight)
    try requireSize(width: networkWidth, height: networkHeight)
    let ratio = min(
      Double(networkHeight) / Double(imageHeight), Double(networkWidth) / Double(imageWidth))
    self.imageWidth = imageWidth
    self.imageHeight = imageHeight
    self.networkWidth = networkWidth
    self.networkHeight = networkHeight
    self.placement = placement
    self.sides = sides
    self.ratio = ratio
    let rule: FloatingPointRoundingRule =
      sides == .truncated ? .towardZero : .toNearestOrEven
    resizedWidth = max(Int((Double(imageWidth) * ratio).rounded(rule)), 1)
    resizedHeight = max(Int((Double(imageHeight) * ratio).rounded(rule)), 1)
    switch placement {
    case .topLeft:
      offsetX = 0
      offsetY = 0
    case .centered:
      offsetX = (networkWidth - resizedWidth) / 2
      offsetY = (networkHeight - resizedHeight) / 2
    }
  }
}

extension Letterbox {
  /// The place on the canvas of a point of the image.
  public func network(fromImage point: Point) -> Point {
    Point(x: point.x * ratio + Double(offsetX), y: point.y * ratio + Double(offsetY))
  }

  /// The place in the image of a point of the canvas; it is outside if the point is in the margin.
  public func image(fromNetwork point: Point) -> Point {
    Point(x: (point.x - Double(offsetX)) / ratio, y: (point.y - Double(offsetY)) / ratio)
  }

  /// The place on the canvas of a box of the image.
  public func network(fromImage box: Box) -> Box {
    box.scaled(by: Float(ratio)).translated(dx: Float(offsetX), dy: Float(offsetY))
  }

  /// The place in the image of a box of the canvas, not clipped to the image.
  public func image(fromNetwork box: Box) -> Box {
    // This is a division, not a product with the inverse, because they round differently.
    let ratio = Float(ratio)
    let moved = box.translated(dx: -Float(offsetX), dy: -Float(offsetY))
    return Box(
      minX: moved.minX / ratio, minY: moved.minY / ratio,
      maxX: moved.maxX / ratio, maxY: moved.maxY / ratio)
  }
}

extension Letterbox: Codable {
  private enum CodingKeys: String, CodingKey {
    case imageWidth, imageHeight, networkWidth, networkHeight, placement, sides
  }

  /// Reads the sizes and the placement, and fits again.
  ///
  /// - Throws: ``GeometryError/invalidSize(width:height:)``, or a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      imageWidth: values.decode(Int.self, forKey: .imageWidth),
      imageHeight: values.decode(Int.self, forKey: .imageHeight),
      networkWidth: values.decode(Int.self, forKey: .networkWidth),
      networkHeight: values.decode(Int.self, forKey: .networkHeight),
      placement: values.decode(Placement.self, forKey: .placement),
      // Files of earlier versions do not have this field.
      sides: values.decodeIfPresent(SideRounding.self, forKey: .sides) ?? .truncated)
  }

  /// Writes the sizes and the placement, from which the other values follow.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(imageWidth, forKey: .imageWidth)
    try values.encode(imageHeight, forKey: .imageHeight)
    try values.encode(networkWidth, forKey: .networkWidth)
    try values.encode(networkHeight, forKey: .networkHeight)
    try values.encode(placement, forKey: .placement)
    try values.encode(sides, forKey: .sides)
  }
}
