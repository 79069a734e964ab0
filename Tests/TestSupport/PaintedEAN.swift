import Foundation

/// An EAN-13 painted point by point: what a camera sees of it, by arithmetic that shares nothing with the readers.
public struct PaintedEAN: Sendable {
  /// Thirteen digits.
  public var digits: String
  /// Pixels per module.
  public var module = 3.0
  /// Height of the bars in pixels.
  public var height = 120.0
  /// The turn in radians, with the clock.
  public var angle = 0.0
  /// The standard deviation of the blur in pixels, across and along.
  public var blur = 0.0
  /// The brightness of paper and bars.
  public var white = 230.0
  /// The brightness of the bars.
  public var black = 30.0
  /// The standard deviation of the noise.
  public var noise = 0.0
  /// How much narrower the code is at its foot than at its head, as a share.
  public var perspective = 0.0
  /// What the noise is drawn from.
  public var seed: UInt64 = 1

  /// Paints a sharp, level code with `digits`.
  public init(_ digits: String) {
    self.digits = digits
  }

  private static let sets = [
    "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011",
    "0110111", "0001011",
  ]
  private static let parities = [
    "AAAAAA", "AABABB", "AABBAB", "AABBBA", "ABAABB", "ABBAAB", "ABBBAA", "ABABAB", "ABABBA",
    "ABBABA",
  ]

  /// The 95 modules, true a bar.
  private var bars: [Bool] {
    let values = digits.compactMap(\.wholeNumberValue)
    var text = "101"
    for place in 1...12 {
      if place == 7 { text += "01010" }
      let set = Self.sets[values[place]]
      let inverted = String(set.map { $0 == "0" ? "1" : "0" })
      if place > 6 {
        text += inverted
      } else {
        let isA = Array(Self.parities[values[0]])[place - 1] == "A"
        text += isA ? set : String(inverted.reversed())
      }
    }
    return (text + "101").map { $0 == "1" }
  }

  /// The side of the picture, which is square.
  public var side: Int { Int((125 * module).rounded()) + 20 }

  /// The four corners of the bars, x and y, from where reading begins, with the clock.
  public var corners: [(x: Double, y: Double)] {
    [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { a, b in
      let u = a * 47.5 * module * (1 - perspective * (b + 1) / 2)
      let v = b * height / 2
      return (
        Double(side) / 2 + u * cos(angle) - v * sin(angle),
        Double(side) / 2 + u * sin(angle) + v * cos(angle)
      )
    }
  }

  /// The picture's brightness, row after row.
  public var samples: [UInt8] {
    let bars = bars
    let side = side
    var plane = [Double](repeating: 0, count: side * side)
    for y in 0..<side {
      for x in 0..<side {
        var dark = 0.0
        // Three points each way: no bar is lost between pixels.
        for part in 0..<9 {
          let dx = Double(x) + (Double(part % 3) + 0.5) / 3 - Double(side) / 2
          let dy = Double(y) + (Double(part / 3) + 0.5) / 3 - Double(side) / 2
          let u = dx * cos(angle) + dy * sin(angle)
          let v = -dx * sin(angle) + dy * cos(angle)
          guard abs(v) <= height / 2 else { continue }
          let width = module * (1 - perspective * (v / height + 0.5))
          let place = (u / width + 47.5).rounded(.down)
          if place >= 0, place < 95, bars[Int(place)] { dark += 1.0 / 9 }
        }
        plane[y * side + x] = white - (white - black) * dark
      }
    }
    if blur > 0 { plane = blurred(plane, side) }
    var generator = SeededGenerator(seed: seed)
    return plane.map { value in
      var sum = -6.0
      if noise > 0 { for _ in 0..<12 { sum += generator.unit() } } else { sum = 0 }
      return UInt8(min(max(value + noise * sum, 0), 255).rounded())
    }
  }

  private func blurred(_ plane: [Double], _ side: Int) -> [Double] {
    let reach = Int((3 * blur).rounded(.up))
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * blur * blur)) }
    let total = weights.reduce(0, +)
    var result = plane
    for step in [1, side] {
      let source = result
      for y in 0..<side {
        for x in 0..<side {
          let (here, place) = (y * side + x, step == 1 ? x : y)
          var sum = 0.0
          for (index, weight) in weights.enumerated() {
            let moved = min(max(place + index - reach, 0), side - 1)
            sum += weight * source[here + (moved - place) * step]
          }
          result[here] = sum / total
        }
      }
    }
    return result
  }
}
