import Geometry
import _CLibrary

/// Cuts chains of edge pixels into pieces that a line fits.
struct LineFitting {
  let pixels: GradientField.Pixels
  private let leastCount: Int
  private let leastEvidence: Double
  /// In pixels of the reduced picture.
  private(set) var found: [StraightEdge] = []
  /// The places of a chain's pixels, kept for their memory.
  private var points: [Point] = []

  /// How far a pixel may lie from the line.
  private static let tolerance = 1.0
  /// The most pixels in a row that may lie farther away, for example where an edge crosses.
  private static let patience = 3
  /// The cosine of 22.5 degrees: a gradient that is nearer to the normal agrees.
  ///
  /// By chance, one in eight does.
  private static let cosine = 0.92388
  private static let chance = 0.125

  init(pixels: GradientField.Pixels, leastLength: Double) {
    self.pixels = pixels
    let count = Double(pixels.width) * Double(pixels.height)
    // No chain is longer than the picture has pixels.
    leastCount = Int(min(leastLength, count + 1).rounded(.up))
    // There are (width height)^2 pieces between two pixels.
    leastEvidence = 2 * log(count)
  }

  /// Looks for pieces in a chain.
  mutating func add(_ chain: UnsafeBufferPointer<Int32>) {
    guard chain.count >= leastCount else { return }
    points.removeAll(keepingCapacity: true)
    for pixel in chain { points.append(place(of: Int(pixel))) }
    var start = 0
    while start + leastCount <= points.count {
      var sums = Moments()
      for index in start..<start + leastCount { sums.add(points[index]) }
      guard sums.isStraight, var line = sums.line else {
        start += 1
        continue
      }
      var (end, misses, index) = (start + leastCount, 0, start + leastCount)
      var fitted = leastCount
      while index < points.count, misses <= Self.patience {
        if abs(line.distance(points[index])) <= Self.tolerance {
          sums.add(points[index])
          misses = 0
          end = index + 1
          // A longer piece needs a new fit less often.
          if sums.count >= fitted + max(4, fitted / 8) {
            line = sums.line ?? line
            fitted = sums.count
          }
        } else {
          misses += 1
        }
        index += 1
      }
      add(sums.line ?? line, through: start..<end, of: chain)
      start = end
    }
  }

  /// Takes a piece if it is long enough and not a result of chance.
  private mutating func add(
    _ line: Line, through places: Range<Int>, of chain: UnsafeBufferPointer<Int32>
  ) {
    var (start, end) = (
      line.foot(of: points[places.lowerBound]), line.foot(of: points[places.upperBound - 1])
    )
    guard start.distance(to: end) >= Double(leastCount) - 1 else { return }
    var (agreeing, strength, side) = (0, 0.0, 0.0)
    for index in places {
      let pixel = Int(chain[index])
      let (x, y) = (Double(pixels.x[pixel]), Double(pixels.y[pixel]))
      let across = y * line.directionX - x * line.directionY
      strength += abs(across)
      side += across
      if across * across >= Self.cosine * Self.cosine * (x * x + y * y) { agreeing += 1 }
    }
    guard evidence(agreeing, of: places.count) >= leastEvidence else { return }
    let forward =
      (end.x - start.x) * line.directionX + (end.y - start.y) * line.directionY > 0
    if (side > 0) != forward { swap(&start, &end) }
    found.append(
      StraightEdge(
        segment: LineSegment(start: start, end: end),
        contrast: strength / Double(places.count) / GradientField.unit))
  }

  /// How surprising it would be by chance that at least `agreeing` of `count` agree.
  ///
  /// It is the negative logarithm of a bound of the probability.
  private func evidence(_ agreeing: Int, of count: Int) -> Double {
    let share = Double(agreeing) / Double(count)
    guard share > Self.chance else { return 0 }
    let rest = share < 1 ? (1 - share) * log((1 - share) / (1 - Self.chance)) : 0
    return Double(count) * (share * log(share / Self.chance) + rest)
  }

  /// The middle of a pixel, moved across the edge to where a parabola through three magnitudes is
  /// highest.
  @inline(__always)
  private func place(of pixel: Int) -> Point {
    // Shorter numbers divide faster.
    let (row, column) = UInt32(truncatingIfNeeded: pixel).quotientAndRemainder(
      dividingBy: UInt32(truncatingIfNeeded: pixels.width))
    let across = pixels.across(pixel)
    let before = Int(pixels.magnitude[pixel &- across])
    let here = Int(pixels.magnitude[pixel])
    let after = Int(pixels.magnitude[pixel &+ across])
    let bend = 2 &* here &- before &- after
    // Which pixels have no such parabola is not foreseeable: a factor of 0 or 1 instead of a
    // branch. No magnitude is below 0.
    let isPeak = min(before, 1) &* min(after, 1) &* max(0, min(bend, 1))
    let rise = Double(isPeak &* (after &- before))
    let offset = min(max(rise / Double(max(1, 2 &* bend)), -0.5), 0.5)
    let isUpright = Double(across == 1 ? 1 : 0)
    return Point(
      x: Double(column) + 0.5 + isUpright * offset,
      y: Double(row) + 0.5 + (1 - isUpright) * offset)
  }
}

/// A line through a point in a direction one unit long.
private struct Line {
  let middle: Point
  let directionX: Double
  let directionY: Double

  func distance(_ point: Point) -> Double {
    (point.y - middle.y) * directionX - (point.x - middle.x) * directionY
  }

  /// The nearest point of the line.
  func foot(of point: Point) -> Point {
    let along = (point.x - middle.x) * directionX + (point.y - middle.y) * directionY
    return middle.translated(dx: along * directionX, dy: along * directionY)
  }
}

/// Sums over points, from which comes the line of the least squared distances (total least
/// squares).
private struct Moments {
  private(set) var count = 0
  private var (x, y, xx, xy, yy) = (0.0, 0.0, 0.0, 0.0, 0.0)

  mutating func add(_ point: Point) {
    count += 1
    x += point.x
    y += point.y
    xx += point.x * point.x
    xy += point.x * point.y
    yy += point.y * point.y
  }

  private var spread: (xx: Double, xy: Double, yy: Double) {
    let count = Double(count)
    return (xx - x * x / count, xy - x * y / count, yy - y * y / count)
  }

  /// Nil for points all in one place.
  var line: Line? {
    let (a, b, c) = spread
    let difference = (a - c) / 2
    let root = (difference * difference + b * b).squareRoot()
    // The eigenvector of the larger eigenvalue, by the formula without cancellation.
    var (dx, dy) = difference >= 0 ? (difference + root, b) : (b, root - difference)
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0 else { return nil }
    (dx, dy) = (dx / length, dy / length)
    return Line(
      middle: Point(x: x / Double(count), y: y / Double(count)), directionX: dx, directionY: dy)
  }

  /// Whether the mean squared distance from ``line`` is at most a quarter.
  var isStraight: Bool {
    let (a, b, c) = spread
    let difference = (a - c) / 2
    // The smaller eigenvalue, (a + c) / 2 - root, is to be at most a quarter of the count: without
    // a root.
    let least = (a + c) / 2 - Double(count) / 4
    return least <= 0 || difference * difference + b * b >= least * least
  }
}
