/// The errors in texts that were read: character error rate and word error rate.
///
/// ```swift
/// let one = TextErrorRate(truth: "The Histories", prediction: "The Histones")
/// one.characters.rate           // "CER": 2/13
/// print(one.words.rate ?? 0)    // 0.5
/// let all = try TextErrorRate(truths: ["Walden", "Emma"], predictions: ["Walden", "Enna"])
/// ```
///
/// The rate of many texts is the sum of all edits divided by the number of all true characters or
/// words. So a long text counts more than a short one.
///
/// Characters are Unicode's code points, as in Python, and not Swift's `Character`. They are
/// compared as they are: upper case, spaces and the encoding of accents matter. Make both texts
/// alike first, if such differences are not errors. Words are what is between white space, in the
/// same code points.
///
/// The rates are those of jiwer 4.0, which removes white space from the ends of texts first, and
/// knows only spaces between words.
public struct TextErrorRate: Hashable, Sendable, Codable {
  /// The edits of characters; its rate is "CER".
  public let characters: EditCounts
  /// The edits of words; its rate is "WER".
  public let words: EditCounts
  /// The number of texts.
  public let texts: Int
  /// The number of texts without any error in their characters.
  public let exactTexts: Int

  /// The share of texts without any error, 0...1; nil if there are no texts.
  public var exactShare: Double? { texts > 0 ? Double(exactTexts) / Double(texts) : nil }

  /// Compares a text with the true one.
  ///
  /// The truth may be empty: then every character of the prediction is an insertion, and there is
  /// no rate.
  ///
  /// - Complexity: that of ``EditCounts`` for the characters.
  public init(truth: String, prediction: String) {
    let own = Array(truth.unicodeScalars)
    let read = Array(prediction.unicodeScalars)
    characters = EditCounts(truth: own, prediction: read)
    words = EditCounts(truth: Self.words(of: own), prediction: Self.words(of: read))
    texts = 1
    exactTexts = characters.distance == 0 ? 1 : 0
  }

  /// Compares many texts with the true ones.
  ///
  /// - Parameters:
  ///   - truths: the true texts.
  ///   - predictions: what was read, in the same order; an empty text if nothing was.
  /// - Complexity: the sum over all texts.
  /// - Throws: ``EvaluationError/countMismatch(what:expected:got:)`` if the numbers differ.
  public init(truths: [String], predictions: [String]) throws(EvaluationError) {
    guard truths.count == predictions.count else {
      throw .countMismatch(what: "predictions", expected: truths.count, got: predictions.count)
    }
    self = zip(truths, predictions).reduce(Self()) {
      $0 + TextErrorRate(truth: $1.0, prediction: $1.1)
    }
  }

  /// No texts.
  private init() {
    self.init(characters: EditCounts(), words: EditCounts(), texts: 0, exactTexts: 0)
  }

  private init(characters: EditCounts, words: EditCounts, texts: Int, exactTexts: Int) {
    self.characters = characters
    self.words = words
    self.texts = texts
    self.exactTexts = exactTexts
  }

  /// The errors of two sets of texts together.
  ///
  /// Numbers that are too large for an `Int` become the largest.
  public static func + (first: TextErrorRate, second: TextErrorRate) -> TextErrorRate {
    TextErrorRate(
      characters: first.characters + second.characters, words: first.words + second.words,
      texts: DetectionScore.sum(first.texts, second.texts),
      exactTexts: DetectionScore.sum(first.exactTexts, second.exactTexts))
  }

  /// The words of a text.
  private static func words(of text: [Unicode.Scalar]) -> [ArraySlice<Unicode.Scalar>] {
    text.split { $0.properties.isWhitespace }
  }
}
