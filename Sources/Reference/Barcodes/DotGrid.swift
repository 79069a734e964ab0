import Geometry
import Raster
import _CLibrary

/// The grid on which the dots of an upright code lie, found by its edges: they lie at multiples of
/// one length.
struct DotGrid {
  /// The side of a module in pixels.
  let module: Double
  /// Which share of the edges lies on the grid, 0...1.
  let regularity: Double
  /// The position of a column's left side, 0..<module.
  private let left: Double
  /// The position of a row's upper side, 0..<module.
  private let top: Double

  /// The grid of an upright part of a picture; nil if nothing repeats in it.
  ///
  /// - Parameter modules: the lengths that are tried, in pixels.
  init?(of plane: GreyPlane, modules: ClosedRange<Double>) {
    guard plane.width >= 16, plane.height >= 16 else { return nil }
    let (across, down) = Self.edges(of: plane)
    func strength(_ frequency: Double) -> Double {
      let (a, b) = (Self.wave(frequency, across), Self.wave(frequency, down))
      return (a * a).sum() + (b * b).sum()
    }
    // Two periods that differ by one turn over the whole width are two and a half steps apart.
    let step = 0.4 / Double(max(plane.width, plane.height))
    let frequencies = Array(
      stride(from: 1 / modules.upperBound, through: 1 / modules.lowerBound, by: step))
    let strengths = frequencies.map(strength)
    guard let most = strengths.max(), most > 0,
      // Sharp edges repeat at half the length and a third too.
      var best = strengths.firstIndex(where: { $0 >= 0.6 * most })
    else { return nil }
    while best + 1 < strengths.count, strengths[best + 1] > strengths[best] { best += 1 }
    let around = (-4...4).map { frequencies[best] + Double($0) * step / 5 }
    guard let frequency = around.max(by: { strength($0) < strength($1) }), frequency > 0 else {
      return nil
    }
    module = 1 / frequency
    let edges = (across + down).reduce(0) { $0 + Double(abs($1)) }
    let (a, b) = (Self.wave(frequency, across), Self.wave(frequency, down))
    regularity =
      ((a * a).sum().squareRoot() + (b * b).sum().squareRoot()) / max(edges, 1)
    left = Self.phase(Self.wave(frequency, across)) / frequency
    top = Self.phase(Self.wave(frequency, down)) / frequency
  }

  /// How strong the edges are at each column, and at each row, less their mean.
  ///
  /// Place i is the border of pixels i and i + 1.
  private static func edges(of plane: GreyPlane) -> (across: [Float], down: [Float]) {
    let (width, height) = (plane.width, plane.height)
    var across = [Float](repeating: 0, count: width - 1)
    var down = [Float](repeating: 0, count: height - 1)
    plane.samples.withUnsafeBufferPointer { samples in
      for y in 0..<height - 1 {
        var sum: Int32 = 0
        for x in 0..<width - 1 {
          let here = Int32(samples[y * width + x])
          across[x] += Float(abs(Int32(samples[y * width + x + 1]) - here))
          sum += abs(Int32(samples[(y + 1) * width + x]) - here)
        }
        down[y] = Float(sum)
      }
    }
    func centered(_ values: [Float]) -> [Float] {
      let mean = values.reduce(0, +) / Float(values.count)
      return values.map { $0 - mean }
    }
    return (centered(across), centered(down))
  }

  /// How much of a frequency there is in a row of values, with its phase.
  private static func wave(_ frequency: Double, _ values: [Float]) -> SIMD2<Double> {
    var sum = SIMD2<Double>.zero
    var turn = SIMD2(1.0, 0.0)
    let step = SIMD2(cos(2 * .pi * frequency), sin(2 * .pi * frequency))
    for value in values {
      sum += Double(value) * turn
      turn = SIMD2(turn.x * step.x - turn.y * step.y, turn.x * step.y + turn.y * step.x)
    }
    return sum
  }

  /// The position of the first crest, in periods: value i is at i + 1.
  private static func phase(_ wave: SIMD2<Double>) -> Double {
    atan2(wave.y, wave.x) / (2 * .pi)
  }
}

extension DotGrid {
  /// Pixels of the answer a module.
  private static let pixels = 4

  /// Each module as a square of black or white, and the part of the picture that was drawn.
  func drawn(_ plane: GreyPlane) throws -> (picture: Raster, part: Box)? {
    // Value i of the edges is the border at i + 1.
    let startX = (left + 1).truncatingRemainder(dividingBy: module)
    let startY = (top + 1).truncatingRemainder(dividingBy: module)
    let columns = Int((Double(plane.width) - startX) / module)
    let rows = Int((Double(plane.height) - startY) / module)
    guard columns >= 8, rows >= 8, columns <= 200, rows <= 200 else { return nil }
    var values = [Float](repeating: 0, count: columns * rows)
    let reach = max(Int(module / 4), 0)
    for row in 0..<rows {
      let y = Int(startY + (Double(row) + 0.5) * module)
      for column in 0..<columns {
        let x = Int(startX + (Double(column) + 0.5) * module)
        var sum: Float = 0
        var count: Float = 0
        for v in max(y - reach, 0)...min(y + reach, plane.height - 1) {
          for u in max(x - reach, 0)...min(x + reach, plane.width - 1) {
            sum += Float(plane.samples[v * plane.width + u])
            count += 1
          }
        }
        values[row * columns + column] = sum / count
      }
    }
    let isLight = Self.isLight(values, columns, rows)
    let (width, height) = (columns * Self.pixels, rows * Self.pixels)
    let picture = try Raster(width: width, height: height, channels: 1) { target in
      for y in 0..<height {
        for x in 0..<width {
          target[y * width + x] = isLight[y / Self.pixels * columns + x / Self.pixels] ? 255 : 0
        }
      }
    }
    let part = Box(
      minX: Float(startX), minY: Float(startY), maxX: Float(startX + Double(columns) * module),
      maxY: Float(startY + Double(rows) * module))
    return (picture, part)
  }

  /// Each module against the middle between the lightest and the darkest around it, after its
  /// neighbours' share of its light was taken from it.
  private static func isLight(_ values: [Float], _ columns: Int, _ rows: Int) -> [Bool] {
    var sharp = values
    for row in 0..<rows {
      for column in 0..<columns {
        let here = row * columns + column
        var sum: Float = 0
        sum += values[row * columns + max(column - 1, 0)]
        sum += values[row * columns + min(column + 1, columns - 1)]
        sum += values[max(row - 1, 0) * columns + column]
        sum += values[min(row + 1, rows - 1) * columns + column]
        sharp[here] += 0.8 * (values[here] - sum / 4)
      }
    }
    let least = sharp.min() ?? 0
    let most = sharp.max() ?? 0
    return sharp.indices.map { index in
      let (column, row) = (index % columns, index / columns)
      var (low, high) = (Float.infinity, -Float.infinity)
      for y in max(row - 2, 0)...min(row + 2, rows - 1) {
        for x in max(column - 2, 0)...min(column + 2, columns - 1) {
          low = min(low, sharp[y * columns + x])
          high = max(high, sharp[y * columns + x])
        }
      }
      let hasBoth = high - low > 0.35 * (most - least)
      return sharp[index] > (hasBoth ? (low + high) / 2 : (least + most) / 2)
    }
  }
}
