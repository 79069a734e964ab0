/// Finds the twelve digits that explain a blurred row of bars best.
///
/// The row is treated as a sum of guards and digits, each blurred. Because of the blur, neighbours
/// run into each other, so digits cannot be read one by one. Instead they are placed from left to
/// right, and the best sums so far are kept (beam search). In a sum, each digit that is not placed
/// yet is replaced by the mean of all digits.
///
/// Source: Lowerre, "The Harpy speech recognition system", 1976.
struct DigitBeam {
  /// Modules on either side of the code that belong to a row.
  static let margin = 6
  /// Samples of a row.
  static let samples = (EANPattern.modules + 2 * margin) * LineSpread.density

  /// Thirteen digits, and the squares that they leave unexplained.
  struct Reading {
    var digits: [UInt8]
    var remainder: Float
  }

  private let spread: LineSpread
  private let left: PatternTable
  private let right: PatternTable

  init(_ spread: LineSpread) {
    self.spread = spread
    left = PatternTable(EANPattern.left, spread)
    right = PatternTable(EANPattern.right, spread)
  }

  /// The readings that leave least, best first, whether or not their check digit is right.
  ///
  /// - Parameters:
  ///   - row: ``samples`` values, 0 white and 1 black.
  ///   - width: how many sums are kept.
  func readings(of row: [Float], width: Int) -> [Reading] {
    var first = row
    for module in EANPattern.guardBars {
      spread.add([1], at: Self.start(ofModule: module), times: -1, to: &first)
    }
    for place in 0..<12 {
      let mean = place < 6 ? left.mean : right.mean
      spread.add(
        mean, at: Self.start(ofModule: EANPattern.firstModule(ofDigit: place)), times: -1,
        to: &first)
    }
    let count = row.count
    var beam = [State(cost: first.reduce(0) { $0 + $1 * $1 })]
    var residuals = first
    for place in 0..<12 {
      let table = place < 6 ? left : right
      let window = Self.start(ofModule: EANPattern.firstModule(ofDigit: place)) - spread.reach
      var next: [(state: State, parent: Int, pattern: Int)] = []
      next.reserveCapacity(beam.count * table.count)
      for (parent, state) in beam.enumerated() {
        for pattern in 0..<table.count {
          guard let parity = state.parity(adding: pattern, at: place) else { continue }
          // Unsafe pointers inside: this product is nearly all the time of a search.
          let gain = table.gain(of: pattern, residuals, at: parent * count + window)
          var child = state
          child.cost -= gain
          child.parity = parity
          child.code = state.code &* 10 &+ UInt64(pattern % 10)
          next.append((child, parent, pattern))
        }
      }
      if next.count > width {
        next.sort { $0.state.cost < $1.state.cost }
        next.removeLast(next.count - width)
      }
      var kept = [Float]()
      kept.reserveCapacity(next.count * count)
      for entry in next {
        let start = kept.count
        kept.append(contentsOf: residuals[entry.parent * count..<(entry.parent + 1) * count])
        table.subtract(entry.pattern, from: &kept, at: start + window)
      }
      residuals = kept
      beam = next.map(\.state)
    }
    return beam.compactMap { state in
      guard let first = EANPattern.parities.firstIndex(of: state.parity) else { return nil }
      return Reading(digits: state.digits(first: first), remainder: max(state.cost, 0))
    }.sorted { $0.remainder < $1.remainder }
  }

  /// The row that a number's bars make.
  static func row(of digits: [UInt8], through spread: LineSpread) -> [Float] {
    var row = [Float](repeating: 0, count: samples)
    spread.add(EANPattern.bars(of: digits), at: start(ofModule: 0), times: 1, to: &row)
    return row
  }

  private static func start(ofModule module: Int) -> Int {
    (margin + module) * LineSpread.density
  }

  private struct State {
    var cost: Float
    var parity: UInt8 = 0
    var code: UInt64 = 0

    /// The sets so far with those of a pattern, nil if no first digit has them.
    func parity(adding pattern: Int, at place: Int) -> UInt8? {
      guard place < 6 else { return parity }
      let longer = parity << 1 | (pattern >= 10 ? 1 : 0)
      return EANPattern.isPossible(parity: longer, count: place + 1) ? longer : nil
    }

    func digits(first: Int) -> [UInt8] {
      var digits = [UInt8](repeating: UInt8(first), count: 13)
      var rest = code
      for place in stride(from: 12, through: 1, by: -1) {
        digits[place] = UInt8(rest % 10)
        rest /= 10
      }
      return digits
    }
  }
}

/// What each pattern of a half adds to the mean of all of them, blurred.
private struct PatternTable {
  let mean: [Float]
  let count: Int
  private let length: Int
  private let values: [Float]
  private let squares: [Float]

  init(_ patterns: [[Float]], _ spread: LineSpread) {
    count = patterns.count
    let mean = (0..<7).map { module in
      patterns.reduce(0) { $0 + $1[module] } / Float(patterns.count)
    }
    self.mean = mean
    let length = 7 * LineSpread.density + 2 * spread.reach
    self.length = length
    let rows = patterns.map { pattern in
      var row = [Float](repeating: 0, count: length)
      spread.add(zip(pattern, mean).map { $0 - $1 }, at: spread.reach, times: 1, to: &row)
      return row
    }
    values = rows.flatMap { $0 }
    squares = rows.map { $0.reduce(0) { $0 + $1 * $1 } }
  }

  /// How much less is left of a residual once a pattern is taken from it.
  func gain(of pattern: Int, _ residuals: [Float], at start: Int) -> Float {
    // Eight sums at a time, which rounding would otherwise forbid.
    values.withUnsafeBufferPointer { values in
      residuals.withUnsafeBufferPointer { residuals in
        let a = pattern * length
        var sums = SIMD8<Float>.zero
        var index = 0
        while index + 8 <= length {
          var (x, y) = (SIMD8<Float>(), SIMD8<Float>())
          for lane in 0..<8 {
            x[lane] = values[a + index + lane]
            y[lane] = residuals[start + index + lane]
          }
          sums += x * y
          index += 8
        }
        var sum = sums.sum()
        while index < length {
          sum += values[a + index] * residuals[start + index]
          index += 1
        }
        return 2 * sum - squares[pattern]
      }
    }
  }

  func subtract(_ pattern: Int, from residuals: inout [Float], at start: Int) {
    for index in 0..<length { residuals[start + index] -= values[pattern * length + index] }
  }
}
