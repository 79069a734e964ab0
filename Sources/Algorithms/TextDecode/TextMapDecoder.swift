import Geometry

/// Turns the map of a text detector with differentiable binarization (DB) into regions.
///
/// ```swift
/// let decoder = TextMapDecoder()
/// let regions = try decoder.regions(
///   in: probabilities, width: 736, height: 992, imageWidth: 900, imageHeight: 1200)
/// for region in regions.inReadingOrder() { print(region.outline, region.score) }
/// ```
///
/// Pixels above ``threshold`` are text. Around each connected region of them, and around each hole,
/// the decoder finds the smallest turned rectangle. Its score is its mean probability. Its sides
/// are then moved outwards by the margin that the network was trained to leave out. The steps and
/// their arithmetic are those of PaddleOCR's post-processing as RapidOCR 1.4.4 runs it on OpenCV 5
/// and Clipper 6.4, corner for corner.
///
/// Source: Liao et al., "Real-time Scene Text Detection with Differentiable Binarization", 2020,
/// section "Inference"; offset `D = area * ratio / length`.
public struct TextMapDecoder: Hashable, Sendable, Codable {
  /// The probability that a pixel must exceed, 0...1.
  public var threshold: Float
  /// The lowest mean probability of a region, inclusive, 0...1.
  public var minimumScore: Double
  /// How far regions are moved outwards: this many times area over length of their outline, 0...10.
  public var unclipRatio: Double
  /// The greatest number of borders of regions and holes, at least 1, in reverse scan order.
  public var maximumCandidates: Int
  /// Whether regions are dilated by 2 x 2 pixels first, so that letters with thin gaps are one
  /// region.
  public var dilates: Bool

  /// Makes a decoder; the defaults are RapidOCR's for PP-OCRv4.
  public init(
    threshold: Float = 0.3, minimumScore: Double = 0.5, unclipRatio: Double = 1.6,
    maximumCandidates: Int = 1000, dilates: Bool = true
  ) {
    self.threshold = threshold
    self.minimumScore = minimumScore
    self.unclipRatio = unclipRatio
    self.maximumCandidates = maximumCandidates
    self.dilates = dilates
  }

  /// Regions thinner than this on the map are dropped, in pixels.
  private static let leastThickness: Float = 3

  /// The regions of a map, in reverse scan order, as OpenCV returns contours.
  ///
  /// ### Edge cases
  /// A NaN in the map is not text, and a region whose rectangle holds one is left out.
  ///
  /// - Parameters:
  ///   - map: `width * height` probabilities, row after row.
  ///   - width: the map's width.
  ///   - height: the map's height.
  ///   - imageWidth: the width of the image that the map is of; regions are scaled to it.
  ///   - imageHeight: its height.
  /// - Complexity: O(pixels of the map and of the rectangles).
  /// - Throws: ``TextDecodeError``.
  public func regions(
    in map: [Float], width: Int, height: Int, imageWidth: Int, imageHeight: Int
  ) throws(TextDecodeError) -> [TextRegion] {
    try map.withUnsafeBufferPointer { (map) throws(TextDecodeError) in
      try regions(
        in: map, width: width, height: height, imageWidth: imageWidth, imageHeight: imageHeight)
    }
  }

  /// The regions of a map that is in no array, such as a tensor.
  ///
  /// The same as ``regions(in:width:height:imageWidth:imageHeight:)-([Float],_,_,_,_)``. The buffer
  /// is only read, and only during the call.
  ///
  /// - Throws: ``TextDecodeError``.
  public func regions(
    in map: UnsafeBufferPointer<Float>, width: Int, height: Int, imageWidth: Int, imageHeight: Int
  ) throws(TextDecodeError) -> [TextRegion] {
    try check()
    let count = try Self.pixels(width, height)
    _ = try Self.pixels(imageWidth, imageHeight)
    guard map.count == count else { throw .valueCount(got: map.count, expected: count) }
    let borders = BorderTracing(
      of: TextMask(map, width: width, height: height, threshold: threshold, dilates: dilates))
    var found: [TextRegion] = []
    for index in 0..<min(borders.count, maximumCandidates) {
      let tight = MinimumAreaRectangle(around: borders[index])
      guard tight.shortSide >= Self.leastThickness else { continue }
      let score = BoxScore.mean(of: map, width: width, height: height, in: tight.corners)
      guard score >= minimumScore else { continue }
      let wide = MinimumAreaRectangle(around: moved(tight.corners)[...])
      guard wide.shortSide >= Self.leastThickness + 2 else { continue }
      let corners = wide.corners.map { corner in
        SIMD2(
          Self.scaled(corner.x, from: width, to: imageWidth),
          Self.scaled(corner.y, from: height, to: imageHeight))
      }
      if let outline = Self.outline(corners, width: imageWidth, height: imageHeight) {
        found.append(TextRegion(outline: outline, score: score))
      }
    }
    return found
  }

