import LineSegments
import RectangleDetection

/// What rows of spines are looked for in: a picture as it is, or with x and y exchanged.
struct ShelfView {
  let isTurned: Bool
  /// Strongest first.
  let lines: [SideLine]
  let sums: ShelfSums

  /// The least length of a line, as a share of the view's height.
  private static let leastLength = 1.0 / 12

  init(_ view: EdgeView, of picture: EdgePicture) {
    isTurned = view.isTurned
    lines = SideLine.lines(in: view, of: picture.edges, leastLength: Self.leastLength)
    sums = ShelfSums(view, picture.gradient)
  }
}
