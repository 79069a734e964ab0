import ONNXRunner
import Raster
import TextDecode

/// A network that reads a line of text.
struct TextLineModel {
  private let session: InferenceSession
  private let input: ValueDescription
  private let outputName: String
  private let decoder: CTCDecoder
  /// Reads in its stead if there is one.
  private let beamDecoder: CTCBeamDecoder?

  /// The height of a line for the network, and the least width it is filled up to, in pixels.
  private static let size = (width: 320, height: 48)
  /// The padding of tight groups: the least width in pixels, and the number whose multiples widths
  /// are.
  ///
  /// So there are few different widths, each of which needs a plan.
  private static let tight = (leastWidth: 64, multiple: 16, spread: 1.15)
  /// The model's property that lists its characters, one a line.
  private static let property = "character"

  /// - Throws: ``ReferenceModelError`` if the network does another job or the characters are not
  ///   its own.
  init(
    _ session: InferenceSession, characters: [String]?, beamSearch: CTCBeamConfiguration?
  ) throws {
    func refusal(_ reason: String) -> ReferenceModelError {
      .notTextModel(
        part: "a text recognizer", reason: reason, found: session.signature,
        expected: "float [N, 3, \(Self.size.height), W] and answers [N, steps, classes]")
    }
    guard session.inputs.count == 1, let input = session.inputs.first else {
      throw refusal("it has \(session.inputs.count) inputs")
    }
    if let reason = input.reasonNotToTakeImages { throw refusal(reason) }
    if let height = input.fixedExtent(2), height != Self.size.height {
      throw refusal("its lines are \(height) pixels high")
    }
    if input.fixedExtent(3) != nil { throw refusal("its lines have a fixed width") }
    guard session.outputs.count == 1, let output = session.outputs.first else {
      throw refusal("it has \(session.outputs.count) outputs")
    }
    if let shape = output.shape, shape.count != 3 {
      throw refusal("its output has \(shape.count) dimensions")
    }
    guard let list = characters ?? session.metadata.properties[Self.property]?.lines, !list.isEmpty
    else { throw refusal("it has no property '\(Self.property)' that lists its characters") }
    decoder = try CTCDecoder(characters: list)
    beamDecoder = try beamSearch.map {
      try CTCBeamDecoder(characters: list, configuration: $0)
    }
    if let classes = output.fixedExtent(2), classes != decoder.classCount {
      throw refusal("\(TextDecodeError.classCount(got: classes, expected: decoder.classCount))")
    }
    self.session = session
    self.input = input
    outputName = output.name
  }

  /// What each of the lines says.
  ///
  /// - Parameter tightly: whether lines are filled up only to lines of about their own width.
  ///   Otherwise they are filled up as RapidOCR does it, which takes short ones two to four times
  ///   as long.
  func texts(in images: [Raster], batchSize: Int, tightly: Bool) async throws -> [CTCText] {
    let batches = TextLineBatches(
      images, size: batchSize, spread: tightly ? Self.tight.spread : .infinity)
    // The widest first, as they take longest.
    let groups: [ArraySlice<Int>] = batches.reversed()
    let found = try await mapConcurrently(groups, limit: session.runsAtOnce) { group in
      let least = tightly ? Self.tight.leastWidth : Self.size.width
      let widest = group.map { TextLineBatches.proportion(images[$0]) }
        .reduce(Double(least) / Double(Self.size.height), max)
      var width = Int(Double(Self.size.height) * widest)
      if tightly {
        let multiple = Self.tight.multiple
        width = (width + multiple - 1) / multiple * multiple
      }
      return try await read(batches.tensor(of: group, width: width, height: Self.size.height))
    }
    var texts = [CTCText](repeating: CTCText(text: "", confidence: 0), count: images.count)
    for (group, found) in zip(groups, found) {
      for (index, text) in zip(group, found) { texts[index] = text }
    }
    return texts
  }

  /// What each of the lines of one run says.
  private func read(_ lines: Tensor) async throws -> [CTCText] {
    let count = lines.shape[0]
    let answer = try await session.runCancellably([
      input.name: lines.converted(to: input.elementType)
    ])
    guard let output = answer[outputName], output.shape.count == 3, output.shape[0] == count,
      output.shape[2] == decoder.classCount
    else {
      throw ReferenceModelError.outputShape(
        name: outputName, got: answer[outputName]?.shape ?? [],
        expected: "[\(count), steps, \(decoder.classCount)]")
    }
    let length = output.shape[1] * output.shape[2]
    return try output.converted(to: .float32).withElements(of: Float.self) { values in
      try (0..<count).map { line in
        try text(in: UnsafeBufferPointer(rebasing: values[line * length..<(line + 1) * length]))
      }
    }
  }

  private func text(in values: UnsafeBufferPointer<Float>) throws -> CTCText {
    guard let beamDecoder else { return try decoder.text(in: values) }
    var line = try beamDecoder.text(in: values)
    // Whether there is a space behind the last letter is often a matter of little probability.
    var letters = line.text.drop(while: \.isWhitespace)
    while letters.last?.isWhitespace == true { letters.removeLast() }
    line.text = String(letters)
    return line
  }
}

extension String {
  /// The lines, as Python's `splitlines` has them: an end of line ends one, and begins none.
  fileprivate var lines: [String] {
    var lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