  private func check() throws(TextDecodeError) {
    let settings: [(String, Double, ClosedRange<Double>)] = [
      ("threshold", Double(threshold), 0...1), ("minimumScore", minimumScore, 0...1),
      ("unclipRatio", unclipRatio, 0...10),
      ("maximumCandidates", Double(maximumCandidates), 1...Double(Int32.max)),
    ]
    for (field, value, range) in settings where !range.contains(value) {
      let text =
        field == "maximumCandidates"
        ? "1...\(Int32.max)" : "\(Int(range.lowerBound))...\(Int(range.upperBound))"
      throw .setting(field: field, value: value, range: text)
    }
  }

  /// How many pixels a size has; coordinates beyond 2^24 are not a `Float`.
  private static func pixels(_ width: Int, _ height: Int) throws(TextDecodeError) -> Int {
    let range = 1...1 << 24
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard range.contains(width), range.contains(height), !overflow else {
      throw .invalidSize(width: width, height: height)
    }
    return count
  }

  /// The rectangle moved outwards, a polygon with round corners.
  private func moved(_ corners: [SIMD2<Float>]) -> [GridPoint] {
    var (twiceArea, length) = (0.0, 0.0)
    for (index, a) in corners.enumerated() {
      let b = corners[(index + 1) % corners.count]
      twiceArea += Double(a.x) * Double(b.y) - Double(b.x) * Double(a.y)
      let (dx, dy) = (Double(b.x) - Double(a.x), Double(b.y) - Double(a.y))
      length += (dx * dx + dy * dy).squareRoot()
    }
    // Fractions are lost on the way into Clipper's whole numbers.
    let whole = corners.map { GridPoint(x: Int32($0.x), y: Int32($0.y)) }
    let moved = RoundOffset(whole, by: abs(twiceArea) / 2 * unclipRatio / length).points
    return moved.isEmpty ? whole : moved
  }

  private static func scaled(_ value: Float, from size: Int, to imageSize: Int) -> Float {
    let scaled = (value / Float(size) * Float(imageSize)).rounded(.toNearestOrEven)
    return min(max(scaled, 0), Float(imageSize))
  }

  /// The corners named by where they are and put inside the image; nil if too little is left.
  private static func outline(
    _ corners: [SIMD2<Float>], width: Int, height: Int
  ) -> Quadrilateral? {
    let byX = corners.indices.sorted { a, b in
      corners[a].x != corners[b].x ? corners[a].x < corners[b].x : a < b
    }.map { corners[$0] }
    func upperFirst(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> (Point, Point) {
      let (upper, lower) = b.y < a.y ? (b, a) : (a, b)
      return (inside(upper), inside(lower))
    }
    func inside(_ corner: SIMD2<Float>) -> Point {
      Point(
        x: Double(min(corner.x, Float(width - 1))), y: Double(min(corner.y, Float(height - 1))))
    }
    let (topLeft, bottomLeft) = upperFirst(byX[0], byX[1])
    let (topRight, bottomRight) = upperFirst(byX[2], byX[3])
    guard topLeft.distance(to: topRight) >= 4, topLeft.distance(to: bottomLeft) >= 4 else {
      return nil
    }
    return Quadrilateral(
      topLeft: topLeft, topRight: topRight, bottomRight: bottomRight, bottomLeft: bottomLeft)
  }
}
