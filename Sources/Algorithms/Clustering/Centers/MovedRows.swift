import Dispatch
import LinearAlgebra

/// Rows moved to their mean, in double precision and, scaled, in single precision for products.
///
/// Products decide which center is nearest unless their rounding leaves it open: see
/// ``ComparableRows`` for its bound. Sums in double precision decide between the centers left.
struct MovedRows: Sendable {
  /// Row after row.
  let values: [Double]
  let count: Int
  let width: Int
  /// What was taken from each row.
  let mean: [Double]
  /// The squared length of each row.
  let squares: [Double]
  /// The greatest of them.
  let largestSquare: Double

  /// The values in single precision, times the scale.
  private let singles: [Float]
  /// The lengths of the rows in single precision.
  private let lengths: [Float]
  private let scale: Double

  /// The number of rows that are compared with the centers at a time.
  private static let blockSize = 64
  /// In fewer columns sums in double precision are as quick as products.
  private static let leastColumns = 9

  /// - Throws: ``ClusteringError/nonFiniteRow(index:)``, ``ClusteringError/rowOverflow(index:)``.
  @_specialize(where Scalar == Double)
  @_specialize(where Scalar == Float)
  init<Scalar: MatrixScalar>(
    _ rows: Matrix<Scalar>, mean given: [Double]? = nil
  ) throws(ClusteringError) {
    let (count, width) = (rows.rowCount, rows.columnCount)
    (self.count, self.width) = (count, width)
    var values = rows.elements.withUnsafeBufferPointer { source in
      [Double](unsafeUninitializedCapacity: source.count) { target, initialized in
        for index in 0..<source.count { target[index] = Double(source[index]) }
        initialized = source.count
      }
    }
    var mean = [Double](repeating: 0, count: width)
    let bad = values.withUnsafeBufferPointer { values in
      mean.withUnsafeMutableBufferPointer { mean in
        guard let values = values.baseAddress, let mean = mean.baseAddress else { return Int?.none }
        return (0..<count).first { row in
          let value = values + row * width
          DoubleSums.add(1, value, to: mean, count: width)
          // A comparison with NaN is false.
          return !(DoubleSums.dot(value, value, count: width) <= 1e280)
        }
      }
    }
    if let bad {
      throw rows[row: bad].allSatisfy(\.isFinite)
        ? .rowOverflow(index: bad) : .nonFiniteRow(index: bad)
    }
    for column in mean.indices { mean[column] /= Double(max(count, 1)) }
    if let given { mean = given }
    self.mean = mean
    let squares = Self.take(mean, from: &values, count: count, width: width)
    self.values = values
    self.squares = squares
    largestSquare = squares.max() ?? 0
    let largest = largestSquare.squareRoot()
    let scale =
      largest > 0 ? Double(sign: .plus, exponent: -largest.exponent, significand: 1) : 1
    self.scale = scale
    guard width >= Self.leastColumns else {
      (singles, lengths) = ([], [])
      return
    }
    singles = Self.singles(of: values, times: scale)
    lengths = squares.map { Float($0.squareRoot() * scale) }
  }

  /// Takes the mean from each row; returns the squared lengths of the rows that are left.
  private static func take(
    _ mean: [Double], from values: inout [Double], count: Int, width: Int
  ) -> [Double] {
    var squares = [Double](repeating: 0, count: count)
    values.withUnsafeMutableBufferPointer { values in
      mean.withUnsafeBufferPointer { mean in
        for row in 0..<count {
          guard let value = values.baseAddress.map({ $0 + row * width }) else { return }
          for column in 0..<width { value[column] -= mean[column] }
          squares[row] = DoubleSums.dot(value, value, count: width)
        }
      }
    }
    return squares
  }

  /// The values in single precision, times the scale.
  private static func singles(of values: [Double], times scale: Double) -> [Float] {
    values.withUnsafeBufferPointer { source in
      [Float](unsafeUninitializedCapacity: source.count) { target, initialized in
        for index in 0..<source.count { target[index] = Float(source[index] * scale) }
        initialized = source.count
      }
    }
  }

  /// Centers in the place of the rows, one after the other.
  func moved(_ centers: Matrix<Double>) -> [Double] {
    var values = centers.elements
    for index in values.indices { values[index] -= mean[index % width] }
    return values
  }

