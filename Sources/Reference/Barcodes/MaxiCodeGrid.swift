import Geometry
import Raster
import _CLibrary

/// The hexagons of a MaxiCode, whose rings were found: 33 rows of 30 and 29, each half a hexagon
/// from the next.
///
/// Rows run in three directions. Each has a wave vector, whose length is 1 over the distance of its
/// rows. Two of them give the position of every hexagon, even if the code is seen a little from the
/// side.
struct MaxiCodeGrid {
  private let eye: BullsEye
  /// The waves of two directions, some sixth of a turn apart, in rows a pixel.
  private let waves: (SIMD2<Double>, SIMD2<Double>)

  private static let columns = 30
  private static let rows = 33
  /// The rings' radius, in distances of neighbouring middles.
  private static let radius = 4.4
  /// The same of rows.
  private static let rowPitch = 0.75.squareRoot()
  /// Pixels of the answer a hexagon.
  private static let pixels = 8

  /// Finds the grid around some rings, at which brightness alternates most from row to row.
  init(around eye: BullsEye, in plane: GreyPlane) {
    self.eye = eye
    let guess = Self.rowPitch * eye.radius / Self.radius
    let profile = { RowProfile(across: $0, around: eye, reach: 15 * guess, in: plane) }
    let periods = (-16...16).map { guess * (1 + 0.0075 * Double($0)) }
    var best = (strength: -1.0, angle: 0.0, period: guess)
    for degrees in 0..<60 {
      let angle = Double(degrees) * .pi / 180
      let three = (0..<3).map { profile(angle + Double($0) * .pi / 3) }
      for period in periods {
        let strength = three.reduce(0) { $0 + $1.strength(of: period) }
        if strength > best.strength { best = (strength, angle, period) }
      }
    }
    let each = (0..<3).map { direction -> (Double, SIMD2<Double>) in
      var own = (strength: -1.0, angle: 0.0, period: 0.0)
      for step in -10...10 {
        let angle = best.angle + Double(direction) * .pi / 3 + Double(step) * .pi / 360
        let rows = profile(angle)
        for share in -24...24 {
          let period = best.period * (1 + 0.005 * Double(share))
          let strength = rows.strength(of: period)
          if strength > own.strength { own = (strength, angle, period) }
        }
      }
      return (own.strength, SIMD2(cos(own.angle), sin(own.angle)) / own.period)
    }
    // The third is the second minus the first; the weakest is the least reliable.
    let weakest = (0..<3).min { each[$0].0 < each[$1].0 } ?? 2
    let (a, b, c) = (each[0].1, each[1].1, each[2].1)
    switch weakest {
    case 0: waves = (b - c, b)
    case 1: waves = (a, a + c)
    default: waves = (a, b)
    }
  }

  /// The wave of one of six directions, each a sixth of a turn further.
  private func wave(_ direction: Int) -> SIMD2<Double> {
    let sign = direction / 3 % 2 == 0 ? 1.0 : -1
    switch direction % 3 {
    case 0: return sign * waves.0
    case 1: return sign * waves.1
    default: return sign * (waves.1 - waves.0)
    }
  }

  /// The position in the picture of a place of the code, with columns and rows counted from its
  /// middle.
  private func place(_ column: Double, _ row: Double, turn: Int) -> Point {
    let (down, across) = (wave(turn), wave(turn + 5))
    let (v, u) = (row, column + row / 2)
    let determinant = across.x * down.y - across.y * down.x
    guard abs(determinant) > 1e-9 else { return eye.center }
    return eye.center.translated(
      dx: (u * down.y - v * across.y) / determinant, dy: (v * across.x - u * down.x) / determinant)
  }

  /// The outline of the code if its rows run in one of six directions.
  func outline(turn: Int) -> Quadrilateral {
    let (left, right, half) = (-14.5, 15.5, 16.7)
    return Quadrilateral(
      topLeft: place(left, -half, turn: turn), topRight: place(right, -half, turn: turn),
      bottomRight: place(right, half, turn: turn), bottomLeft: place(left, half, turn: turn))
  }

