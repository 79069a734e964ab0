import Foundation
import VisionProtocols

/// What a classifier's outputs are.
public enum ClassScoreForm: String, Hashable, Sendable, Codable, CaseIterable {
  /// Probabilities if all lie in 0...1 and sum to 1 (within 0.01), otherwise logits.
  ///
  /// Two or three logits may happen to look like probabilities; name the form if you know it. A
  /// single output is a probability if it lies in 0...1, otherwise a logit for the sigmoid.
  case automatic
  /// Probabilities as they are; they need not sum to 1, as of a network that may see several
  /// classes.
  case probabilities
  /// Logits of one right class, for softmax; a single output is for the sigmoid.
  case logits
  /// Logits, of each of which its sigmoid counts: several classes may be right.
  case sigmoid
}

/// The confidences of all classes, from what a network answered.
struct ClassScores {
  let confidences: [Float]
  /// What the network answered, which grows with the confidences and tells those apart that are
  /// next to 0.
  private let outputs: [Float]

  /// - Throws: ``ClassifierError/nonFinite(name:index:)``,
  ///   ``ClassifierError/notProbability(name:index:value:)``.
  init(_ outputs: [Float], form: ClassScoreForm, name: String) throws(ClassifierError) {
    if let index = outputs.firstIndex(where: { !$0.isFinite }) {
      throw .nonFinite(name: name, index: index)
    }
    self.outputs = outputs
    switch form {
    case .automatic:
      confidences = Self.areProbabilities(outputs) ? outputs : Self.fromLogits(outputs)
    case .probabilities:
      // Rounding in a network may go a little beyond.
      if let index = outputs.firstIndex(where: { !(-1e-3...1.001).contains($0) }) {
        throw .notProbability(name: name, index: index, value: outputs[index])
      }
      confidences = outputs.map { min(max($0, 0), 1) }
    case .logits: confidences = Self.fromLogits(outputs)
    case .sigmoid: confidences = outputs.map(Self.sigmoid)
    }
  }

  /// The most probable classes, most probable first; of equal ones that with the lower number.
  ///
  /// - Complexity: O(*n* log *n*).
  func best(_ count: Int, labels: (Int) -> String) -> [Classification] {
    let order = outputs.indices.sorted { a, b in
      outputs[a] != outputs[b] ? outputs[a] > outputs[b] : a < b
    }
    return order.prefix(count).map { index in
      Classification(label: labels(index), index: index, confidence: confidences[index])
    }
  }

  private static func areProbabilities(_ outputs: [Float]) -> Bool {
    guard outputs.allSatisfy({ (0...1).contains($0) }) else { return false }
    if outputs.count == 1 { return true }
    let sum = outputs.reduce(0.0) { $0 + Double($1) }
    // Half-precision probabilities of a thousand classes sum to 1 within some thousandths.
    return abs(sum - 1) <= 0.01
  }

  private static func fromLogits(_ outputs: [Float]) -> [Float] {
    guard outputs.count > 1, let highest = outputs.max() else { return outputs.map(sigmoid) }
    let powers = outputs.map { exp(Double($0) - Double(highest)) }
    let sum = powers.reduce(0, +)
    return powers.map { Float($0 / sum) }
  }

  private static func sigmoid(_ value: Float) -> Float { Float(1 / (1 + exp(-Double(value)))) }
}

/// What a classifier says of an image.
public struct ImageClassification: Hashable, Sendable, Codable {
  /// The most probable classes, most probable first, of any confidence.
  public var classes: [Classification]
  /// The most probable class, if its confidence is at least the threshold.
  public var answer: Classification?

  /// The most probable classes except the answer.
  public var alternatives: [Classification] {
    answer == nil ? classes : Array(classes.dropFirst())
  }

  /// Makes the answer of classes that are sorted, most probable first.
  public init(classes: [Classification], threshold: Float) {
    self.classes = classes
    answer = classes.first.flatMap { $0.confidence >= threshold ? $0 : nil }
  }
}
