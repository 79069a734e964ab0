import Geometry
import LineSegments
import Raster

/// Finds rectangles in a picture, in perspective too: books, covers, cards, labels, screens.
///
/// Straight edges are joined to long lines, upright and level ones separately, up to 25 degrees off
/// either axis. Two upright lines and two level ones are a rectangle if they close a quadrilateral
/// with edges under all of its sides. Rectangles with a longer seen outline come first: a letter's
/// stroke is a rectangle too, but not one that people want. If several overlap, the first is kept.
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
  /// - Throws: ``RectangleError`` if a limit is out of its range.
  public func rectangles(in image: Raster) throws(RectangleError) -> [DetectedRectangle] {
    let configuration = try configuration.validated()
    guard
      let picture = LineSegmentDetector.faint(workingSide: configuration.workingSide)
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
    var kept: [(rectangle: DetectedRectangle, area: Double)] = []
    let sorted = rectangles.map { (length: $0.seenLength, rectangle: $0) }
      .sorted { $0.length > $1.length }
    for (_, rectangle) in sorted where kept.count < configuration.maximumObservations {
      let area = rectangle.quad.area
      let isDistinct = kept.allSatisfy { other in
        // What is so much smaller cannot share more of the union.
        min(area, other.area) <= configuration.maximumOverlap * max(area, other.area)
          || other.rectangle.quad.iou(rectangle.quad) <= configuration.maximumOverlap
      }
      if isDistinct { kept.append((rectangle, area)) }
    }
    return kept.map(\.rectangle)
  }
}

/// A rectangle found in a picture.
public struct DetectedRectangle: Hashable, Sendable {
  /// Its corners in pixels of the picture, origin at the top left: clockwise from the one at the
  /// top left as it is seen.
  public var quad: Quadrilateral
  /// How sure its outline is, 0 to 1.
  ///
  /// It is the mean of three shares that have an edge under them: of the whole outline, of its
  /// weakest side, and of its weakest end. An end is the fifth of a side next to a corner. If lines
  /// of different objects only seem to meet, the end there has no edge.
  public var confidence: Double

  /// Makes a rectangle of its outline and confidence.
  public init(quad: Quadrilateral, confidence: Double) {
    self.quad = quad
    self.confidence = confidence
  }

  /// Of the outline, in pixels.
  fileprivate var seenLength: Double { confidence * (quad.longSide + quad.shortSide) * 2 }
}
