import _CLibrary

/// The normal distribution of mean 0 and standard deviation 1.
///
/// Both functions are accurate to a relative error of 1e-12 wherever the result is a normal number:
/// small probabilities are not differences of large ones.
public enum StandardNormal {
  /// The probability of a value of at most `x`, 0...1; of NaN, NaN.
  ///
  /// `erfc(-x / sqrt(2)) / 2`, from the C library. For the probability of at least `x`, use that of
  /// at most `-x`: it keeps its digits if this one is near 1.
  public static func cumulative(_ x: Double) -> Double {
    erfc(-x * 0.5.squareRoot()) / 2
  }

  /// The density at `x`.
  public static func density(_ x: Double) -> Double {
    exp(-x * x / 2) * 0.398_942_280_401_432_7
  }

  /// The value below which the share `p` of the distribution lies.
  ///
  /// -infinity for 0 and infinity for 1.
  ///
  /// - Throws: ``StatisticsError/probabilityOutOfRange(_:)`` if `p` is NaN or not in 0...1.
  ///
  /// Source: Wichura, "Algorithm AS 241: The percentage points of the normal distribution", 1988,
  /// its routine of sixteen figures (PPND16).
  public static func quantile(_ p: Double) throws(StatisticsError) -> Double {
    guard p >= 0, p <= 1 else { throw .probabilityOutOfRange(p) }
    if p == 0 { return -.infinity }
    if p == 1 { return .infinity }
    return wichura(p)
  }

  /// PPND16: for the middle a rational function of `(p - 1/2)²`, for the tails one of
  /// `sqrt(-log(tail))`.
  private static func wichura(_ p: Double) -> Double {
    let q = p - 0.5
    if abs(q) <= 0.425 {
      let r = 0.180625 - q * q
      return q * polynomial(middleNumerator, r) / polynomial(middleDenominator, r)
    }
    let r = (-log(q < 0 ? p : 1 - p)).squareRoot()
    let value =
      r <= 5
      ? polynomial(nearNumerator, r - 1.6) / polynomial(nearDenominator, r - 1.6)
      : polynomial(farNumerator, r - 5) / polynomial(farDenominator, r - 5)
    return q < 0 ? -value : value
  }

  /// The coefficients of a polynomial, from the constant on: in place, as an array would have to be
  /// fetched.
  private typealias Coefficients = (
    Double, Double, Double, Double, Double, Double, Double, Double
  )

  /// The polynomial's value by Horner's rule.
  @inline(__always)
  private static func polynomial(_ c: Coefficients, _ x: Double) -> Double {
    let upper = ((c.7 * x + c.6) * x + c.5) * x + c.4
    return (((upper * x + c.3) * x + c.2) * x + c.1) * x + c.0
  }

  private static let middleNumerator: Coefficients = (
    3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
    45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727
  )
  private static let middleDenominator: Coefficients = (
    1.0, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077,
    21213.794301586595867, 39307.89580009271061, 28729.085735721942674, 5226.495278852854561
  )
  private static let nearNumerator: Coefficients = (
    1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
    1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833,
    7.7454501427834140764e-4
  )
  private static let nearDenominator: Coefficients = (
    1.0, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455,
    0.14810397642748007459, 0.0151986665636164571966, 5.475938084995344946e-4,
    1.05075007164441684324e-9
  )
  private static let farNumerator: Coefficients = (
    6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
    0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5,
    2.01033439929228813265e-7
  )
  private static let farDenominator: Coefficients = (
    1.0, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525,
    7.868691311456132591e-4, 1.8463183175100546818e-5, 1.4215117583164458887e-7,
    2.04426310338993978564e-15
  )
}
