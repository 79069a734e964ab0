import Geometry

/// The shape of the mark of one of several kinds, so that colour is not the only sign.
package enum KindShape {
  /// The last rank that has a shape and a colour of its own, which all later ones share.
  package static let last = 7

  /// The corners, about 0 and some 1 away from it: a disk, a square, a triangle, a diamond, a plus,
  /// a triangle on its tip, a cross, a bar.
  package static func corners(rank: Int) -> [Point] {
    let corners: [(Double, Double)] =
      switch rank {
      case 0: Self.round
      case 1: [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)]
      case 2: [(0, -1.1), (1.05, 0.8), (-1.05, 0.8)]
      case 3: [(0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)]
      case 4:
        [
          (-0.4, -1.1), (0.4, -1.1), (0.4, -0.4), (1.1, -0.4), (1.1, 0.4), (0.4, 0.4), (0.4, 1.1),
          (-0.4, 1.1), (-0.4, 0.4), (-1.1, 0.4), (-1.1, -0.4), (-0.4, -0.4),
        ]
      case 5: [(0, 1.1), (1.05, -0.8), (-1.05, -0.8)]
      case 6:
        [
          (0, -0.45), (0.7, -1.1), (1.1, -0.7), (0.45, 0), (1.1, 0.7), (0.7, 1.1), (0, 0.45),
          (-0.7, 1.1), (-1.1, 0.7), (-0.45, 0), (-1.1, -0.7), (-0.7, -1.1),
        ]
      default: [(-1.2, -0.4), (1.2, -0.4), (1.2, 0.4), (-1.2, 0.4)]
      }
    return corners.map { Point(x: $0.0, y: $0.1) }
  }

  /// Sixteen corners, which look like a circle.
  private static let round: [(Double, Double)] = {
    // cos and sin of 22.5 degrees.
    let (cosine, sine) = (0.923_879_532_511_286_7, 0.382_683_432_365_089_8)
    var corners = [(1.0, 0.0)]
    for _ in 1..<16 {
      let (x, y) = corners[corners.count - 1]
      corners.append((x * cosine - y * sine, x * sine + y * cosine))
    }
    return corners
  }()
}
