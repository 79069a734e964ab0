import Geometry
import Raster

/// Finds the straight edges of a picture.
///
/// Edges are drawn as chains of pixels, one pixel wide, along the ridges of the gradient. Chains
/// are cut into pieces that a line fits. A piece counts if enough of its pixels have a gradient
/// across it: chance would not produce one such piece in the whole picture. This is the a-contrario
/// test, computed by Chernoff's bound of the binomial tail.
///
/// The picture is first reduced by a whole factor, so that the longer side is at most
/// ``workingSide``. Each new pixel is the mean of a square of old ones. Then the long edges that
/// matter are as clear as before, there is less noise, and the time does not grow with the camera.
/// Ends are good to about a pixel of the reduced picture. The place of a long line across itself is
/// good to a seventh of a pixel.
///
/// Complexity: O(pixels).
///
/// Sources: Topal and Akinlar, "Edge Drawing", 2012. Akinlar and Topal, "EDLines", 2011. Desolneux,
/// Moisan and Morel, 2000, for the test.
public struct LineSegmentDetector: Hashable, Sendable {
  /// The longer side the picture is reduced to, in pixels, at least 16.
  public var workingSide: Int
  /// The least step of brightness across an edge, in grey levels, above 0, at most 255.
  public var leastContrast: Double
  /// The least length of a piece, in pixels of the reduced picture, at least 4.
  public var leastLength: Double

  /// Makes a detector.
  public init(workingSide: Int = 960, leastContrast: Double = 8, leastLength: Double = 12) {
    self.workingSide = workingSide
    self.leastContrast = leastContrast
    self.leastLength = leastLength
  }

  /// The straight edges, longest first.
  ///
  /// - Throws: ``LineSegmentError`` if a setting is out of its range.
  public func segments(in image: Raster) throws(LineSegmentError) -> [StraightEdge] {
    try validate()
    guard let picture = edgePicture(of: image) else { return [] }
    let scale = Double(picture.factor)
    return picture.edges
      .map { edge in
        StraightEdge(
          segment: LineSegment(
            start: edge.segment.start.scaled(x: scale, y: scale),
            end: edge.segment.end.scaled(x: scale, y: scale)),
          contrast: edge.contrast)
      }
      .sorted { $0.segment.length > $1.segment.length }
  }

  /// The edges and the gradient they come from; nil if the picture is too small to have an edge.
  ///
  /// - Precondition: the settings are in their ranges.
  package func edgePicture(of image: Raster) -> EdgePicture? {
    let factor = (max(image.width, image.height) - 1) / workingSide + 1
    guard
      let gradient = GradientField(image, factor: factor, leastContrast: leastContrast)
    else { return nil }
    let edges = gradient.withPixels { pixels in
      var fitting = LineFitting(pixels: pixels, leastLength: leastLength)
      EdgeDrawing(pixels: pixels).chains { fitting.add($0) }
      return fitting.found
    }
    return EdgePicture(factor: factor, gradient: gradient, edges: edges ?? [])
  }

  private func validate() throws(LineSegmentError) {
    guard workingSide >= 16 else {
      throw .outOfRange(setting: "workingSide", value: Double(workingSide))
    }
    guard leastContrast > 0, leastContrast <= 255 else {
      throw .outOfRange(setting: "leastContrast", value: leastContrast)
    }
    guard leastLength >= 4, leastLength.isFinite else {
      throw .outOfRange(setting: "leastLength", value: leastLength)
    }
  }
}

/// What the search for straight edges leaves for those who look for shapes made of them.
package struct EdgePicture: Sendable {
  /// How many pixels of the picture make one here, in either direction.
  package let factor: Int
  /// Of the reduced picture.
  package let gradient: GradientField
  /// In pixels of the reduced picture, in no order.
  package let edges: [StraightEdge]
}

/// A straight edge of a picture.
public struct StraightEdge: Hashable, Sendable {
  /// Its place, in pixels of the picture as it was given, with y growing downward.
  ///
  /// The origin is the top left corner of the first pixel. Going from start to end, the brighter
  /// side is on the right.
  public var segment: LineSegment
  /// The mean step of brightness across it, in grey levels.
  public var contrast: Double

  /// Makes an edge.
  public init(segment: LineSegment, contrast: Double) {
    self.segment = segment
    self.contrast = contrast
  }
}

/// A setting of a ``LineSegmentDetector`` is out of its range.
public enum LineSegmentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The property and what it was.
  case outOfRange(setting: String, value: Double)

  /// Which setting has which value.
  public var description: String {
    switch self {
    case .outOfRange(let setting, let value): "\(setting) is \(value), out of its range"
    }
  }
}