  /// Draws each hexagon as a square, in rows that run in one of six directions.
  ///
  /// The code fills the picture except a margin, as ZXing expects it.
  ///
  /// - Parameter turn: the direction, in sixths of a turn.
  func drawn(_ plane: GreyPlane, turn: Int) throws -> Raster {
    let side = Self.pixels
    let margin = 2 * side
    let (width, height) = (Self.columns * side, Self.rows * side)
    let middle = (eye.light + eye.dark) / 2
    let stride = width + 2 * margin
    return try Raster(width: stride, height: height + 2 * margin, channels: 1) { target in
      for place in target.indices { target[place] = 255 }
      for row in 0..<Self.rows {
        let isShifted = row % 2 == 1
        for column in 0..<Self.columns - (isShifted ? 1 : 0) {
          let (u, v) = (Double(column - 14) + (isShifted ? 0.5 : 0), Double(row - 16))
          let isDark = brightness(u, v, turn: turn, in: plane) < middle
          guard isDark != eye.isInverted else { continue }
          let left = margin + column * side + (isShifted ? side / 2 : 0)
          for y in 0..<side {
            for x in 0..<side { target[(margin + row * side + y) * stride + left + x] = 0 }
          }
        }
      }
      // ZXing measures from the outermost dark pixels.
      target[margin * stride + margin] = 0
      target[(margin + height - 1) * stride + margin + width - 1] = 0
    }
  }

  /// The mean of a hexagon's middle.
  private func brightness(
    _ column: Double, _ row: Double, turn: Int, in plane: GreyPlane
  ) -> Double {
    let offsets = [(0, 0), (0.2, 0), (-0.2, 0), (0, 0.2), (0, -0.2)]
    return offsets.reduce(0) { sum, offset in
      let point = place(column + offset.0, row + offset.1, turn: turn)
      return sum + plane.brightness(at: point.x, point.y)
    } / Double(offsets.count)
  }
}

/// The mean brightness at each distance from a line through a MaxiCode's middle, two a pixel;
/// without its rings.
private struct RowProfile {
  private var values: [Double]

  init(across angle: Double, around eye: BullsEye, reach: Double, in plane: GreyPlane) {
    let (c, s) = (cos(angle), sin(angle))
    let half = Int(2 * reach)
    values = [Double](repeating: 0, count: 2 * half + 1)
    var counts = values
    let (x, y) = (eye.center.x, eye.center.y)
    let (fromX, toX) = (max(Int(x - reach), 0), min(Int(x + reach), plane.width - 1))
    let (fromY, toY) = (max(Int(y - reach), 0), min(Int(y + reach), plane.height - 1))
    guard fromX <= toX, fromY <= toY else { return }
    let inner = 1.1 * eye.radius
    for row in fromY...toY {
      for column in fromX...toX {
        let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
        let square = dx * dx + dy * dy
        guard square < reach * reach, square > inner * inner else { continue }
        let place = half + Int((2 * (dx * c + dy * s)).rounded())
        guard values.indices.contains(place) else { continue }
        values[place] += Double(plane.samples[row * plane.width + column])
        counts[place] += 1
      }
    }
    values = zip(values, counts).map { $1 > 0 ? $0 / $1 : 0 }
    let mean = values.reduce(0, +) / Double(values.count)
    values = values.map { $0 - mean }
  }

  /// How much of it alternates with a period in pixels, the middle being a crest.
  func strength(of period: Double) -> Double {
    let turn = Double.pi / period
    let step = (c: cos(turn), s: sin(turn))
    let first = -turn * Double(values.count / 2)
    var wave = (c: cos(first), s: sin(first))
    var sum = 0.0
    for value in values {
      sum += value * wave.c
      wave = (wave.c * step.c - wave.s * step.s, wave.c * step.s + wave.s * step.c)
    }
    return abs(sum)
  }
}
