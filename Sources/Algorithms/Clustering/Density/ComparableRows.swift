import Dispatch
import LinearAlgebra

/// Rows whose distances are compared with a limit, many pairs at once.
///
/// Products in single precision decide nearly all pairs. Their rounding has a bound. A product of
/// two rows x and y of d values is right to (d + 3) u |x| |y|, with u = 2^-24. And |x| |y| is at
/// most half of |x|² + |y|². Sums in double precision decide the pairs that the bound leaves open.
struct ComparableRows {
  /// In double precision; directions for cosine distances.
  let rows: Matrix<Double>
  let metric: DistanceMetric
  /// The limit: for cosine distances as it is, else its square.
  let limit: Double
  /// The limit in the unit of the rows.
  let eps: Double

  /// - Throws: ``ClusteringError/zeroRow(index:)`` (cosine only; any row, if rows are empty),
  ///   ``ClusteringError/nonFiniteRow(index:)``.
  init(_ embeddings: Matrix<Double>, metric: DistanceMetric, eps: Double) throws(ClusteringError) {
    self.metric = metric
    switch metric {
    case .cosine:
      rows = try embeddings.normalizedForClustering()
      (self.eps, limit) = (eps, eps)
    case .euclidean:
      var largest = 0.0
      for index in 0..<embeddings.rowCount {
        let norm = embeddings[row: index].norm(.infinity)
        guard norm.isFinite else { throw .nonFiniteRow(index: index) }
        largest = max(largest, norm)
      }
      // A power of two changes no comparison, and squares stay within the range of numbers.
      let isPlain = largest == 0 || (largest > 1e-140 && largest < 1e140)
      let exponent = isPlain ? 0 : -largest.exponent
      rows = exponent == 0 ? embeddings : embeddings.scaled(byPowerOfTwo: exponent)
      self.eps = min(max(Double(sign: .plus, exponent: exponent, significand: eps), 0), 1e150)
      limit = self.eps * self.eps
    }
  }

  /// Whether two rows are within the limit, by sums in double precision.
  func areClose(_ first: Int, _ second: Int) -> Bool {
    rows.elements.withUnsafeBufferPointer { elements in
      guard let values = elements.baseAddress else { return true }
      let width = rows.columnCount
      let (a, b) = (values + first * width, values + second * width)
      switch metric {
      case .cosine:
        return 1 - min(max(DoubleSums.dot(a, b, count: width), -1), 1) <= limit
      case .euclidean: return Self.square(a, b, width) <= limit
      }
    }
  }

  /// The distance of two rows in the unit that was given, by sums in double precision.
  ///
  /// Cosine distances that rounding makes of copies are 0.
  func distance(_ first: Int, _ second: Int) -> Double {
    rows.elements.withUnsafeBufferPointer { elements in
      guard let values = elements.baseAddress else { return 0 }
      let width = rows.columnCount
      let (a, b) = (values + first * width, values + second * width)
      switch metric {
      case .cosine:
        let distance = 1 - min(max(DoubleSums.dot(a, b, count: width), -1), 1)
        return distance < 1e-14 ? 0 : distance
      case .euclidean: return Self.square(a, b, width).squareRoot()
      }
    }
  }

  /// The squared length of a difference, summed from the first place to the last.
  static func square(
    _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, _ width: Int
  ) -> Double {
    var sum = 0.0
    for column in 0..<width {
      let difference = a[column] - b[column]
      sum += difference * difference
    }
    return sum
  }

  /// Calls `body` with each pair of rows within the limit, one call at a time.
  func forEachClosePair(_ body: (Int, Int) -> Void) {
    let (count, width) = (rows.rowCount, rows.columnCount)
    guard width > 0, width < Int32.max else {
      for first in 0..<count {
        for second in first + 1..<max(count, first + 1) { body(first, second) }
      }
      return
    }
    let centered = CenteredRows(rows, centers: metric == .euclidean)
    let bound = centered.bound
    let reach = metric == .cosine ? limit : limit * centered.scale * centered.scale / 2
    // A pair is in if the product is at least `surely` of both, and out if it is below `perhaps`.
    let (perhaps, surely) = (centered.leastHalves, centered.mostHalves)
    let (less, more) = (Float(reach * (1 - bound)), Float(reach * (1 + bound)))
    let turn = DispatchQueue(label: "Clustering.closePairs")
    withoutActuallyEscaping(body) { body in
      nonisolated(unsafe) let body = body  // Called in turns.
      centered.values.withUnsafeBufferPointer { values in
        guard let values = values.baseAddress else { return }
        ProductTile.forEach(rows: values, count: count, width: width) { tile in
          var pairs: [(Int, Int)] = []
          tile.forEachProduct(atLeast: perhaps, minus: more) { row, other, product in
            if product >= surely[row] + surely[other] - less || areClose(row, other) {
              pairs.append((row, other))
            }
          }
          if !pairs.isEmpty { turn.sync { for (first, second) in pairs { body(first, second) } } }
        }
      }
    }
  }
}

