import DateExtraction
import Tracking

/// Every threshold and budget of a ``RecognitionRouter``.
///
/// Nothing is checked while properties are set; ``validated()`` does, and so does a router when it
/// is made.
public struct RecognitionConfiguration: Hashable, Sendable {
  // MARK: What counts

  /// The confidence above which a class recognizes the object, 0...1.
  public var minimumClassConfidence = 0.8
  /// The cosine above which a known object recognizes it, -1...1.
  public var minimumCosine = 0.85
  /// The confidence above which a line of text recognizes it, 0...1.
  public var minimumTextConfidence = 0.5
  /// The number of alternatives of a class or a similar object, 0...100.
  public var maximumAlternatives = 3
  /// How dates in text are read.
  public var dates = DateExtractor()

  // MARK: Time

  /// Within what time the reader of barcodes has to answer, 0.001...3600 s.
  public var barcodeBudget = FrameDuration.milliseconds(1000)
  /// Within what time the classifier has to, 0.001...3600 s.
  public var classificationBudget = FrameDuration.milliseconds(1000)
  /// The time limit of the similarity search, 0.001...3600 s.
  public var likenessBudget = FrameDuration.milliseconds(1000)
  /// Within what time the recognizer of text has to, 0.001...3600 s.
  public var textBudget = FrameDuration.milliseconds(3000)
  /// Within what time the light has to be measured, 0.001...3600 s.
  public var lightBudget = FrameDuration.milliseconds(500)
  /// Whether steps run at the same time.
  ///
  /// The result is the same either way. One after the other is slower if early steps fail, and
  /// saves the work of later steps if they succeed.
  public var runsConcurrently = true

  // MARK: Advice

  /// Below this mean luma an image is too dark, 0...1.
  public var minimumLuma = 0.15
  /// Above this mean luma an image is too bright, 0...1.
  public var maximumLuma = 0.95
  /// An object that covers less than this share of the image is too far away, 0...1.
  public var minimumObjectShare = 0.05

  /// The defaults.
  public init() {}

  /// The budget of a step.
  public func budget(of step: RecognitionStep) -> FrameDuration {
    switch step {
    case .barcode: barcodeBudget
    case .classification: classificationBudget
    case .likeness: likenessBudget
    case .text: textBudget
    }
  }
}

extension RecognitionConfiguration {
  /// The configuration, if every value lies in its range.
  ///
  /// - Throws: the first error, in the order of declaration.
  public func validated() throws(RecognitionConfigurationError) -> RecognitionConfiguration {
    let alternatives = Double(maximumAlternatives)
    let fields: [(String, Double, ClosedRange<Double>)] = [
      ("minimumClassConfidence", minimumClassConfidence, 0...1),
      ("minimumCosine", minimumCosine, -1...1),
      ("minimumTextConfidence", minimumTextConfidence, 0...1),
      ("maximumAlternatives", alternatives, 0...100),
      ("barcodeBudget", barcodeBudget.seconds, 0.001...3600),
      ("classificationBudget", classificationBudget.seconds, 0.001...3600),
      ("likenessBudget", likenessBudget.seconds, 0.001...3600),
      ("textBudget", textBudget.seconds, 0.001...3600),
      ("lightBudget", lightBudget.seconds, 0.001...3600),
      ("minimumLuma", minimumLuma, 0...1), ("maximumLuma", maximumLuma, 0...1),
      ("minimumObjectShare", minimumObjectShare, 0...1),
    ]
    // A NaN is in no range.
    for (field, value, range) in fields where !range.contains(value) {
      throw RecognitionConfigurationError(field: field, value: value, range: range)
    }
    return self
  }
}

/// A value of a ``RecognitionConfiguration`` that lies outside its range, or is not a number.
public struct RecognitionConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The property.
  public let field: String
  /// Its value; of budgets in seconds.
  public let value: Double
  /// What it must be in.
  public let range: ClosedRange<Double>

  /// The error, its place and the expected value, in one line.
  public var description: String {
    "\(field) is \(value); it must be in \(range.lowerBound)...\(range.upperBound)"
  }
}
