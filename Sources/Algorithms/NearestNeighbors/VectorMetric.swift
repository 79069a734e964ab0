/// The distance between two vectors: smaller is nearer.
public enum VectorMetric: String, Hashable, Sendable, CaseIterable {
  /// One minus the cosine of the angle between them, 0 to 2.
  case cosine
  /// The negated inner product, so that the largest product is nearest.
  case innerProduct
  /// The sum of the squared differences.
  case squaredEuclidean
}

/// The precision of a vector's stored values.
public enum VectorPrecision: String, Hashable, Sendable, CaseIterable {
  /// Single precision, 4 bytes per value.
  case float32
  /// Half precision (IEEE 754 binary16), 2 bytes per value, 11 significant bits.
  case float16
  /// Integers from -127 to 127 with one scale for the whole vector, one byte per value.
  case int8
}
