/// One class that an ``ImageClassifier`` holds an image for.
public struct Classification: Hashable, Sendable, Codable {
  /// The name of the class.
  public var label: String
  /// The number of the class, as the model counts them, from 0.
  public var index: Int
  /// How sure the classifier is, 0...1.
  public var confidence: Float

  /// Makes a classification.
  public init(label: String, index: Int, confidence: Float) {
    self.label = label
    self.index = index
    self.confidence = confidence
  }
}
