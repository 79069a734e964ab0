/// How far apart two embeddings are.
public enum DistanceMetric: String, Hashable, Sendable, Codable, CaseIterable {
  /// One minus the cosine of the angle between them, 0...2; lengths do not matter.
  case cosine
  /// The length of their difference.
  case euclidean
}