/// Rows in single precision for products, moved to their mean and scaled to lengths of about 1.
struct CenteredRows {
  /// Row after row.
  let values: [Float]
  /// Half the squared length of each row.
  let halves: [Double]
  /// What the rows were multiplied by.
  let scale: Double
  /// Which share of both halves the rounding of a product is at most; see ``ComparableRows``.
  let bound: Double
  /// What else it may be: products of tiny values lose the last of them below the least normal
  /// number.
  private let lost: Double

  /// The halves, less all that rounding may take away.
  var leastHalves: [Float] { halves.map { Float($0 * (1 - bound) - lost) } }
  /// The halves, with all that rounding may add.
  var mostHalves: [Float] { halves.map { Float($0 * (1 + bound) + lost) } }

  /// - Parameters:
  ///   - rows: finite, of at least one value.
  ///   - centers: whether to move and to scale them; else they are taken as they are.
  init(_ rows: Matrix<Double>, centers: Bool) {
    let (count, width) = (rows.rowCount, rows.columnCount)
    let mean = centers ? rows.columnMeans : [Double](repeating: 0, count: width)
    var largest = 0.0
    rows.elements.withUnsafeBufferPointer { elements in
      for row in 0..<count {
        for column in 0..<width {
          largest = max(largest, abs(elements[row * width + column] - mean[column]))
        }
      }
    }
    let scale =
      centers && largest > 0 && largest.isFinite
      ? Double(sign: .plus, exponent: -largest.exponent, significand: 1) : 1
    var halves = [Double](repeating: 0, count: count)
    values = rows.elements.withUnsafeBufferPointer { elements in
      [Float](unsafeUninitializedCapacity: count * width) { values, initialized in
        for row in 0..<count {
          var square = 0.0
          for column in 0..<width {
            let value = (elements[row * width + column] - mean[column]) * scale
            values[row * width + column] = Float(value)
            square += value * value
          }
          halves[row] = square / 2
        }
        initialized = count * width
      }
    }
    self.halves = halves
    self.scale = scale
    bound = Double(width + 16) * 0x1p-24
    lost = Double(width) * Double(Float.leastNormalMagnitude)
  }
}

extension ProductTile {
  /// Calls `body` with each pair above the diagonal whose product is at least its two `limits`
  /// minus `difference`: the row, the other row and the product.
  func forEachProduct(
    atLeast limits: [Float], minus difference: Float, _ body: (Int, Int, Float) -> Void
  ) {
    limits.withUnsafeBufferPointer { limits in
      guard let limits = limits.baseAddress else { return }
      let right = UnsafeRawPointer(limits + left)
      for row in 0..<tall {
        let own = limits[top + row] - difference
        let source = products + row * wide
        var other = firstAbove(row)
        while other < wide {
          if other + 8 <= wide {
            let found = UnsafeRawPointer(source + other).loadUnaligned(as: SIMD8<Float>.self)
            let least = right.loadUnaligned(
              fromByteOffset: other * MemoryLayout<Float>.stride, as: SIMD8<Float>.self)
            guard any(found .>= least + own) else {
              other += 8
              continue
            }
          }
          for place in other..<min(other + 8, wide)
          where source[place] >= limits[left + place] + own {
            body(top + row, left + place, source[place])
          }
          other += 8
        }
      }
    }
  }
}

extension Matrix<Double> {
  /// The mean of each column; zeros if there are no rows.
  var columnMeans: [Double] {
    var sums = [Double](repeating: 0, count: columnCount)
    elements.withUnsafeBufferPointer { elements in
      sums.withUnsafeMutableBufferPointer { sums in
        guard let values = elements.baseAddress, let sums = sums.baseAddress else { return }
        for row in 0..<rowCount {
          DoubleSums.add(1, values + row * columnCount, to: sums, count: columnCount)
        }
      }
    }
    return sums.map { $0 / Double(Swift.max(rowCount, 1)) }
  }

  /// The values times a power of two.
  func scaled(byPowerOfTwo exponent: Int) -> Matrix {
    var result = self
    for row in 0..<rowCount {
      for column in 0..<columnCount {
        result[row, column] = Double(
          sign: .plus, exponent: exponent, significand: self[row, column])
      }
    }
    return result
  }
}
