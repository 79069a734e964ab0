import Geometry

/// A region of an image that a text detector takes for a line of text.
public struct TextRegion: Hashable, Sendable, Codable {
  /// Where, in pixels of the image, origin at the top left.
  ///
  /// Corners are whole numbers inside the image and named by where they are: the upper one of the
  /// two leftmost is `topLeft`. Which way the text runs is not known yet.
  public var outline: Quadrilateral
  /// The mean probability of text, 0...1.
  public var score: Double

  /// Makes a region.
  public init(outline: Quadrilateral, score: Double) {
    self.outline = outline
    self.score = score
  }
}

extension Sequence where Element == TextRegion {
  /// The regions from top to bottom, those that begin at about the same height from left to right.
  ///
  /// They are sorted by their upper left corners as in RapidOCR and PaddleOCR. First, they are
  /// sorted by height. Then each region moves ahead of those before it that are less than
  /// `tolerance` pixels away in height and further to the right. This suits lines of text across a
  /// page; columns are not distinguished.
  ///
  /// - Parameters:
  ///   - tolerance: in pixels.
  /// - Complexity: O(*n* log *n* + *n m*), *m* being the most regions that begin at about the same
  ///   height.
  public func inReadingOrder(tolerance: Double = 10) -> [TextRegion] {
    var sorted = enumerated().sorted { first, second in
      let (a, b) = (first.element.outline.topLeft, second.element.outline.topLeft)
      return a.y != b.y ? a.y < b.y : (a.x != b.x ? a.x < b.x : first.offset < second.offset)
    }.map(\.element)
    for index in sorted.indices.dropFirst() {
      var place = index
      while place > 0 {
        let (a, b) = (sorted[place - 1].outline.topLeft, sorted[place].outline.topLeft)
        guard abs(b.y - a.y) < tolerance, b.x < a.x else { break }
        sorted.swapAt(place - 1, place)
        place -= 1
      }
    }
    return sorted
  }
}
