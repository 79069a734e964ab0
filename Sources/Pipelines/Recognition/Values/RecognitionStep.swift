import Tracking
import VisionProtocols

/// A way to recognize an object, in the order in which they count.
public enum RecognitionStep: String, Hashable, Sendable, Codable, CaseIterable {
  /// A barcode on it says what it is.
  case barcode
  /// A classifier is sure of its kind.
  case classification
  /// It is similar to a known object.
  case likeness
  /// Text on it can be read.
  case text
}

/// What a step answered: everything it saw, the best first.
///
/// Outlines lie in pixels of the upright image, however it was prepared for the step.
public enum StepAnswer: Hashable, Sendable, Codable {
  /// Barcodes, an ISBN's before the others.
  case barcodes([BarcodeFinding])
  /// Classes.
  case classifications([Classification])
  /// Known objects.
  case likenesses([LikenessMatch])
  /// Lines of text, in the order in which the recognizer gave them.
  case texts([RecognizedText])
}

/// How a step ended.
public enum StepOutcome: Hashable, Sendable, Codable {
  /// It recognized the object, and no earlier step did.
  case won
  /// It recognized the object too, but an earlier step did as well.
  case outranked
  /// It saw something, but was not sure enough.
  case unsure
  /// It saw nothing.
  case nothing
  /// It gave no answer within its budget.
  case timedOut
  /// It has no model to work with.
  case modelNotLoaded(model: String)
  /// It threw an error.
  case failed(reason: String)
  /// It was stopped, as another step had recognized the object.
  case cancelled
  /// It was never begun, as another step had recognized the object.
  case notStarted
  /// The router has no such step.
  case absent
}

/// What became of a step.
public struct RecognitionStepReport: Hashable, Sendable, Codable {
  /// Which step.
  public let step: RecognitionStep
  /// How it ended.
  public let outcome: StepOutcome
  /// What it answered; nil if it gave no answer.
  public let answer: StepAnswer?
  /// The confidence, or cosine, of its best finding; nil if it found nothing.
  public let confidence: Float?
  /// How long it ran until it ended or was given up; nil if it was never begun.
  public let duration: FrameDuration?
}
