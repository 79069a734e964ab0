/// Reads text out of the output of a network trained with connectionist temporal classification
/// (CTC) by a beam search, which can heed a list of words.
///
/// ```swift
/// let decoder = try CTCBeamDecoder(
///   characters: ["a", "4", "t"], endsWithSpace: false,
///   configuration: CTCBeamConfiguration(lexicon: WordLexicon(["at"])))
/// // Two steps, four classes. The network prefers 4 to a.
/// let steps: [Float] = [0, 0.4, 0.6, 0, 0, 0, 0, 1]
/// print(try decoder.text(in: steps).text)             // at
/// print(try decoder.readings(in: steps).map(\.text))  // ["at", "4t"]
/// ```
///
/// A text has many alignments with the steps of an output: "at" is `aat`, `a-t`, `at-` and more.
/// ``CTCDecoder`` takes the likeliest alignment of all. This decoder looks for the text whose
/// alignments together are the likeliest. It goes over the steps once and keeps the best beginnings
/// of texts (a *prefix beam search*). So the probabilities that it sums are bounds from below:
/// alignments are missing if a beginning left the beam, or if a class was not likely enough.
///
/// With a ``WordLexicon``, readings with listed words are preferred: "MODERN" instead of "M0DERN"
/// if the network finds both possible.
///
/// Without a lexicon the text is ``CTCDecoder``'s if the likeliest alignment has more than half of
/// the probability, whatever the beam's width: so it is on clear lines. Otherwise it may be
/// another. For example, with 0.4 for "a" and 0.6 for the blank at each of two steps, the likeliest
/// alignment is empty (0.36), but "a" is the likelier text (0.64).
///
/// ### Confidence
/// The confidence of a text is that of its likeliest alignment: the mean probability of the steps
/// in which its characters begin. For the text that ``CTCDecoder`` reads it is the same number, so
/// that thresholds for confidence can stay. A lexicon adds nothing to it. A character that the
/// lexicon put in place of a likelier one lowers it.
///
/// Sources: Graves et al., "Connectionist Temporal Classification", 2006, section 3.2 (prefix
/// search); Hannun et al., "First-Pass Large Vocabulary Continuous Speech Recognition using
/// Bi-Directional Recurrent DNNs", 2014 (prefix beam search with words' scores).
public struct CTCBeamDecoder: Sendable {
  /// How it searches.
  public let configuration: CTCBeamConfiguration

  private let classes: CTCClasses
  private let words: WordScorer?

  /// Makes a decoder for a list of characters.
  ///
  /// - Parameters:
  ///   - characters: the text of each class behind the blank, in the network's order; a class may
  ///     stand for several letters.
  ///   - endsWithSpace: whether the network has a space behind the list, as PaddleOCR's have.
  ///   - configuration: how to search.
  /// - Complexity: O(characters of the list and of the lexicon).
  /// - Throws: ``TextDecodeError/noCharacters``, or ``TextDecodeError/setting(field:value:range:)``
  ///   if a setting is out of range.
  public init(
    characters: [String], endsWithSpace: Bool = true,
    configuration: CTCBeamConfiguration = CTCBeamConfiguration()
  ) throws(TextDecodeError) {
    try configuration.check()
    classes = try CTCClasses(characters: characters, endsWithSpace: endsWithSpace)
    self.configuration = configuration
    words = configuration.lexicon.map { [classes] in WordScorer($0, classes: classes.texts) }
  }

  /// How many classes the network must answer, the blank among them.
  public var classCount: Int { classes.count }

  /// Reads one line.
  ///
  /// ### Edge cases
  /// NaN and what is negative is a probability of 0. A step without any probability says nothing,
  /// like a sure blank. Rows need not sum to 1. No steps, or blanks alone, are an empty text of
  /// confidence 0. Of equally good texts the first that was found counts: at each step those
  /// without another class come first, and then the earlier class.
  ///
  /// - Parameters:
  ///   - probabilities: row after row, as many values a row as there are classes.
  /// - Complexity: O(*s* (*c* + *w k* log *w*)) for *s* steps, *c* classes, a beam of *w* and *k*
  ///   classes that are likely enough at a step; no classes are sorted. Memory for O(*s w*)
  ///   beginnings.
  /// - Throws: ``TextDecodeError/valueCount(got:expected:)`` if the values are not whole rows.
  public func text(in probabilities: [Float]) throws(TextDecodeError) -> CTCText {
    try probabilities.withUnsafeBufferPointer { (values) throws(TextDecodeError) in
      try text(in: values)
    }
  }

