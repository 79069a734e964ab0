/// How far apart two vectors are: the smaller, the nearer.
public enum VectorMetric: String, Hashable, Sendable, CaseIterable {
  /// One minus the cosine of the angle between them, 0 to 2.
  case cosine
  /// The inner product with its sign turned, so that the largest product is nearest.
  case innerProduct
  /// The sum of the squared differences.
  case squaredEuclidean
}

/// How the values of a vector are kept.
public enum VectorPrecision: String, Hashable, Sendable, CaseIterable {
  /// Single precision, 4 bytes a value.
  case float32
  /// Half precision (IEEE 754 binary16), 2 bytes a value, 11 significant bits.
  case float16
  /// Whole numbers from -127 to 127 with one scale for the whole vector, a byte a value.
  case int8
}
