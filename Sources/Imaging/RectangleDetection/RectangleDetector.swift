import Geometry
import LineSegments
import Raster

/// Finds rectangles in a picture, in perspective too: books, covers, cards, labels, screens.
///
/// Straight edges are joined to long lines, upright and level ones apart, up to 25 degrees off either axis.
/// Two upright lines and two level ones that close a quadrilateral with edges under all of its sides are a
/// rectangle. The longer the outline that is seen, the sooner it is reported: a letter's stroke is a rectangle
/// as well, but nobody looks for it. Of several that overlap, the first is kept.
///
/// Sides shorter than a thirtieth of the picture's width or height are not found.
///
/// Complexity: O(pixels + lines^3).
public struct RectangleDetector: Hashable, Sendable {
  /// The limits.
  public var configuration: RectangleConfiguration

  /// Makes a detector.
  public init(configuration: RectangleConfiguration = RectangleConfiguration()) {
    self.configuration = configuration
  }

  /// The least length of a side, as a share of the picture's width or height.
  private static let leastSide = 0.03

  /// The rectangles, those with the longest outline seen first.
  ///
  /// - Throws: ``RectangleError`` where a limit is out of its range.
  public func rectangles(in image: Raster) throws -> [DetectedRectangle] {
    let configuration = try configuration.validated()
    let detector = LineSegmentDetector(
      workingSide: configuration.workingSide, leastContrast: 4, leastLength: 8)
    guard let picture = try detector.edgePicture(of: image) else { return [] }
    func lines(isTurned: Bool) -> [SideLine] {
      SideLine.lines(
        in: EdgeView(picture.gradient, isTurned: isTurned), of: picture.edges,
        leastLength: Self.leastSide)
    }
    let closing = RectangleSearch(columns: lines(isTurned: false), rows: lines(isTurned: true))
    let scale = Double(picture.factor)
    let leastSide = configuration.minimumSize * Double(min(image.width, image.height))
    let found = closing.rectangles().compactMap { found -> DetectedRectangle? in
      let quad = found.quad.mapCorners { $0.scaled(x: scale, y: scale) }
      let aspect = quad.aspectRatio
      guard found.confidence >= configuration.minimumConfidence, quad.longSide >= leastSide,
        aspect >= configuration.minimumAspectRatio, aspect <= configuration.maximumAspectRatio
      else { return nil }
      return DetectedRectangle(quad: quad, confidence: found.confidence)
    }
    return distinct(found, configuration)
  }

  /// Those that don't overlap one before.
  private func distinct(
    _ rectangles: [DetectedRectangle], _ configuration: RectangleConfiguration
  ) -> [DetectedRectangle] {
    var kept: [DetectedRectangle] = []
    let sorted = rectangles.sorted { $0.seenLength > $1.seenLength }
    for rectangle in sorted where kept.count < configuration.maximumObservations {
      if kept.allSatisfy({ $0.quad.iou(rectangle.quad) <= configuration.maximumOverlap }) {
        kept.append(rectangle)
      }
    }
    return kept
  }
}

/// A rectangle found in a picture.
public struct DetectedRectangle: Hashable, Sendable {
  /// Its corners in pixels of the picture, origin at the top left: clockwise from the one at the top left
  /// as it is seen.
  public var quad: Quadrilateral
  /// How sure its outline is, 0 to 1.
  ///
  /// The mean of three shares that have an edge under them: of the whole outline, of the side with the least,
  /// and of the end of a side, the fifth of it next to a corner, with the least. Where lines of different
  /// things only seem to meet, that end has none.
  public var confidence: Double

  /// Makes a rectangle of its outline and confidence.
  public init(quad: Quadrilateral, confidence: Double) {
    self.quad = quad
    self.confidence = confidence
  }

  /// Of the outline, in pixels.
  fileprivate var seenLength: Double { confidence * (quad.longSide + quad.shortSide) * 2 }
}

/// Closes quadrilaterals of long lines.
struct RectangleSearch {
  /// Upright lines, strongest first.
  let columns: [SideLine]
  /// Level lines, with columns and rows exchanged, strongest first.
  let rows: [SideLine]

  /// So many lines of either direction are tried: the strongest.
  private static let most = 64
  /// The least share of a side with an edge under it.
  private static let leastSupport = 0.5

  /// In pixels of the reduced picture.
  func rectangles() -> [DetectedRectangle] {
    let columns = columns.prefix(Self.most)
    let rows = rows.prefix(Self.most)
    var found: [DetectedRectangle] = []
    for (index, a) in columns.enumerated() {
      for b in columns.dropFirst(index + 1) {
        let middle = Double(max(a.top, b.top) + min(a.bottom, b.bottom)) / 2
        let (left, right) = a.column(at: middle) < b.column(at: middle) ? (a, b) : (b, a)
        let crossing = rows.compactMap { Crossing($0, left, right, least: Self.leastSupport) }
          .sorted { $0.left.y < $1.left.y }
        for (index, upper) in crossing.enumerated() {
          for lower in crossing.dropFirst(index + 1) {
            if let rectangle = close(left, right, upper, lower) { found.append(rectangle) }
          }
        }
      }
    }
    return found
  }

  private func close(
    _ left: SideLine, _ right: SideLine, _ upper: Crossing, _ lower: Crossing
  ) -> DetectedRectangle? {
    let quad = Quadrilateral(
      topLeft: upper.left, topRight: upper.right, bottomRight: lower.right,
      bottomLeft: lower.left)
    guard lower.left.y - upper.left.y >= 4, lower.right.y - upper.right.y >= 4, quad.isConvex
    else { return nil }
    let sides = [
      Side(upper.line, upper.left.x, upper.right.x), Side(right, upper.right.y, lower.right.y),
      Side(lower.line, lower.left.x, lower.right.x), Side(left, upper.left.y, lower.left.y),
    ]
    guard let least = sides.map(\.support).min(), least >= Self.leastSupport,
      let leastEnd = sides.map(\.leastEnd).min()
    else { return nil }
    let corners = quad.corners
    let lengths = (0..<4).map { corners[$0].distance(to: corners[($0 + 1) % 4]) }
    let seen = zip(sides, lengths).reduce(0) { $0 + $1.0.support * $1.1 } / lengths.reduce(0, +)
    return DetectedRectangle(quad: quad, confidence: (seen + least + leastEnd) / 3)
  }

  /// How much of a line has an edge under it between two corners.
  private struct Side {
    let support: Double
    /// Of the fifths next to the corners the lesser.
    let leastEnd: Double

    init(_ line: SideLine, _ from: Double, _ to: Double) {
      let (from, to) = (Int(from), Int(to))
      let fifth = max(2, (to - from) / 5)
      support = line.support(from, to)
      leastEnd = min(line.support(from, from + fifth), line.support(to - fifth, to))
    }
  }

  /// Where a level line crosses two upright ones.
  private struct Crossing {
    let line: SideLine
    let left: Point
    let right: Point

    /// Nil where too little of the line between the two has an edge under it.
    init?(_ row: SideLine, _ first: SideLine, _ second: SideLine, least: Double) {
      line = row
      left = Self.point(row, first)
      right = Self.point(row, second)
      guard right.x - left.x >= 4, row.support(Int(left.x), Int(right.x)) >= least
      else { return nil }
    }

    /// x = m y + c and y = n x + d; neither is steeper than 25 degrees, so that m n is below 1.
    private static func point(_ row: SideLine, _ column: SideLine) -> Point {
      let x =
        (column.slope * row.offset + column.offset) / (1 - column.slope * row.slope)
      return Point(x: x, y: row.slope * x + row.offset)
    }
  }
}
