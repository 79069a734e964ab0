/// One predicted class of an ``ImageClassifier``.
public struct Classification: Hashable, Sendable, Codable {
  /// The name of the class.
  public var label: String
  /// The index of the class in the model's outputs, from 0.
  public var index: Int
  /// The classifier's confidence, 0...1.
  public var confidence: Float

  /// Makes a classification.
  public init(label: String, index: Int, confidence: Float) {
    self.label = label
    self.index = index
    self.confidence = confidence
  }
}
