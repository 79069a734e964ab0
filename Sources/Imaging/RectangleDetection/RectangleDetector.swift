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
    guard
      let picture = try LineSegmentDetector.faint(workingSide: configuration.workingSide)
        .edgePicture(of: image)
    else { return [] }
    let closing = RectangleSearch(
      EdgeViews(picture.gradient), of: picture.edges, leastLength: Self.leastSide)
    let scale = Double(picture.factor)
    let leastSide = configuration.minimumSize * Double(min(image.width, image.height))
    let found = closing.rectangles(surerThan: configuration.minimumConfidence)
      .compactMap { found -> DetectedRectangle? in
        let quad = found.quad.mapCorners { $0.scaled(x: scale, y: scale) }
        let aspect = quad.aspectRatio
        guard quad.longSide >= leastSide,
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
    let sorted = rectangles.map { (length: $0.seenLength, rectangle: $0) }
      .sorted { $0.length > $1.length }
    for (_, rectangle) in sorted where kept.count < configuration.maximumObservations {
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
  private let columns: LineTable
  /// Level lines, with columns and rows exchanged, strongest first.
  private let rows: LineTable
  /// Where they cross: for each upright line all level ones.
  private let crossings: [Point]

  /// So many lines of either direction are tried: the strongest.
  private static let most = 64
  /// The least share of a side with an edge under it.
  private static let leastSupport = 0.5
  /// The least length of a side, in pixels of the reduced picture.
  private static let leastLength = 4.0

  init(_ views: EdgeViews, of edges: [StraightEdge], leastLength: Double) {
    func table(_ view: EdgeView) -> LineTable {
      let lines = SideLine.lines(in: view, of: edges, leastLength: leastLength)
      return LineTable(Array(lines.prefix(Self.most)), height: view.height)
    }
    let (columns, rows) = (table(views.upright), table(views.turned))
    self.columns = columns
    self.rows = rows
    crossings = columns.courses.flatMap { column in
      rows.courses.map { row in
        // x = m y + c and y = n x + d; neither is more than 25 degrees off its axis, so that m n is below 1.
        let x =
          (column.slope * row.offset + column.offset) / (1 - column.slope * row.slope)
        return Point(x: x, y: row.slope * x + row.offset)
      }
    }
  }

  /// In pixels of the reduced picture, of at least a confidence.
  func rectangles(surerThan leastConfidence: Double) -> [DetectedRectangle] {
    var found: [DetectedRectangle] = []
    for first in columns.courses.indices {
      for second in columns.courses.indices.dropFirst(first + 1) {
        close(first, second, leastConfidence, into: &found)
      }
    }
    return found
  }

  /// Adds the rectangles between two upright lines.
  private func close(
    _ first: Int, _ second: Int, _ leastConfidence: Double, into found: inout [DetectedRectangle]
  ) {
    let (a, b) = (columns.courses[first], columns.courses[second])
    let middle = Double(max(a.top, b.top) + min(a.bottom, b.bottom)) / 2
    let isInOrder = a.column(at: middle) < b.column(at: middle)
    let (left, right) = isInOrder ? (first, second) : (second, first)
    var ends: [End] = []
    let count = rows.courses.count
    for row in 0..<count {
      let (from, to) = (crossings[left * count + row], crossings[right * count + row])
      guard to.x - from.x >= Self.leastLength else { continue }
      let side = Side(rows, row, from.x, to.x)
      if side.support >= Self.leastSupport { ends.append(End(left: from, right: to, side: side)) }
    }
    guard ends.count >= 2 else { return }
    ends.sort { $0.left.y < $1.left.y }
    for (index, upper) in ends.enumerated() {
      for lower in ends[(index + 1)...] {
        guard lower.left.y - upper.left.y >= Self.leastLength,
          lower.right.y - upper.right.y >= Self.leastLength
        else { continue }
        let leftSide = Side(columns, left, upper.left.y, lower.left.y)
        guard leftSide.support >= Self.leastSupport else { continue }
        let rightSide = Side(columns, right, upper.right.y, lower.right.y)
        guard rightSide.support >= Self.leastSupport else { continue }
        let (confidence, quad) = Self.judge(upper, rightSide, lower, leftSide)
        if confidence >= leastConfidence, quad.isConvex {
          found.append(DetectedRectangle(quad: quad, confidence: confidence))
        }
      }
    }
  }

  /// How sure it is that two ends and two sides are one outline.
  private static func judge(
    _ upper: End, _ right: Side, _ lower: End, _ left: Side
  ) -> (confidence: Double, quad: Quadrilateral) {
    let lengths = (
      upper.left.distance(to: upper.right), upper.right.distance(to: lower.right),
      lower.left.distance(to: lower.right), upper.left.distance(to: lower.left)
    )
    let seen =
      upper.side.support * lengths.0 + right.support * lengths.1
      + lower.side.support * lengths.2 + left.support * lengths.3
    let least = min(
      min(upper.side.support, right.support), min(lower.side.support, left.support))
    let leastEnd = min(
      min(upper.side.leastEnd, right.leastEnd), min(lower.side.leastEnd, left.leastEnd))
    let share = seen / (lengths.0 + lengths.1 + lengths.2 + lengths.3)
    return (
      (share + least + leastEnd) / 3,
      Quadrilateral(
        topLeft: upper.left, topRight: upper.right, bottomRight: lower.right,
        bottomLeft: lower.left)
    )
  }

  /// A level side between two upright lines.
  private struct End {
    let left: Point
    let right: Point
    let side: Side
  }

  /// How much of a line has an edge under it between two corners.
  private struct Side {
    let support: Double
    /// Of the fifths next to the corners the lesser.
    let leastEnd: Double

    /// Of a line, from one position along it to another.
    init(_ lines: LineTable, _ line: Int, _ from: Double, _ to: Double) {
      let fifth = max(2, (to - from) / 5)
      let (first, last) = (lines.count(above: from, of: line), lines.count(above: to, of: line))
      support = Double(last - first) / (to - from)
      leastEnd =
        Double(
          min(
            lines.count(above: from + fifth, of: line) - first,
            last - lines.count(above: to - fifth, of: line)))
        / fifth
    }
  }
}
