import Geometry

/// What a network says of each cell of a picture: whether a spine is there, and how it stands.
///
/// `SpineSegmentationModel` in the module `ReferenceModels` makes them. An app with a network of
/// its own, such as one in Core ML, makes them of that network's output.
public struct SpineMaps: Sendable {
  /// What one value of a cell says.
  public enum Plane: Int, CaseIterable, Sendable {
    /// The probability that the cell shows a spine.
    case spine
    /// The probability that the cell is in the middle half of a spine's thickness.
    ///
    /// Neighbours touch in ``spine``, and are apart in this plane.
    case core
    /// The probability that a long side of a spine runs through the cell.
    case side
    /// The probability that the cell shows the cut edges of pages.
    case foreEdge
    /// The probability that the cell shows a board of a shelf.
    case board
    /// The cosine of twice the angle of the spine's long axis, -1...1.
    ///
    /// The angle grows from the right toward the bottom of the picture.
    case cosine
    /// The sine of twice that angle, -1...1.
    case sine
  }

  /// How many cells there are from left to right.
  public let width: Int
  /// How many cells there are from top to bottom.
  public let height: Int
  /// How many pixels of the picture a cell is wide.
  public let cellWidth: Double
  /// How many pixels of the picture a cell is high.
  public let cellHeight: Double
  /// The cells that the network processed; nil if all.
  public let seen: PixelRect?
  let values: [Float]

  /// Takes the planes one after another, each row by row.
  ///
  /// Values that are not numbers count as 0, probabilities are clipped to 0...1. O(cells).
  ///
  /// - Parameters:
  ///   - values: `7 * width * height` of them, in the order of ``Plane``.
  ///   - width: how many cells a row has; those beyond the picture's right side are left out by the
  ///     caller.
  ///   - height: how many rows there are.
  ///   - cellWidth: how many pixels of the picture a cell is wide, above 0.
  ///   - cellHeight: how many pixels of the picture a cell is high, above 0.
  ///   - seen: the cells that the network processed, if not all; the others are 0.
  /// - Throws: ``SpineDetectionError/mapSize(values:width:height:)`` if the numbers do not fit.
  public init(
    values: [Float], width: Int, height: Int, cellWidth: Double, cellHeight: Double,
    seen: PixelRect? = nil
  ) throws(SpineDetectionError) {
    let (cells, tooMany) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !tooMany, cells <= Int.max / Self.planes,
      values.count == Self.planes * cells, cellWidth > 0, cellHeight > 0, cellWidth.isFinite,
      cellHeight.isFinite
    else {
      throw .mapSize(values: values.count, width: width, height: height)
    }
    self.width = width
    self.height = height
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
    self.seen = seen
    let probabilities = Plane.cosine.rawValue * cells
    self.values = values.indices.map { index in
      let value = values[index]
      let low: Float = index < probabilities ? 0 : -1
      return value.isNaN ? 0 : min(max(value, low), 1)
    }
  }

  private static let planes = Plane.allCases.count

  /// Whether the network processed all of a shape, in cells.
  func hasSeen(_ box: Box) -> Bool {
    guard let seen else { return true }
    // An outline may end a cell beyond what it is of.
    return Double(box.minX) >= Double(seen.x) - 1 && Double(box.minY) >= Double(seen.y) - 1
      && Double(box.maxX) <= Double(seen.x) + Double(seen.width) + 1
      && Double(box.maxY) <= Double(seen.y) + Double(seen.height) + 1
  }

  /// The place in ``values`` of a plane's first cell.
  func start(of plane: Plane) -> Int { plane.rawValue * height * width }

  /// The value of a cell; 0 outside.
  subscript(plane: Plane, x: Int, y: Int) -> Float {
    guard x >= 0, y >= 0, x < width, y < height else { return 0 }
    return values[(plane.rawValue * height + y) * width + x]
  }

  /// The value at a place between cells' middles, bilinear; places in cells.
  func value(_ plane: Plane, at point: Point) -> Double {
    let (x, y) = (point.x - 0.5, point.y - 0.5)
    // Nearly all places have four cells around them, which need no check of their own.
    if x >= 0, y >= 0, x < Double(width - 1), y < Double(height - 1) {
      let (left, top) = (Int(x), Int(y))
      let place = start(of: plane) + top * width + left
      return Self.bilinear(
        (values[place], values[place + 1]), (values[place + width], values[place + width + 1]),
        x - Double(left), y - Double(top))
    }
    // NaN and infinity fail this too.
    guard abs(point.x) < 1e6, abs(point.y) < 1e6 else { return 0 }
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    return Self.bilinear(
      (self[plane, left, top], self[plane, left + 1, top]),
      (self[plane, left, top + 1], self[plane, left + 1, top + 1]),
      x - Double(left), y - Double(top))
  }

  /// The value between two neighbours in a row and the two below them, at shares of the way.
  private static func bilinear(
    _ upper: (left: Float, right: Float), _ lower: (left: Float, right: Float), _ u: Double,
    _ v: Double
  ) -> Double {
    let above = Double(upper.left) * (1 - u) + Double(upper.right) * u
    let below = Double(lower.left) * (1 - u) + Double(lower.right) * u
    return above * (1 - v) + below * v
  }
}
