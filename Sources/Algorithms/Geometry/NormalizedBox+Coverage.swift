extension NormalizedBox {
  /// The share of the image that boxes cover together, 0...1.
  ///
  /// Overlaps count once, and parts outside the image do not count.
  ///
  /// - Complexity: O(*n*²) for *n* boxes.
  public static func coverage(of boxes: [NormalizedBox]) -> Double {
    let clipped: [ClippedBox] = boxes.map { ClippedBox($0) }.filter {
      $0.left < $0.right && $0.bottom < $0.top
    }
    .sorted { $0.bottom < $1.bottom }
    // Strips between neighbouring edges; in each strip the covered length is constant.
    let edges: [Double] = clipped.flatMap { [$0.left, $0.right] }.sorted()
    var area = 0.0
    for (left, right) in zip(edges, edges.dropFirst()) where left < right {
      var covered = 0.0
      var reached = 0.0
      for box in clipped where box.left <= left && box.right >= right {
        covered += max(0, box.top - max(box.bottom, reached))
        reached = max(reached, box.top)
      }
      area += (right - left) * covered
    }
    return area
  }
}

/// The sides of a box inside the image.
private struct ClippedBox {
  let left, right, bottom, top: Double

  init(_ box: NormalizedBox) {
    left = max(0, box.x)
    right = min(1, box.x + box.width)
    bottom = max(0, box.y)
    top = min(1, box.y + box.height)
  }
}
