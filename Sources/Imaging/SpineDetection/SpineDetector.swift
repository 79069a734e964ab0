import Geometry
import LineSegments
import Raster
import RectangleDetection
import SpineHeuristics
import _CLibrary

/// Finds the spines of books in a picture: standing, leaning or lying, side by side or in stacks.
///
/// A spine is the area between two long, nearly parallel lines with edges under most of their
/// length. It is closed by level edges, and has no such line inside. Neighbours share a line. The
/// lines of a direction are chosen that make the best row of spines of similar thickness on one
/// floor (dynamic programming, `SpineRow`). Gaps between books are thin, dark and open at the
/// top. Then it searches for the next row beside, above and below, standing or lying.
///
/// No text is read and no model is run. Complexity: O(pixels + lines^2 length).
public struct SpineDetector: Hashable, Sendable {
  /// The thresholds.
  public var configuration: SpineDetectionConfiguration

  /// Makes a detector.
  public init(configuration: SpineDetectionConfiguration = SpineDetectionConfiguration()) {
    self.configuration = configuration
  }

  /// The spines, in reading order: rows from top to bottom, each from left to right, the books of a
  /// stack from top to bottom.
  ///
  /// Lines of text that a recognizer has found help, if there are some: no side of a book runs
  /// along one, and what has one inside is not a gap.
  ///
  /// - Parameters:
  ///   - image: the picture, upright.
  ///   - textLines: outlines of lines of text in pixels of the picture; those that are not convex
  ///     count for nothing.
  /// - Throws: ``SpineDetectionError`` if a threshold is out of its range.
  public func spines(
    in image: Raster, textLines: [Quadrilateral] = []
  ) throws(SpineDetectionError) -> [DetectedSpine] {
    let configuration = try configuration.validated()
    guard
      let picture = LineSegmentDetector.faint(workingSide: configuration.workingSide)
        .edgePicture(of: image)
    else { return [] }
    let scale = Double(picture.factor)
    let geometry = SpineGeometry()
    let text = textLines.filter(\.isConvex).map { line in
      line.mapCorners { $0.scaled(x: 1 / scale, y: 1 / scale) }
    }
    let found = rows(in: picture, text, configuration).flatMap(\.spines)
    let spines = found.compactMap { spine -> DetectedSpine? in
      let outline = spine.outline.mapCorners { $0.scaled(x: scale, y: scale) }
      let confidence = Self.confidence(ofScore: spine.score)
      guard confidence >= configuration.minimumConfidence,
        let orientation = geometry.orientation(of: outline)
      else { return nil }
      return DetectedSpine(quad: outline, confidence: confidence, orientation: orientation)
    }
    return geometry.readingOrder(of: spines.map(\.quad)).map { spines[$0] }
  }

  /// Rows and stacks, the one that explains most of the picture first.
  private func rows(
    in picture: EdgePicture, _ text: [Quadrilateral],
    _ configuration: SpineDetectionConfiguration
  ) -> [SpineRow] {
    let both = EdgeViews(picture.gradient)
    let views = [both.upright, both.turned].map {
      ShelfView($0, of: picture, text: text, configuration: configuration)
    }
    var rows: [SpineRow] = []
    // Hulls in each view's own pixels.
    var taken: [[TakenRegion]] = [[], []]
    for _ in 0..<configuration.maximumRows {
      let found = zip(views, taken).compactMap { view, taken in
        SpineRow(in: view, taken: taken, configuration: configuration)
      }
      guard let row = found.max(by: { $0.explained < $1.explained }) else { break }
      if let first = rows.first {
        // A lone piece beside the books, or a row far smaller than they are, is something else.
        let score = row.spines.reduce(0) { $0 + $1.score } / Double(row.spines.count)
        guard row.spines.count >= 3, row.length >= first.length / 2, score >= 0.3 else { break }
      }
      rows.append(row)
      let outlines = row.spines.map(\.outline)
      taken[0].append(TakenRegion(outlines))
      taken[1].append(TakenRegion(outlines.map(\.transposed)))
    }
    return rows
  }

  /// The share of right spines among those of a score.
  ///
  /// It is a logistic curve, fitted to the tuning photos and damaged copies of them, see
  /// `Docs/Spines.md`.
  private static func confidence(ofScore score: Double) -> Double {
    1 / (1 + exp(-(1.15 + 6.3 * score)))
  }
}

/// A spine found in a picture.
public struct DetectedSpine: Hashable, Sendable {
  /// Its corners in pixels of the picture, origin at the top left: clockwise from the one at the
  /// top left as it is seen, whichever way the text runs.
  public var quad: Quadrilateral
  /// How sure it is to be one spine, 0 to 1.
  public var confidence: Double
  /// How the book stands.
  public var orientation: SpineOrientation

  /// Makes a spine of its outline, its confidence and how it stands.
  public init(quad: Quadrilateral, confidence: Double, orientation: SpineOrientation) {
    self.quad = quad
    self.confidence = confidence
    self.orientation = orientation
  }
}
