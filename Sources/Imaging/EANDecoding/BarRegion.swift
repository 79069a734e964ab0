import Geometry
import _CLibrary

/// A part of a picture whose edges nearly all run one way, as bars do.
struct BarRegion: Sendable {
  /// The middle, in pixels of the picture.
  let center: Point
  /// The direction across the bars, of length 1.
  let across: Point
  /// How far the region reaches across the bars.
  let width: Double
  /// How far it reaches along them.
  let height: Double
  /// How strong its edges are in all: what regions are ordered by.
  let weight: Double

  /// The direction along the bars.
  var along: Point { Point(x: -across.y, y: across.x) }
}

extension BarRegion {
  /// The side of a block in pixels of the reduced picture.
  private static let block = 8
  /// The least mean square of a gradient of a block, in grey levels per pixel.
  private static let leastEnergy = 2.0
  /// The least coherence of a block's gradients: 0 if they point everywhere, 1 along one axis.
  private static let leastCoherence = 0.45

  /// The regions of a picture, those of the strongest edges first.
  ///
  /// The picture is cut into blocks; each block and its neighbours have a structure tensor (Bigün
  /// and Granlund, "Optimal Orientation Detection of Linear Symmetry", 1987), whose coherence and
  /// direction join neighbouring blocks to regions.
  ///
  /// - Parameters:
  ///   - plane: the picture, reduced.
  ///   - scale: pixels of the picture per pixel of `plane`.
  ///   - limit: the most regions to answer.
  static func regions(in plane: LuminancePlane, scale: Double, limit: Int) -> [BarRegion] {
    let (columns, rows) = (plane.width / block, plane.height / block)
    guard columns >= 3, rows >= 3 else { return [] }
    let tensors = smoothed(tensors(of: plane, columns, rows), columns, rows)
    let isMember = tensors.map { $0.energy >= leastEnergy && $0.coherence >= leastCoherence }
    var seen = [Bool](repeating: false, count: tensors.count)
    var regions: [BarRegion] = []
    for start in tensors.indices where isMember[start] && !seen[start] {
      var members = [start]
      seen[start] = true
      var next = 0
      while next < members.count {
        let index = members[next]
        next += 1
        let (column, row) = (index % columns, index / columns)
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
          let (x, y) = (column + dx, row + dy)
          guard x >= 0, x < columns, y >= 0, y < rows else { continue }
          let other = y * columns + x
          guard isMember[other], !seen[other],
            tensors[index].isParallel(to: tensors[other])
          else { continue }
          seen[other] = true
          members.append(other)
        }
      }
      guard members.count >= 6 else { continue }
      let side = Double(block) * scale
      regions.append(
        region(
          members.map { index in
            let place = Point(
              x: (Double(index % columns) + 0.5) * side, y: (Double(index / columns) + 0.5) * side)
            return (place, tensors[index])
          }, side: side))
    }
    return Array(regions.sorted { $0.weight > $1.weight }.prefix(limit))
  }

  private static func region(_ members: [(Point, Tensor)], side: Double) -> BarRegion {
    var sum = Tensor()
    for (_, tensor) in members { sum = sum + tensor }
    let angle = sum.angle
    let across = Point(x: cos(angle), y: sin(angle))
    var (low, high) = (Point(x: .infinity, y: .infinity), Point(x: -.infinity, y: -.infinity))
    for (place, _) in members {
      let u = place.x * across.x + place.y * across.y
      let v = place.y * across.x - place.x * across.y
      low = Point(x: min(low.x, u), y: min(low.y, v))
      high = Point(x: max(high.x, u), y: max(high.y, v))
    }
    let (u, v) = ((low.x + high.x) / 2, (low.y + high.y) / 2)
    return BarRegion(
      center: Point(x: u * across.x - v * across.y, y: u * across.y + v * across.x),
      across: across, width: high.x - low.x + side, height: high.y - low.y + side,
      weight: sum.energy * sum.coherence)
  }

  private static func tensors(
    of plane: LuminancePlane, _ columns: Int, _ rows: Int
  ) -> [Tensor] {
    var tensors = [Tensor](repeating: Tensor(), count: columns * rows)
    let width = plane.width
    // Unsafe pointer: a bounds check a pixel would double the time.
    plane.values.withUnsafeBufferPointer { values in
      for y in 1..<min(rows * block, plane.height - 1) {
        for x in 1..<min(columns * block, width - 1) {
          let here = y * width + x
          let dx = values[here + 1] - values[here - 1]
          let dy = values[here + width] - values[here - width]
          let index = y / block * columns + x / block
          tensors[index].xx += Double(dx * dx)
          tensors[index].yy += Double(dy * dy)
          tensors[index].xy += Double(dx * dy)
        }
      }
    }
    let share = 0.25 / Double(block * block)
    return tensors.map { Tensor(xx: $0.xx * share, yy: $0.yy * share, xy: $0.xy * share) }
  }

  /// Each block with its eight neighbours, as their mean.
  private static func smoothed(_ tensors: [Tensor], _ columns: Int, _ rows: Int) -> [Tensor] {
    tensors.indices.map { index in
      var sum = Tensor()
      var count = 0.0
      let (column, row) = (index % columns, index / columns)
      for y in max(row - 1, 0)...min(row + 1, rows - 1) {
        for x in max(column - 1, 0)...min(column + 1, columns - 1) {
          sum = sum + tensors[y * columns + x]
          count += 1
        }
      }
      return Tensor(xx: sum.xx / count, yy: sum.yy / count, xy: sum.xy / count)
    }
  }
}

/// Means of products of the gradient's parts.
private struct Tensor {
  var xx = 0.0
  var yy = 0.0
  var xy = 0.0

  var energy: Double { xx + yy }
  var coherence: Double {
    ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot() / max(energy, 1e-9)
  }
  /// The direction of the gradients, -pi/2...pi/2.
  var angle: Double { atan2(2 * xy, xx - yy) / 2 }

  /// Whether the directions of two differ by less than some 18 degrees.
  func isParallel(to other: Tensor) -> Bool {
    cos(2 * (angle - other.angle)) > 0.8
  }

  static func + (a: Tensor, b: Tensor) -> Tensor {
    Tensor(xx: a.xx + b.xx, yy: a.yy + b.yy, xy: a.xy + b.xy)
  }
}