  /// Reads one line from values that are in no array, such as a tensor's.
  ///
  /// The buffer is only read, and only during the call.
  ///
  /// - Throws: ``TextDecodeError/valueCount(got:expected:)`` if the values are not whole rows.
  public func text(
    in probabilities: UnsafeBufferPointer<Float>
  ) throws(TextDecodeError) -> CTCText {
    let best = try readings(in: probabilities, atMost: 1).first
    return CTCText(text: best?.text ?? "", confidence: best?.confidence ?? 0)
  }

  /// The readings of one line that the search ended with, best first.
  ///
  /// There are at most ``CTCBeamConfiguration/beamWidth``. No two have the same sequence of
  /// classes. Their texts can be equal if several classes stand for the same text.
  ///
  /// - Parameters:
  ///   - probabilities: as for ``text(in:)-([Float])``.
  /// - Complexity: that of ``text(in:)-([Float])``, and O(steps · characters) for each reading.
  /// - Throws: ``TextDecodeError/valueCount(got:expected:)`` if the values are not whole rows.
  public func readings(in probabilities: [Float]) throws(TextDecodeError) -> [CTCReading] {
    try probabilities.withUnsafeBufferPointer { (values) throws(TextDecodeError) in
      try readings(in: values, atMost: .max)
    }
  }

  private func readings(
    in values: UnsafeBufferPointer<Float>, atMost count: Int
  ) throws(TextDecodeError) -> [CTCReading] {
    let output = CTCOutput(
      values: values, steps: try classes.steps(in: values), classes: classes.count)
    let labellings = CTCPrefixSearch.labellings(
      of: output, configuration: configuration, words: words)
    return labellings.prefix(count).map { labelling in
      CTCReading(
        text: labelling.labels.map { classes.texts[$0] }.joined(),
        confidence: CTCAlignment.confidence(of: labelling.labels, in: output),
        logProbability: labelling.logProbability, wordScore: labelling.wordScore)
    }
  }
}

/// How a ``CTCBeamDecoder`` searches.
public struct CTCBeamConfiguration: Hashable, Sendable, Codable {
  /// How many beginnings of texts are kept from one step to the next, 1...4096.
  ///
  /// Two readings of one letter double the number of beginnings until the lexicon decides for one
  /// at the word's end. The default of 16 holds four such letters in a word.
  public var beamWidth: Int
  /// Classes that are less probable at a step are passed over, 0...1; the most probable one never
  /// is.
  ///
  /// The default of 0.001 leaves a few of thousands of classes. The lexicon can raise only what is
  /// kept: a lower number lets it overrule the network further.
  public var leastProbability: Float
  /// The words to prefer; nil to go by the network alone.
  public var lexicon: WordLexicon?

  /// Makes a configuration.
  public init(
    beamWidth: Int = 16, leastProbability: Float = 0.001, lexicon: WordLexicon? = nil
  ) {
    self.beamWidth = beamWidth
    self.leastProbability = leastProbability
    self.lexicon = lexicon
  }

  /// Throws an error if a setting is out of range.
  ///
  /// - Throws: ``TextDecodeError/setting(field:value:range:)``.
  public func check() throws(TextDecodeError) {
    guard (1...4096).contains(beamWidth) else {
      throw .setting(field: "beamWidth", value: Double(beamWidth), range: "1...4096")
    }
    guard (0...1).contains(leastProbability) else {
      throw .setting(
        field: "leastProbability", value: Double(leastProbability), range: "0...1")
    }
    try lexicon?.check()
  }
}

/// One reading of a line by a ``CTCBeamDecoder``.
public struct CTCReading: Hashable, Sendable, Codable {
  /// The characters.
  public var text: String
  /// The mean probability of the steps in which they begin, 0...1; 0 if there is no text.
  public var confidence: Float
  /// The natural logarithm of the probability of all its alignments that the search kept.
  public var logProbability: Double
  /// What the lexicon adds to it; 0 without one.
  public var wordScore: Double

  /// Makes a reading.
  public init(text: String, confidence: Float, logProbability: Double, wordScore: Double = 0) {
    self.text = text
    self.confidence = confidence
    self.logProbability = logProbability
    self.wordScore = wordScore
  }

  /// What readings are sorted by.
  public var score: Double { logProbability + wordScore }
}
