import Geometry

/// The sides of an upright box.
struct Extent {
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double

  var width: Double { right - left }
  var height: Double { bottom - top }
  /// The horizontal middle; finite sides have a finite one.
  var middle: Double { left / 2 + right / 2 }

  var isFinite: Bool { left.isFinite && right.isFinite && top.isFinite && bottom.isFinite }
}

extension Extent {
  /// The extent of an outline with finite corners.
  init(of outline: Quadrilateral) {
    let (xs, ys) = (outline.corners.map(\.x), outline.corners.map(\.y))
    self.init(
      left: xs.min() ?? 0, right: xs.max() ?? 0, top: ys.min() ?? 0, bottom: ys.max() ?? 0)
  }
}
