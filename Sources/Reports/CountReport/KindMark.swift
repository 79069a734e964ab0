/// The mark of a kind: a shape as well as a colour, for readers who do not see the colours.
struct KindMark {
  /// The kind's place, 0 the main kind, at most ``Kinds/last``.
  let rank: Int

  /// The mark about a point; `object` is the number of the object that it stands for.
  func markup(x: Double, y: Double, size: Double, object: Int?) -> Markup {
    let attributes: KeyValuePairs<String, String?> = [
      "class": "point mark k\(rank)", "data-object": object.map(String.init),
      "points": corners.map {
        "\(Number.place(x + size * $0.0)),\(Number.place(y + size * $0.1))"
      }.joined(separator: " "),
    ]
    return .element("polygon", attributes)
  }

  /// The mark by itself, for a legend.
  var swatch: Markup {
    .element(
      "svg", ["class": "swatch", "viewBox": "0 0 14 14", "aria-hidden": "true"],
      [markup(x: 7, y: 7, size: 5.2, object: nil)])
  }

  /// The corners of the shape, about 0 and as far as 1.
  private var corners: [(Double, Double)] {
    switch rank {
    case 0: return Self.round
    case 1: return [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)]
    case 2: return [(0, -1.1), (1.05, 0.8), (-1.05, 0.8)]
    case 3: return [(0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)]
    case 4:
      return [
        (-0.4, -1.1), (0.4, -1.1), (0.4, -0.4), (1.1, -0.4), (1.1, 0.4), (0.4, 0.4), (0.4, 1.1),
        (-0.4, 1.1), (-0.4, 0.4), (-1.1, 0.4), (-1.1, -0.4), (-0.4, -0.4),
      ]
    case 5: return [(0, 1.1), (1.05, -0.8), (-1.05, -0.8)]
    case 6:
      return [
        (0, -0.45), (0.7, -1.1), (1.1, -0.7), (0.45, 0), (1.1, 0.7), (0.7, 1.1), (0, 0.45),
        (-0.7, 1.1), (-1.1, 0.7), (-0.45, 0), (-1.1, -0.7), (-0.7, -1.1),
      ]
    default: return [(-1.2, -0.4), (1.2, -0.4), (1.2, 0.4), (-1.2, 0.4)]
    }
  }

  /// As good as a circle: sixteen corners.
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