  /// The mean over the columns of their variances.
  var meanVariance: Double {
    guard count > 0, width > 0 else { return 0 }
    let sum = squares.reduce(0, +)
    return sum / Double(count) / Double(width)
  }

  /// The squared distance of a row to the point at `center`, with scikit-learn's order of sums.
  func square(_ row: Int, _ center: UnsafePointer<Double>) -> Double {
    values.withUnsafeBufferPointer { values in
      guard let value = values.baseAddress.map({ $0 + row * width }) else { return 0 }
      var sum = 0.0
      var column = 0
      while column + 4 <= width {
        let (a, b) = (value[column] - center[column], value[column + 1] - center[column + 1])
        let (c, d) = (
          value[column + 2] - center[column + 2], value[column + 3] - center[column + 3]
        )
        sum += a * a + b * b + c * c + d * d
        column += 4
      }
      while column < width {
        let difference = value[column] - center[column]
        sum += difference * difference
        column += 1
      }
      return sum
    }
  }

  /// Writes for each row the number of the nearest of some centers, the first of several.
  func assign(to centers: [Double], labels: inout [Int32]) {
    guard width > 0, width < Int32.max, count > 0 else {
      for row in labels.indices { labels[row] = 0 }
      return
    }
    let table =
      width < Self.leastColumns
      ? nil : CenterTable(centers, width: width, scale: scale)
    guard let table else { return assignPlainly(to: centers, labels: &labels) }
    labels.withUnsafeMutableBufferPointer { labels in
      nonisolated(unsafe) let labels = labels  // Each block has places of its own.
      centers.withUnsafeBufferPointer { centers in
        nonisolated(unsafe) let centers = centers  // Only read.
        table.packed.spread((count + Self.blockSize - 1) / Self.blockSize) { block in
          let start = block * Self.blockSize
          assign(start..<min(start + Self.blockSize, count), table, centers, labels)
        }
      }
    }
  }

  /// The same by sums in double precision alone, four centers at a time.
  private func assignPlainly(to centers: [Double], labels: inout [Int32]) {
    let centerCount = centers.count / width
    var lanes = [SIMD4<Double>](
      repeating: SIMD4(repeating: .infinity), count: (centerCount + 3) / 4 * width)
    for center in 0..<centerCount {
      for column in 0..<width {
        lanes[center / 4 * width + column][center % 4] = centers[center * width + column]
      }
    }
    labels.withUnsafeMutableBufferPointer { labels in
      lanes.withUnsafeBufferPointer { lanes in
        values.withUnsafeBufferPointer { values in
          for row in 0..<count {
            var least = Double.infinity
            var best = 0
            for group in 0..<(centerCount + 3) / 4 {
              var squares = SIMD4<Double>.zero
              for column in 0..<width {
                let difference = values[row * width + column] - lanes[group * width + column]
                squares += difference * difference
              }
              for lane in 0..<4 where squares[lane] < least {
                (least, best) = (squares[lane], 4 * group + lane)
              }
            }
            labels[row] = Int32(best)
          }
        }
      }
    }
  }

  private func assign(
    _ range: Range<Int>, _ table: CenterTable, _ centers: UnsafeBufferPointer<Double>,
    _ labels: UnsafeMutableBufferPointer<Int32>
  ) {
    guard let first = centers.baseAddress else { return }
    let stride = table.paddedCount
    singles.withUnsafeBufferPointer { singles in
      guard let singles = singles.baseAddress else { return }
      withUnsafeTemporaryAllocation(of: Float.self, capacity: range.count * stride) { products in
        guard let products = products.baseAddress else { return }
        table.packed.uncheckedProducts(
          of: singles + range.lowerBound * width, count: range.count, with: 0..<table.count,
          into: products, stride: stride)
        for row in range {
          let candidates = table.candidates(
            products + (row - range.lowerBound) * stride, length: lengths[row])
          guard candidates.areSeveral else {
            labels[row] = Int32(candidates.first)
            continue
          }
          var (best, least) = (candidates.first, Double.infinity)
          for center in candidates.first..<table.count
          where products[(row - range.lowerBound) * stride + center] <= candidates.most {
            let square = square(row, first + center * width)
            if square < least { (best, least) = (center, square) }
          }
          labels[row] = Int32(best)
        }
      }
    }
  }
}

extension ArraySlice<Double> {
  /// Whether the values are finite, and so are sums of their squares.
  var isWithinSquares: Bool { allSatisfy { abs($0) <= 1e140 } }
}
