/// The reason why vectors cannot be stored or searched.
public enum NeighborSearchError: Error, Equatable, CustomStringConvertible {
  /// A dimension that layouts do not allow.
  case invalidDimension(Int)
  /// A vector has more values than the layout, or fewer.
  case dimensionMismatch(expected: Int, found: Int)
  /// A value is NaN or infinite.
  case nonFinite(index: Int)
  /// A vector is all zeros, so it has no direction and no cosine.
  case zeroVector
  /// A value is beyond the largest number of half precision, 65504.
  case outOfHalfRange(index: Int)
  /// The memory of the rows is too short for the number of rows.
  case memoryTooShort(expected: Int, found: Int)
  /// The memory of the rows does not start at a multiple of four bytes.
  case misaligned
  /// Rows of another layout than that of the search.
  case layoutMismatch(expected: VectorLayout, found: VectorLayout)
  /// A number of rows that cannot be searched.
  case invalidRowCount(Int)
  /// A number of neighbours that is negative.
  case invalidNeighborCount(Int)
  /// The distance to search within is NaN.
  case distanceIsNaN
  /// A row that is not one of the rows to search.
  case rowOutOfRange(row: Int, count: Int)
  /// A setting of a graph that is out of its range.
  case invalidGraphSetting(name: String, value: Int, allowed: ClosedRange<Int>)
  /// A row that graphs cannot hold.
  case invalidRow(Int)
  /// A row to insert is already in the graph.
  case alreadyInserted(row: Int)
  /// A row to remove is not in the graph.
  case notInserted(row: Int)
  /// The bytes of a graph are damaged: the place, if it is known, and the reason.
  case damagedGraph(reason: String)
  /// A number of subspaces that is below 1 or does not divide the dimension.
  case invalidSubspaceCount(Int, dimension: Int)
  /// A number of bits that codes cannot have.
  case invalidCodeBits(Int)
  /// A number of iterations below 1.
  case invalidIterationLimit(Int)
  /// There are fewer rows to train on than a codebook has centroids.
  case tooFewTrainingRows(found: Int, needed: Int)
  /// A codebook that does not fit the others, or is not one.
  case invalidCodebook(index: Int)
  /// A code that is too short or too long.
  case codeLengthMismatch(expected: Int, found: Int)
  /// The bytes of a quantizer are damaged, and why.
  case damagedQuantizer(reason: String)

  /// The error, in one line.
  public var description: String {
    switch self {
    case .invalidDimension(let value):
      "a dimension of \(value); vectors have 1 to \(VectorLayout.largestDimension) values"
    case .dimensionMismatch(let expected, let found):
      "a vector of \(found) values where vectors have \(expected)"
    case .nonFinite(let index): "value \(index) of a vector is NaN or infinite"
    case .zeroVector: "a vector is all zeros; a cosine distance needs a direction"
    case .outOfHalfRange(let index):
      "value \(index) of a vector is beyond 65504, the largest number of half precision"
    case .memoryTooShort(let expected, let found):
      "the rows lie in \(found) bytes of memory; they need \(expected)"
    case .misaligned: "the memory of the rows does not start at a multiple of 4 bytes"
    case .layoutMismatch(let expected, let found):
      "rows of \(found.words); the search is over \(expected.words)"
    case .invalidRowCount(let value): "\(value) rows; 0 to \(Int32.max) can be searched"
    case .invalidNeighborCount(let value): "\(value) neighbours asked for; 0 or more are possible"
    case .distanceIsNaN: "the distance to search within is NaN"
    case .rowOutOfRange(let row, let count): "row \(row) is not one of \(count) rows"
    case .invalidGraphSetting(let name, let value, let allowed):
      "\(name) is \(value); it must be \(allowed.lowerBound) to \(allowed.upperBound)"
    case .invalidRow(let row): "row \(row) is not between 0 and \(HNSWGraph.largestRow)"
    case .alreadyInserted(let row): "row \(row) is in the graph already; remove it first"
    case .notInserted(let row): "row \(row) is not in the graph"
    case .damagedGraph(let reason): "the bytes of the graph are damaged: \(reason)"
    case .invalidSubspaceCount(let value, let dimension):
      "\(value) subspaces; their number must divide the dimension, \(dimension)"
    case .invalidCodeBits(let value): "codes of \(value) bits; 4 and 8 are possible"
    case .invalidIterationLimit(let value): "\(value) iterations; 1 or more are possible"
    case .tooFewTrainingRows(let found, let needed):
      "\(found) rows to train on; a codebook needs \(needed) or more"
    case .invalidCodebook(let index):
      "codebook \(index) is not 16 or 256 rows of finite values, with the shape of the first"
    case .codeLengthMismatch(let expected, let found):
      "a code of \(found) bytes; codes have \(expected)"
    case .damagedQuantizer(let reason): "the bytes of the quantizer are damaged: \(reason)"
    }
  }
}

extension VectorLayout {
  /// The layout as words of an error.
  fileprivate var words: String { "\(dimension) \(precision) values for \(metric)" }
}
