/// Reads text out of the output of a network trained with connectionist temporal classification
/// (CTC).
///
/// ```swift
/// let decoder = try CTCDecoder(characters: ["a", "b"], endsWithSpace: false)
/// let line = try decoder.text(in: [0.2, 0.8, 0, 0.1, 0, 0.9])    // two steps, three classes
/// print(line.text, line.confidence)  // ab 0.85
/// ```
///
/// The network answers a row of probabilities for each step across a line of text: of the blank, of
/// each character of its list, and of the space. The most likely class of each step is taken
/// (*greedy*, or *best path*); of equal classes in a row the first counts, and blanks are dropped.
/// The confidence is the mean probability of the steps that count. ``CTCBeamDecoder`` looks
/// further, and can heed a list of words.
///
/// Source: Graves et al., "Connectionist Temporal Classification", 2006, section 3.2.
public struct CTCDecoder: Sendable {
  private let classes: CTCClasses

  /// Makes a decoder for a list of characters.
  ///
  /// - Parameters:
  ///   - characters: the text of each class behind the blank, in the network's order; a class may
  ///     stand for several letters.
  ///   - endsWithSpace: whether the network has a space behind the list, as PaddleOCR's have.
  /// - Throws: ``TextDecodeError/noCharacters``.
  public init(characters: [String], endsWithSpace: Bool = true) throws(TextDecodeError) {
    classes = try CTCClasses(characters: characters, endsWithSpace: endsWithSpace)
  }

  /// How many classes the network must answer, the blank among them.
  public var classCount: Int { classes.count }

  /// Reads one line.
  ///
  /// ### Edge cases
  /// Of equally likely classes the first counts. NaN is likelier than nothing: a step of nothing
  /// else is a blank. No steps, or blanks alone, are an empty text of confidence 0.
  ///
  /// - Parameters:
  ///   - probabilities: row after row, as many values a row as there are classes.
  /// - Complexity: O(values).
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
    let steps = try classes.steps(in: probabilities)
    guard let start = probabilities.baseAddress else { return CTCText(text: "", confidence: 0) }
    var text = ""
    var sum = 0.0
    var count = 0
    var before = 0
    for step in 0..<steps {
      let (index, probability) = CTCClasses.greatest(start + step * classes.count, classes.count)
      if index != 0, index != before {
        text += classes.texts[index]
        sum += Double(probability)
        count += 1
      }
      before = index
    }
    return CTCText(text: text, confidence: count > 0 ? Float(sum / Double(count)) : 0)
  }
}

/// What a ``CTCDecoder`` or a ``CTCBeamDecoder`` read.
public struct CTCText: Hashable, Sendable, Codable {
  /// The characters.
  public var text: String
  /// The mean probability of the steps that count, 0...1; 0 if there is no text.
  public var confidence: Float

  /// Makes a text.
  public init(text: String, confidence: Float) {
    self.text = text
    self.confidence = confidence
  }
}
