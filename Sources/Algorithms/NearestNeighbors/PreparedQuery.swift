/// A query in the form in which it is compared with rows.
///
/// Rows of single and half precision are compared with the query in single precision. Rows of bytes
/// are compared in integers. The query gets 16 bits, or the number for which the sum of the
/// products fits in 32. Its rounding is then far below that of the rows.
struct PreparedQuery {
  let layout: VectorLayout
  /// The query's values, empty for bytes.
  private(set) var values: [Float] = []
  /// The query's integers, for bytes.
  private(set) var integers: [Int16] = []
  /// The value of one unit of the query's integers.
  private(set) var scale: Double = 0
  /// The sum of the squares of the integers.
  private(set) var squares: Double = 0

  /// Prepares a caller's query.
  ///
  /// - Throws: as ``VectorLayout/encode(_:into:)``, except the range of half precision.
  init(_ query: UnsafeBufferPointer<Float>, layout: VectorLayout) throws(NeighborSearchError) {
    self.layout = layout
    let factor: Double
    do {
      factor = try layout.checkedFactor(for: query)
    } catch .outOfHalfRange {
      factor = 1
    }
    guard layout.precision == .int8 else {
      values = query.map { Float(Double($0) * factor) }
      return
    }
    var largest: Float = 0
    for value in query { largest = max(largest, value.magnitude) }
    let limit = Double(Self.integerLimit(dimension: layout.dimension))
    let multiplier = largest == 0 ? 0 : limit / Double(largest)
    integers = query.map { Int16((Double($0) * multiplier).rounded(.toNearestOrEven)) }
    for value in integers { squares += Double(value) * Double(value) }
    scale = layout.metric == .cosine ? 1 / squares.squareRoot() : Double(largest) / limit
  }

  /// The largest integer of a query for which products with bytes add up in 32 bits.
  static func integerLimit(dimension: Int) -> Int {
    min(Int(Int16.max), Int(Int32.max) / (127 * dimension))
  }

  /// The query's vector in the comparisons, in single precision.
  var vector: [Float] {
    layout.precision == .int8 ? integers.map { Float(Double($0) * scale) } : values
  }

  /// Calls `body` with the ruler for distances of rows.
  func withRuler<Result>(_ body: (Ruler) -> Result) -> Result {
    values.withUnsafeBufferPointer { values in
      integers.withUnsafeBufferPointer { integers in
        body(
          Ruler(
            layout: layout, values: values.baseAddress, integers: integers.baseAddress,
            scale: scale, squares: squares))
      }
    }
  }
}
