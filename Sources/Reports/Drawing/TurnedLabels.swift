import Foundation
import Geometry

/// A plate with a text along a long shape, such as the spine of a book.
///
/// The plate lies within the shape, if there is room at one of its long sides, so that what is
/// printed on the shape stays visible. Upright shapes are read downwards.
struct TurnedPlate {
  /// The middle of the plate.
  let center: Point
  /// The angle of its baseline from the x axis towards the y axis, from -pi/4 to 3 pi/4.
  let angle: Double
  /// Its length and thickness.
  let width, height: Double

  /// The frames that together cover the plate: one for each part that is as long as thick.
  var parts: [Frame] {
    let count = max(Int((width / max(height, 1e-9)).rounded(.up)), 1)
    let length = width / Double(count)
    let half = (
      x: abs(cos(angle)) * length / 2 + abs(sin(angle)) * height / 2,
      y: abs(sin(angle)) * length / 2 + abs(cos(angle)) * height / 2
    )
    return (0..<count).map { part in
      let along = (Double(part) + 0.5) * length - width / 2
      let middle = center.translated(dx: along * cos(angle), dy: along * sin(angle))
      return Frame(
        x: middle.x - half.x, y: middle.y - half.y, width: 2 * half.x, height: 2 * half.y)
    }
  }

  /// The corners on the photo.
  var corners: [Point] {
    [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { x, y in
      let (along, across) = (x * width / 2, y * height / 2)
      return center.translated(
        dx: along * cos(angle) - across * sin(angle), dy: along * sin(angle) + across * cos(angle))
    }
  }

  /// The possible plates of a size in a shape, the best first.
  static func candidates(
    in quad: Quadrilateral, width: Double, height: Double, margin: Double
  ) -> [TurnedPlate] {
    let angle = readingAngle(of: quad)
    let (free, side) = (
      quad.longSide / 2 - width / 2 - margin, quad.shortSide / 2 - height / 2 - margin
    )
    guard free >= 0, side >= 0, quad.isConvex else { return [] }
    var plates: [TurnedPlate] = []
    for across in [1, -1, 0.5, -0.5, 0] {
      // From the beginning on, as titles begin there.
      for along in [-1, -0.95, -0.9, -0.8, -0.6, -0.3, 0, 0.5, 1] {
        let (x, y) = (along * free, across * side)
        let plate = TurnedPlate(
          center: quad.center.translated(
            dx: x * cos(angle) - y * sin(angle), dy: x * sin(angle) + y * cos(angle)),
          angle: angle, width: width, height: height)
        if plate.corners.allSatisfy({ quad.contains($0) }) { plates.append(plate) }
      }
    }
    return plates
  }

  /// The direction in which a text along the shape is read.
  private static func readingAngle(of quad: Quadrilateral) -> Double {
    let angle = quad.angleOfLongAxis
    return angle < -.pi / 4 ? angle + .pi : angle
  }
}

extension LabelLayout {
  /// The shares of a shape's thickness that a text along it takes: if that gives a readable size,
  /// and else at most.
  private static let (share, mostShare) = (0.45, 0.85)

  /// The largest font size at which a text has room along a shape.
  static func largestFontAlong(
    _ quad: Quadrilateral, _ metrics: Canvas.TextMetrics, least: Double, margin: Double,
    length: Double? = nil
  ) -> Double {
    let thickness = quad.shortSide - 2 * margin
    let size = max(share * thickness / metrics.height, least)
    return min(
      size, mostShare * thickness / metrics.height,
      (length ?? quad.longSide - 2 * margin) / (metrics.width + 2 * padding))
  }

  /// The label along a shape, shortened with an ellipsis if it is too long.
  ///
  /// It is nil if it has no place there. It is nil too if the shape is not upright, and the label is
  /// as large there without being turned.
  mutating func along(_ placed: PlacedMark) -> Label? {
    let mark = placed.mark
    guard let quad = mark.quad, !mark.shortLabel.isEmpty, mark.label != mark.shortLabel,
      let metrics = metrics[mark.label]
    else { return nil }
    let turned = min(
      size, Self.largestFontAlong(quad, metrics, least: least, margin: overhang))
    let level = min(
      size, Self.largestFont(metrics, in: placed.room, share: 0.4, overhang: overhang))
    // Titles on upright spines are turned too, and all labels of a shelf look the same.
    let isUpright =
      quad.shortSide < quad.longSide / 2 && abs(sin(quad.angleOfLongAxis)) > 0.5.squareRoot()
    if !isUpright, level >= least, level >= 0.95 * turned { return nil }
    // The corners of a shape that is not a rectangle leave less room at its ends.
    for part in [1, 0.9, 0.8, 0.7, 0.6] {
      let length = part * quad.longSide - 2 * overhang
      guard let (text, metrics, size) = fitted(mark, metrics, in: quad, length: length) else {
        continue
      }
      let (width, height) = ((metrics.width + 2 * Self.padding) * size, metrics.height * size)
      for plate in TurnedPlate.candidates(
        in: quad, width: width, height: height, margin: overhang)
      where plate.parts.allSatisfy({ placer.isFree($0) }) {
        for frame in plate.parts { placer.take(frame) }
        return Label(
          text: OverlayLayout.Text(
            string: text, x: -metrics.width * size / 2,
            baseline: metrics.ascent * size - height / 2, size: size,
            background: Frame(x: -width / 2, y: -height / 2, width: width, height: height),
            color: mark.color.readableText, plate: plate),
          leader: nil)
      }
    }
    return nil
  }

  /// The label or its beginning, at the size at which it has room in a length of the shape.
  private func fitted(
    _ mark: Overlay.Mark, _ metrics: Canvas.TextMetrics, in quad: Quadrilateral, length: Double
  ) -> (String, Canvas.TextMetrics, Double)? {
    let thick = min(
      size, Self.largestFontAlong(quad, metrics, least: least, margin: overhang, length: .infinity))
    guard thick >= least else { return nil }
    let long = length / (metrics.width + 2 * Self.padding)
    if min(thick, long) >= least { return (mark.label, metrics, min(thick, long)) }
    // The fewest letters of a title that say anything.
    let fewest = mark.shortLabel.count + 4
    var count = mark.label.count - 1
    while count >= fewest {
      let start = mark.label.prefix(count)
      let end = start.lastIndex { !$0.isWhitespace && !$0.isPunctuation }
      let text = (end.map { start[...$0] } ?? start) + "…"
      let metrics = measure.metrics(of: String(text))
      let size = length / (metrics.width + 2 * Self.padding)
      if size >= least { return (String(text), metrics, least) }
      // Far too long a text comes near its length at once.
      count = min(count - 1, Int(Double(count) * size / least) + 2)
    }
    return nil
  }
}
