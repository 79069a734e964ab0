/// The mean of a map inside a quadrilateral, its outline included.
///
/// What is inside is what OpenCV's `fillPoly` would paint after the corners have lost their
/// fractions: Bresenham's lines between the corners, and between them all pixels whose middle lies
/// inside, sides by 16-bit fixed-point slopes. That is the *fast* score of the published code: a
/// rectangle around a region stands for the region.
struct BoxScore {
  private let left: Int
  private let top: Int
  private let right: Int
  private let bottom: Int
  /// The first and the last pixel of each row, from the upper left corner of the window.
  private var first: [Int32]
  private var last: [Int32]

  /// The mean; NaN where one of the values is.
  static func mean(
    of map: UnsafeBufferPointer<Float>, width: Int, height: Int, in corners: [SIMD2<Float>]
  ) -> Double {
    BoxScore(corners, width: width, height: height).mean(of: map, width: width)
  }

  private init(_ corners: [SIMD2<Float>], width: Int, height: Int) {
    func bounds(_ values: [Float], below end: Int) -> (Int, Int) {
      let low = (values.min() ?? 0).rounded(.down)
      let high = (values.max() ?? 0).rounded(.up)
      return (min(max(Int(low), 0), end - 1), min(max(Int(high), 0), end - 1))
    }
    (left, right) = bounds(corners.map(\.x), below: width)
    (top, bottom) = bounds(corners.map(\.y), below: height)
    first = [Int32](repeating: .max, count: bottom - top + 1)
    last = [Int32](repeating: -1, count: bottom - top + 1)
    let origin = SIMD2(Float(left), Float(top))
    let places = corners.map { corner in
      let moved = corner - origin
      return GridPoint(x: Int32(moved.x), y: Int32(moved.y))
    }
    for (index, place) in places.enumerated() {
      let next = places[(index + 1) % places.count]
      let clipped = clippedLine(from: place, to: next)
      if clipped.isInside { line(from: clipped.start, to: clipped.end) }
      side(from: place, to: next, clipped.start, clipped.end)
    }
  }

  private mutating func include(x: Int32, row: Int32) {
    first[Int(row)] = min(first[Int(row)], x)
    last[Int(row)] = max(last[Int(row)], x)
  }

  /// A line cut at the window as OpenCV's `clipLine` does it, and whether any of it is inside.
  private func clippedLine(
    from a: GridPoint, to b: GridPoint
  ) -> (start: GridPoint, end: GridPoint, isInside: Bool) {
    var ends = [SIMD2(Int64(a.x), Int64(a.y)), SIMD2(Int64(b.x), Int64(b.y))]
    let limit = SIMD2(Int64(right - left), Int64(bottom - top))
    /// 1 or 2 where an end lies before or behind the window across, 4 or 8 down.
    func sides(_ end: SIMD2<Int64>) -> Int {
      (end.x < 0 ? 1 : end.x > limit.x ? 2 : 0) + (end.y < 0 ? 4 : end.y > limit.y ? 8 : 0)
    }
    var codes = ends.map(sides)
    if codes[0] & codes[1] == 0 {
      for axis in [1, 0] {
        let (before, behind) = axis == 1 ? (4, 8) : (1, 2)
        guard codes[0] & codes[1] == 0 else { break }
        for end in 0..<2 where codes[end] & (before | behind) != 0 {
          let edge = codes[end] & before != 0 ? 0 : limit[axis]
          let run = ends[1] &- ends[0]
          let moved = Double((edge - ends[end][axis]) * run[1 - axis]) / Double(run[axis])
          ends[end][1 - axis] += Int64(moved)
          ends[end][axis] = edge
          codes[end] = axis == 1 ? sides(ends[end]) & 3 : 0
        }
      }
    }
    let points = ends.map {
      GridPoint(x: Int32(truncatingIfNeeded: $0.x), y: Int32(truncatingIfNeeded: $0.y))
    }
    return (points[0], points[1], codes[0] | codes[1] == 0)
  }

  /// Bresenham's line, from left to right.
  private mutating func line(from a: GridPoint, to b: GridPoint) {
    let (start, end) = a.x <= b.x ? (a, b) : (b, a)
    let (dx, dy) = (end.x - start.x, abs(end.y - start.y))
    let down: Int32 = end.y < start.y ? -1 : 1
    let isSteep = dy > dx
    let (long, short) = isSteep ? (dy, dx) : (dx, dy)
    var error = long - 2 * short
    var place = start
    for _ in 0...long {
      include(x: place.x, row: place.y)
      let stepsAside = error < 0
      error += -2 * short + (stepsAside ? 2 * long : 0)
      if isSteep {
        place.y += down
        if stepsAside { place.x += 1 }
      } else {
        place.x += 1
        if stepsAside { place.y += down }
      }
    }
  }

  /// One side of what is filled, by the slope of what is left of it in the window.
  private mutating func side(
    from a: GridPoint, to b: GridPoint, _ start: GridPoint, _ end: GridPoint
  ) {
    guard a.y != b.y else { return }
    let (p, q) = start.y != end.y ? (start, end) : (a, b)
    let slope = (Int64(q.x - p.x) << 16) / Int64(q.y - p.y)
    let (upper, lower, from) = a.y < b.y ? (a, b, p) : (b, a, q)
    var x = Int64(from.x) << 16 + Int64(upper.y - from.y) * slope
    for row in upper.y..<lower.y {
      if row >= 0, row < first.count {
        // Rounded inwards, whichever side it is; the line beside it is there already.
        first[Int(row)] = min(first[Int(row)], Int32(truncatingIfNeeded: (x + 65535) >> 16))
        last[Int(row)] = max(last[Int(row)], Int32(truncatingIfNeeded: x >> 16))
      }
      x += slope
    }
  }

  private func mean(of map: UnsafeBufferPointer<Float>, width: Int) -> Double {
    var sum = 0.0
    var count = 0
    for row in first.indices {
      let from = max(Int(first[row]), 0)
      let to = min(Int(last[row]), right - left)
      guard from <= to else { continue }
      let start = (top + row) * width + left
      for place in start + from...start + to { sum += Double(map[place]) }
      count += to - from + 1
    }
    return count > 0 ? sum / Double(count) : 0
  }
}
