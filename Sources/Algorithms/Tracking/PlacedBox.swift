import Geometry

/// The sides of a box.
struct Sides: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let minX = Sides(rawValue: 1)
  static let minY = Sides(rawValue: 2)
  static let maxX = Sides(rawValue: 4)
  static let maxY = Sides(rawValue: 8)
}

/// A box, and the sides at which the frame's edge cuts the object off.
struct PlacedBox: Hashable, Sendable {
  var box: Box
  var cut: Sides

  /// A box as seen in a frame; a side within half a per cent of the frame's edge is taken to be
  /// cut.
  init(_ box: Box, in frame: Box?) {
    self.box = box
    cut = []
    guard let frame else { return }
    let (slackX, slackY) = (frame.width * 0.005, frame.height * 0.005)
    if box.minX <= frame.minX + slackX { cut.insert(.minX) }
    if box.maxX >= frame.maxX - slackX { cut.insert(.maxX) }
    if box.minY <= frame.minY + slackY { cut.insert(.minY) }
    if box.maxY >= frame.maxY - slackY { cut.insert(.maxY) }
  }

  /// The new box; sides that the frame newly cuts off are moved to their expected places.
  ///
  /// So an object that leaves the frame keeps its size.
  func completed(by expected: PlacedBox) -> PlacedBox {
    var result = self
    func keeps(_ side: Sides) -> Bool { cut.contains(side) && !expected.cut.contains(side) }
    if keeps(.minX), expected.box.minX < box.minX {
      result.box.minX = expected.box.minX
      result.cut.remove(.minX)
    }
    if keeps(.maxX), expected.box.maxX > box.maxX {
      result.box.maxX = expected.box.maxX
      result.cut.remove(.maxX)
    }
    if keeps(.minY), expected.box.minY < box.minY {
      result.box.minY = expected.box.minY
      result.cut.remove(.minY)
    }
    if keeps(.maxY), expected.box.maxY > box.maxY {
      result.box.maxY = expected.box.maxY
      result.cut.remove(.maxY)
    }
    return result
  }

  /// The box moved.
  func moved(by shift: Shift) -> PlacedBox {
    var result = self
    result.box = Box(
      minX: Float(Double(box.minX) + shift.dx), minY: Float(Double(box.minY) + shift.dy),
      maxX: Float(Double(box.maxX) + shift.dx), maxY: Float(Double(box.maxY) + shift.dy))
    return result
  }

  /// The displacement of the other box, by the sides that are not cut in either; nil along an axis
  /// without such sides.
  func displacement(to other: PlacedBox) -> (dx: Double?, dy: Double?) {
    let cut = cut.union(other.cut)
    func mean(_ low: Sides, _ high: Sides, _ first: Float, _ second: Float) -> Double? {
      switch (cut.contains(low), cut.contains(high)) {
      case (false, false): (Double(first) + Double(second)) / 2
      case (false, true): Double(first)
      case (true, false): Double(second)
      case (true, true): nil
      }
    }
    return (
      mean(.minX, .maxX, other.box.minX - box.minX, other.box.maxX - box.maxX),
      mean(.minY, .maxY, other.box.minY - box.minY, other.box.maxY - box.maxY)
    )
  }

  /// Whether the sizes differ by at most the given factor, along the axes on which both are whole.
  func hasSize(of other: PlacedBox, within factor: Float) -> Bool {
    let cut = cut.union(other.cut)
    func isAlike(_ a: Float, _ b: Float) -> Bool { min(a, b) * factor >= max(a, b) }
    if cut.isDisjoint(with: [.minX, .maxX]), !isAlike(box.width, other.box.width) { return false }
    if cut.isDisjoint(with: [.minY, .maxY]), !isAlike(box.height, other.box.height) {
      return false
    }
    return true
  }
}

/// A displacement.
struct Shift: Hashable, Sendable {
  var dx = 0.0
  var dy = 0.0

  static let none = Shift()

  static func + (first: Shift, second: Shift) -> Shift {
    Shift(dx: first.dx + second.dx, dy: first.dy + second.dy)
  }

  static func * (shift: Shift, factor: Double) -> Shift {
    Shift(dx: shift.dx * factor, dy: shift.dy * factor)
  }

  static prefix func - (shift: Shift) -> Shift { shift * -1 }
}
