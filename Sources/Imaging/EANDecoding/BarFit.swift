/// The position of a code in a profile, and its blur.
struct BarPlacement: Sendable {
  /// The position at which the first guard bar begins, in samples of the profile.
  var start: Double
  /// The position at which the last guard bar ends.
  var end: Double
  /// The shift of the middle toward the end, as a share of the length.
  ///
  /// Perspective and bent pages cause it.
  var bend: Double
  /// The standard deviation of the blur in modules.
  var blur: Double

  /// The code's own samples (see ``DigitBeam``) of a profile.
  func row(of profile: [Float]) -> [Float] {
    let last = profile.count - 1
    return (0..<DigitBeam.samples).map { sample in
      let module = (Double(sample) + 0.5) / Double(LineSpread.density) - Double(DigitBeam.margin)
      let share = module / Double(EANPattern.modules)
      // Beyond the code the bend would grow; there the row goes on evenly.
      let bent = share > 0 && share < 1 ? share + bend * share * (1 - share) : share
      let place = min(max(start + (end - start) * bent - 0.5, 0), Double(last))
      let left = min(Int(place), max(last - 1, 0))
      let part = Float(place - Double(left))
      return profile[left] + (profile[min(left + 1, last)] - profile[left]) * part
    }
  }
}

/// Brightness as `white - contrast * darkness`, both bending along the code: shades and soft glare.
struct BarLevels: Sendable {
  /// Three coefficients of the white paper, three of the contrast, in powers of -1...1.
  private let coefficients: [Double]
  /// The squares that the fit leaves, in shares of the variance of the code.
  let remainder: Double

  /// The first guess: white is what lies beside the code, and a code is as dark as most are.
  init?(around row: [Float]) {
    let density = LineSpread.density
    func mean(_ range: Range<Int>) -> Double {
      range.reduce(0) { $0 + Double(row[$1]) } / Double(range.count)
    }
    let (first, last) = (
      mean(density..<4 * density), mean(row.count - 4 * density..<row.count - density)
    )
    let inner = mean(DigitBeam.margin * density..<row.count - DigitBeam.margin * density)
    let contrast = ((first + last) / 2 - inner) / 0.48
    guard contrast > 6 else { return nil }
    coefficients = [(first + last) / 2, (last - first) / 2, 0, contrast, 0, 0]
    remainder = 1
  }

  /// The levels of least squares for a row whose darkness is known.
  ///
  /// - Parameter order: how many coefficients each of the two has, 1...3.
  init?(of row: [Float], darkness: [Float], order: Int = 3) {
    let range = Self.weighed
    var matrix = [Double](repeating: 0, count: 49)
    var basis = [Double](repeating: 0, count: 7)
    let n = 2 * order
    var (sum, square) = (0.0, 0.0)
    for index in range {
      let (t, y) = (Self.place(index), Double(row[index]))
      let d = -Double(darkness[index])
      var power = 1.0
      for term in 0..<order {
        basis[term] = power
        basis[order + term] = power * d
        power *= t
      }
      basis[n] = y
      for i in 0...n { for j in i...n { matrix[7 * i + j] += basis[i] * basis[j] } }
      sum += y
      square += y * y
    }
    let variance = square - sum * sum / Double(range.count)
    guard variance > 1 else { return nil }
    // Cholesky's elimination of the normal equations; the last pivot is what is left.
    for k in 0..<n {
      let pivot = matrix[8 * k]
      guard pivot > 1e-9 else { return nil }
      for i in k + 1...n {
        let factor = matrix[7 * k + i] / pivot
        for j in i...n { matrix[7 * i + j] -= factor * matrix[7 * k + j] }
      }
    }
    var solution = [Double](repeating: 0, count: n)
    for k in stride(from: n - 1, through: 0, by: -1) {
      var value = matrix[7 * k + n]
      for j in k + 1..<n where j < n { value -= matrix[7 * k + j] * solution[j] }
      solution[k] = value / matrix[8 * k]
    }
    var coefficients = [Double](repeating: 0, count: 6)
    for term in 0..<order {
      coefficients[term] = solution[term]
      coefficients[3 + term] = solution[order + term]
    }
    self.coefficients = coefficients
    remainder = max(matrix[8 * n], 0) / variance
  }

  /// A row as darkness, 0 white and 1 black; nil if the contrast vanishes somewhere.
  func darkness(of row: [Float]) -> [Float]? {
    var result = row
    for index in row.indices {
      let t = Self.place(index)
      let white = coefficients[0] + t * (coefficients[1] + t * coefficients[2])
      let contrast = coefficients[3] + t * (coefficients[4] + t * coefficients[5])
      guard contrast > 2 else { return nil }
      result[index] = Float((white - Double(row[index])) / contrast)
    }
    return result
  }

  /// The samples that count: the code, and three modules on either side.
  static let weighed =
    (DigitBeam.margin - 3) * LineSpread.density..<(DigitBeam.margin + EANPattern.modules + 3)
    * LineSpread.density

  /// A sample's place, -1...1 over the code.
  private static func place(_ index: Int) -> Double {
    2 * (Double(index) + 0.5) / Double(DigitBeam.samples) - 1
  }
}
