import Foundation
import Geometry

/// A mark on a photo of a given size.
struct PlacedMark {
  let mark: Overlay.Mark
  /// Its part of the photo.
  let frame: Frame
  /// The part in which its label has to fit; its size is zero if there is none.
  let room: Frame
  /// The length of its short sides.
  let shortSide: Double

  /// Nil if nothing of the mark is on the photo.
  init?(_ mark: Overlay.Mark, inWidth width: Int, height: Int) {
    guard let frame = Frame(mark.quad?.boundingBox ?? mark.box, inWidth: width, height: height)
    else { return nil }
    self.mark = mark
    self.frame = frame
    guard let quad = mark.quad else {
      room = frame
      shortSide = min(frame.width, frame.height)
      return
    }
    guard quad.isFinite, quad.area > 0 else { return nil }
    room = Self.room(of: quad, inWidth: Double(width), height: Double(height))
    shortSide = quad.shortSide
  }

  /// The horizontal and the vertical line through the middle of a shape, as the sides of a frame.
  private static func room(
    of quad: Quadrilateral, inWidth width: Double, height: Double
  ) -> Frame {
    let center = quad.center
    guard center.x > 0, center.x < width, center.y > 0, center.y < height else {
      return Frame(x: 0, y: 0, width: 0, height: 0)
    }
    let angle = quad.angleOfLongAxis
    let (across, down) = (abs(cos(angle)), abs(sin(angle)))
    let level = min(quad.longSide / across, quad.shortSide / down, width)
    let plumb = min(quad.longSide / down, quad.shortSide / across, height)
    return Frame(x: center.x - level / 2, y: center.y - plumb / 2, width: level, height: plumb)
  }

  /// Possible origins of a label of the given size, the best first.
  ///
  /// They are in a corner of a box, or in the middle of any other shape and then along it. They are
  /// never beyond the photo.
  func labelOrigins(
    width: Double, height: Double, inWidth imageWidth: Double, height imageHeight: Double
  )
    -> [(x: Double, y: Double)]
  {
    guard let quad = mark.quad else {
      let (right, bottom) = (frame.x + frame.width - width, frame.y + frame.height - height)
      return [(frame.x, frame.y), (right, frame.y), (frame.x, bottom), (right, bottom)]
    }
    let (dx, dy) = (cos(quad.angleOfLongAxis), sin(quad.angleOfLongAxis))
    return [0.0, 0.15, -0.15, 0.3, -0.3].map { part in
      let x = room.x + (room.width - width) / 2 + part * quad.longSide * dx
      let y = room.y + (room.height - height) / 2 + part * quad.longSide * dy
      return (
        min(max(x, 0), max(imageWidth - width, 0)), min(max(y, 0), max(imageHeight - height, 0))
      )
    }
  }

  /// The corners of a line whose stroke lies inside the mark.
  ///
  /// The stroke then does not leave the photo or cover a neighbour.
  func path(lineWidth: Double, inWidth width: Int, height: Int) -> [Point] {
    // This is far enough beyond the photo that no line along the cut is visible.
    let margin = 4 * lineWidth
    let (columns, rows) = (-margin...Double(width) + margin, -margin...Double(height) + margin)
    if let outline = mark.outline, outline.allSatisfy(\.isFinite) {
      return Self.clipped(outline, x: columns, y: rows)
    }
    guard let quad = mark.quad else {
      let dx = min(lineWidth / 2, frame.width / 2)
      let dy = min(lineWidth / 2, frame.height / 2)
      let (left, right) = (frame.x + dx, frame.x + frame.width - dx)
      let (top, bottom) = (frame.y + dy, frame.y + frame.height - dy)
      return [
        Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom),
        Point(x: left, y: bottom),
      ]
    }
    return Self.clipped(Self.inset(quad, by: lineWidth / 2), x: columns, y: rows)
  }

  /// The corners of a convex shape with all sides moved inwards.
  ///
  /// The corners do not change if the shape is not convex, or is hardly wider than `amount`.
  private static func inset(_ quad: Quadrilateral, by amount: Double) -> [Point] {
    let corners = quad.corners
    guard quad.isConvex, quad.shortSide > 4 * amount else { return corners }
    let turn = quad.signedArea > 0 ? 1.0 : -1.0
    let normals = (0..<4).map { index -> Point in
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      let length = a.distance(to: b)
      return Point(x: -(b.y - a.y) / length * turn, y: (b.x - a.x) / length * turn)
    }
    return (0..<4).map { index in
      let (before, after) = (normals[(index + 3) % 4], normals[index])
      let shared = 1 + before.x * after.x + before.y * after.y
      // At a very acute corner, the moved sides would meet far away.
      guard shared > 0.2 else { return corners[index] }
      return corners[index].translated(
        dx: amount * (before.x + after.x) / shared, dy: amount * (before.y + after.y) / shared)
    }
  }

  /// The part of a polygon within bounds (Sutherland and Hodgman, "Reentrant polygon clipping",
  /// 1974).
  ///
  /// Cairo's coordinates are in 1/256 of a pixel, up to eight million.
  private static func clipped(
    _ corners: [Point], x: ClosedRange<Double>, y: ClosedRange<Double>
  ) -> [Point] {
    var kept = cut(corners, place: \.x, at: x.lowerBound) { $0 >= x.lowerBound }
    kept = cut(kept, place: \.x, at: x.upperBound) { $0 <= x.upperBound }
    kept = cut(kept, place: \.y, at: y.lowerBound) { $0 >= y.lowerBound }
    kept = cut(kept, place: \.y, at: y.upperBound) { $0 <= y.upperBound }
    return kept.allSatisfy { $0.isFinite } ? kept : []
  }

  private static func cut(
    _ corners: [Point], place: WritableKeyPath<Point, Double>, at edge: Double,
    keeping isInside: (Double) -> Bool
  ) -> [Point] {
    var kept: [Point] = []
    for (index, end) in corners.enumerated() {
      let start = corners[(index + corners.count - 1) % corners.count]
      let (from, to) = (start[keyPath: place], end[keyPath: place])
      if isInside(from) != isInside(to) {
        let part = (edge - from) / (to - from)
        var crossing = Point(
          x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
        // The crossing is exactly at the edge, however far away the ends are.
        crossing[keyPath: place] = edge
        kept.append(crossing)
      }
      if isInside(to) { kept.append(end) }
    }
    return kept
  }
}
