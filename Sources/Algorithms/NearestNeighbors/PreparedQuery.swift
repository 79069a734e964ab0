/// A query in the form in which it is compared with rows.
///
/// Rows of single and half precision are compared with the query in single precision. Those of
/// bytes are compared in whole numbers: the query gets 16 bits, or as many as the sum of the
/// products leaves room for in 32, so that its rounding is far below that of the rows.
struct PreparedQuery {
  let layout: VectorLayout
  /// The query's values, empty for bytes.
  private(set) var values: [Float] = []
  /// The query's whole numbers, for bytes.
  private(set) var integers: [Int16] = []
  /// What a whole number of the query counts.
  private(set) var scale: Double = 0
  /// The sum of the squares of the whole numbers.
  private(set) var squares: Double = 0

  /// Takes a query from a caller.
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

  /// The largest whole number of a query such that products with bytes add up in 32 bits.
  static func integerLimit(dimension: Int) -> Int {
    min(Int(Int16.max), Int(Int32.max) / (127 * dimension))
  }

  /// The query's vector as it is compared, in single precision.
  var vector: [Float] {
    layout.precision == .int8 ? integers.map { Float(Double($0) * scale) } : values
  }

  /// Runs `body` with what tells the distances of rows.
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
