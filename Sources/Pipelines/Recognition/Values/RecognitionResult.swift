import Tracking
import VisionProtocols

/// What came of recognizing one object.
public struct RecognitionResult: Hashable, Sendable, Codable {
  /// What the object is; nil if it was not recognized.
  public let object: RecognizedObject?
  /// The step that recognized it.
  public let method: RecognitionStep?
  /// The confidence of that step, 0...1: the cosine of a similar object, the highest of the lines
  /// of text.
  public let confidence: Float?
  /// The reasons why the object was not recognized, most important first; empty if it was.
  public let reasons: [RecognitionAdvice]
  /// What became of every step, in order.
  public let steps: [RecognitionStepReport]
  /// How long all of it took.
  public let duration: FrameDuration
  /// The brightness of the image, 0...1; measured only with a meter, and if the object was not
  /// recognized.
  public let meanLuma: Double?
  /// The share of the image that the object covers, 0...1, if it is known.
  ///
  /// It is computed only if the object was not recognized.
  public let objectShare: Double?

  /// Whether the object was recognized.
  public var isRecognized: Bool { object != nil }

  /// What a person should do; nil if the object was recognized.
  public var advice: RecognitionAdvice? { reasons.first }

  /// What became of a step.
  public subscript(step: RecognitionStep) -> RecognitionStepReport? {
    steps.first { $0.step == step }
  }
}

/// Why an object was not recognized, and what a person can do about it.
public enum RecognitionAdvice: String, Hashable, Sendable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// A step has no model to work with.
  case modelNotLoaded
  /// A step gave no answer in time.
  case timedOut
  /// The image is too dark or too bright.
  case poorLighting
  /// The object covers too little of the image.
  case objectTooFar
  /// A step saw something, but was not sure enough.
  case lowConfidence
  /// Nothing was recognized, and nothing speaks for another reason.
  case unrecognized

  /// Advice in one or two sentences, to be shown as it is.
  public var description: String {
    switch self {
    case .modelNotLoaded:
      "A model that is needed is not loaded. Wait for its download, or load it in the settings."
    case .timedOut:
      "It took too long. Try again, with fewer other things running."
    case .poorLighting:
      "The picture is too dark or too bright. Find even light, without a lamp or the sun in view."
    case .objectTooFar:
      "The object is too far away. Move closer until it fills the picture."
    case .lowConfidence:
      "The object was not clear enough to be sure. Hold the camera steady and show it from its "
        + "front."
    case .unrecognized:
      "The object was not recognized. Turn it so that its barcode or its title can be seen."
    }
  }
}
