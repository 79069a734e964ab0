import Geometry
import _PlotParts

/// The mark of a kind: a colour and a shape, for readers who cannot distinguish the colours.
struct KindMark {
  /// The kind's place, 0 the main kind, at most ``Kinds/last``.
  let rank: Int

  /// The mark around a point; `object` is the number of its object.
  func markup(x: Double, y: Double, size: Double, object: Int?) -> Markup {
    let attributes: KeyValuePairs<String, String?> = [
      "class": "point mark k\(rank)", "data-object": object.map(String.init),
      "points": KindShape.corners(rank: rank).map {
        "\(Number.place(x + size * $0.x)),\(Number.place(y + size * $0.y))"
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
}
