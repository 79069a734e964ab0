import Geometry
import _PlotParts

/// The style of a kind: a colour and a shape, so that colour is not the only sign.
///
/// The first kind is green and the second blue. Readers with any one kind of colour-blindness can
/// distinguish the colours on white (`Fixtures/reference/colour_vision.py` simulates them). Kinds
/// after the eighth share the last style.
public struct KindStyle: Hashable, Sendable {
  /// The kind's place, 0 the main kind, at most ``last``.
  public let rank: Int

  /// The last rank with its own style, which all later ones share.
  public static let last = KindShape.last

  /// The style of the kind at a place; places below 0 get the first style.
  public init(rank: Int) { self.rank = min(max(rank, 0), Self.last) }

  /// The colour on white.
  public var color: Color { Self.colors[rank] }

  private static let colors = [
    Color(red: 0, green: 160, blue: 80), Color(red: 0, green: 64, blue: 192),
    Color(red: 168, green: 120, blue: 240), Color(red: 72, green: 48, blue: 0),
    Color(red: 192, green: 120, blue: 144), Color(red: 120, green: 96, blue: 0),
    Color(red: 48, green: 48, blue: 48), Color(red: 96, green: 96, blue: 96),
  ]

  /// The colour of its box on a photo, which is that of the page of a report.
  ///
  /// The main kind is ``Color/green-swift.type.property``. Readers with any one kind of
  /// colour-blindness can distinguish the colours from each other and from the dark line under each
  /// box.
  public var photoColor: Color { Self.photoColors[rank] }

  private static let photoColors = [
    .green, Color(red: 64, green: 136, blue: 255), Color(red: 216, green: 168, blue: 216),
    Color(red: 216, green: 120, blue: 144), Color(red: 240, green: 240, blue: 240),
    Color(red: 120, green: 120, blue: 0), Color(red: 168, green: 72, blue: 96),
    Color(red: 72, green: 96, blue: 168),
  ]

  /// The corners of the shape, around 0 and about 1 away from it.
  ///
  /// The shapes are a disk, a square, a triangle, a diamond, a plus, a triangle on its tip, a cross
  /// and a bar.
  public var corners: [Point] { KindShape.corners(rank: rank) }
}

extension Canvas {
  /// Draws the mark of a kind around a point, with a white rim that separates it from its
  /// neighbours.
  func mark(_ kind: KindStyle, x: Double, y: Double, size: Double) {
    let corners = kind.corners.map { Point(x: x + size * $0.x, y: y + size * $0.y) }
    setColor(.white)
    stroke(corners, lineWidth: size / 2.4)
    setColor(kind.color)
    fill(corners)
  }
}
