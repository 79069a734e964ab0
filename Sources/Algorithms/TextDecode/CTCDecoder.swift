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
/// The confidence is the mean probability of the steps that count.
///
/// Source: Graves et al., "Connectionist Temporal Classification", 2006, section 3.2.
public struct CTCDecoder: Sendable {
  /// The text of each class: nothing for the blank, then the list, then a space.
  private let classes: [String]

  /// Makes a decoder for a list of characters.
  ///
  /// - Parameters:
  ///   - characters: the text of each class behind the blank, in the network's order; a class may
  ///     stand for several letters.
  ///   - endsWithSpace: whether the network has a space behind the list, as PaddleOCR's have.
  /// - Throws: ``TextDecodeError/noCharacters``.
  public init(characters: [String], endsWithSpace: Bool = true) throws(TextDecodeError) {
    guard !characters.isEmpty else { throw .noCharacters }
    classes = [""] + characters + (endsWithSpace ? [" "] : [])
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
    let width = classes.count
    guard probabilities.count.isMultiple(of: width) else {
      throw .valueCount(
        got: probabilities.count, expected: probabilities.count / width * width)
    }
    guard let start = probabilities.baseAddress else { return CTCText(text: "", confidence: 0) }
    var text = ""
    var sum = 0.0
    var count = 0
    var before = 0
    for row in 0..<probabilities.count / width {
      let (index, probability) = Self.greatest(start + row * width, width)
      if index != 0, index != before {
        text += classes[index]
        sum += Double(probability)
        count += 1
      }
      before = index
    }
    return CTCText(text: text, confidence: count > 0 ? Float(sum / Double(count)) : 0)
  }

  /// The first of the greatest values and its place; (0, 0) if all are NaN.
  private static func greatest(_ row: UnsafePointer<Float>, _ count: Int) -> (Int, Float) {
    // Eight values at a time, in two registers of any processor.
    var (best, otherBest) = (
      SIMD4<Float>(repeating: -.infinity), SIMD4<Float>(repeating: -.infinity)
    )
    let raw = UnsafeRawPointer(row)
    var index = 0
    while index &+ 8 <= count {
      let values = raw.loadUnaligned(fromByteOffset: index &* 4, as: SIMD4<Float>.self)
      let others = raw.loadUnaligned(fromByteOffset: index &* 4 &+ 16, as: SIMD4<Float>.self)
      best.replace(with: values, where: values .> best)
      otherBest.replace(with: others, where: others .> otherBest)
      index &+= 8
    }
    var greatest = max(best.max(), otherBest.max())
    while index < count {
      if row[index] > greatest { greatest = row[index] }
      index &+= 1
    }
    for place in 0..<count where row[place] == greatest { return (place, greatest) }
    return (0, 0)
  }
}

/// What a ``CTCDecoder`` read.
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
