import TestSupport
import Testing
import TextDecode

@Suite struct CTCBeamDecoderTests {
  /// A reading as Python wrote it.
  struct Reading: Decodable, Sendable {
    let text: String
    let logProbability: Double
    let confidence: Float
    let wordScore: Double?
  }

  struct Exact: Decodable, Sendable {
    let seed: UInt64
    let classes: Int
    let steps: Int
    let power: Int
    let count: Int
    let readings: [Reading]
  }

  struct Words: Decodable, Sendable {
    let seed: UInt64
    let steps: Int
    let power: Int
    let reward: Double
    let penalty: Double
    let readings: [Reading]
  }

  struct Search: Decodable, Sendable {
    let seed: UInt64
    let steps: Int
    let power: Int
    let width: Int
    let least: Float
    let hasWords: Bool
    let count: Int
    let readings: [Reading]
    let peer: String
  }

  /// As in `text_beams.py`.
  private static let signs = ["a", "b", "0", "-"]
  private static let words = ["ab", "ba", "bab", "abba", "b-a"]

  /// Sums in another order differ by a few units in the last place, and logarithms of two libraries
  /// by one.
  private func expect(
    _ readings: [CTCReading], begin expected: [Reading],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(readings.count >= expected.count, sourceLocation: sourceLocation)
    for (reading, golden) in zip(readings, expected) {
      #expect(reading.text == golden.text, sourceLocation: sourceLocation)
      let distance = abs(reading.logProbability - golden.logProbability)
      #expect(distance < 1e-11, sourceLocation: sourceLocation)
      #expect(abs(reading.confidence - golden.confidence) < 1e-6, sourceLocation: sourceLocation)
      #expect(
        abs(reading.wordScore - (golden.wordScore ?? 0)) < 1e-12, sourceLocation: sourceLocation)
    }
  }

  @Test("A wide beam finds every labelling and its exact probability")
  func exact() throws {
    let goldens = try Folders.golden("TextDecode/beams_exact.json", as: [Exact].self)
    #expect(goldens.count == 48)
    for golden in goldens {
      let decoder = try CTCBeamDecoder(
        characters: Array(Self.letters.prefix(golden.classes - 2)),
        configuration: CTCBeamConfiguration(beamWidth: 4096, leastProbability: 0))
      #expect(decoder.classCount == golden.classes)
      let values = beamOutput(
        seed: golden.seed, steps: golden.steps, classes: golden.classes, power: golden.power)
      let readings = try decoder.readings(in: values)
      #expect(readings.count == golden.count)
      expect(readings, begin: golden.readings)
      // Alignments share out the product of the rows' sums.
      let rows = stride(from: 0, to: values.count, by: golden.classes).map { start in
        values[start..<start + golden.classes].reduce(0.0) { $0 + Double($1) }
      }
      let total = readings.reduce(0.0) { $0 + Self.exponential($1.logProbability) }
      #expect(abs(total / rows.reduce(1, *) - 1) < 1e-9)
    }
  }

  @Test("A wide beam finds the best texts by probability and words")
  func words() throws {
    let goldens = try Folders.golden("TextDecode/beams_words.json", as: [Words].self)
    #expect(goldens.count == 48)
    for golden in goldens {
      let decoder = try CTCBeamDecoder(
        characters: Self.signs,
        configuration: CTCBeamConfiguration(
          beamWidth: 4096, leastProbability: 0,
          lexicon: WordLexicon(Self.words, reward: golden.reward, penalty: golden.penalty)))
      let values = beamOutput(
        seed: golden.seed, steps: golden.steps, classes: decoder.classCount, power: golden.power)
      expect(try decoder.readings(in: values), begin: golden.readings)
    }
  }

  @Test("Narrow beams keep what a search over dictionaries keeps, wide ones find fast-ctc-decode's")
  func search() throws {
    let goldens = try Folders.golden("TextDecode/beams_search.json", as: [Search].self)
    #expect(goldens.count == 60)
    for golden in goldens {
      let lexicon = golden.hasWords ? WordLexicon(Self.words, reward: 0.5, penalty: 0.75) : nil
      let decoder = try CTCBeamDecoder(
        characters: Self.signs,
        configuration: CTCBeamConfiguration(
          beamWidth: golden.width, leastProbability: golden.least, lexicon: lexicon))
      let values = beamOutput(
        seed: golden.seed, steps: golden.steps, classes: decoder.classCount, power: golden.power)
      let readings = try decoder.readings(in: values)
      #expect(readings.count == golden.count)
      expect(readings, begin: golden.readings)
      let wide = try CTCBeamDecoder(
        characters: Self.signs,
        configuration: CTCBeamConfiguration(beamWidth: 200, leastProbability: 0))
      #expect(try wide.text(in: values).text == golden.peer)
    }
  }
}

extension CTCBeamDecoderTests {
  private static let letters = ["a", "b", "c"]

  /// Without a module of mathematics: by the series, after halving.
  private static func exponential(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for place in 1..<24 {
      term *= x / 1024 / Double(place)
      sum += term
    }
    return (0..<10).reduce(sum) { value, _ in value * value }
  }

  @Test("A text with more than half of the probability is the greedy one, and as confident")
  func greedy() throws {
    let characters = (0..<30).map { "<\($0)>" }
    let greedy = try CTCDecoder(characters: characters)
    var compared = 0
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let (steps, classes) = (1 + Int(seed) % 12, greedy.classCount)
      var values: [Float] = []
      var share = 1.0
      for _ in 0..<steps {
        // A sure class, and often the one before or the blank, so that there are repeats.
        let any = Int(generator.unit() * Double(classes))
        let sure = [0, 0, 3, 4, any].randomElement(using: &generator) ?? 0
        var row = (0..<classes).map { _ in generator.unitFloat() * 0.002 }
        row[sure] = 0
        row[sure] = 1 - row.reduce(0, +)
        share *= Double(row[sure])
        values += row
      }
      guard share > 0.5 else { continue }
      compared += 1
      for width in [1, 2, 16] {
        for least in [0, 0.001] as [Float] {
          let decoder = try CTCBeamDecoder(
            characters: characters,
            configuration: CTCBeamConfiguration(beamWidth: width, leastProbability: least))
          #expect(try decoder.text(in: values) == greedy.text(in: values))
        }
      }
    }
    #expect(compared > 150)
  }

  @Test("The confidence of the greedy text is the greedy one, ties included")
  func confidences() throws {
    let greedy = try CTCDecoder(characters: Self.letters)
    let decoder = try CTCBeamDecoder(
      characters: Self.letters,
      configuration: CTCBeamConfiguration(beamWidth: 4096, leastProbability: 0))
    for seed in 0..<100 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let values = (0..<25).map { _ in (1 + (generator.unitFloat() * 4).rounded(.down)) / 8 }
      let expected = try greedy.text(in: values)
      let same = try decoder.readings(in: values).first { $0.text == expected.text }
      #expect(same?.confidence == expected.confidence)
    }
  }

  @Test("Alignments of one text together outweigh the likeliest of another")
  func together() throws {
    // Rows of blank and "a".
    let values: [Float] = [0.6, 0.4, 0.6, 0.4]
    let greedy = try CTCDecoder(characters: ["a"], endsWithSpace: false)
    #expect(try greedy.text(in: values).text.isEmpty)
    let decoder = try CTCBeamDecoder(characters: ["a"], endsWithSpace: false)
    let readings = try decoder.readings(in: values)
    #expect(readings.map(\.text) == ["a", ""])
    #expect(abs(Self.exponential(readings[0].logProbability) - 0.64) < 1e-6)
    #expect(readings[0].confidence == 0.4)
    #expect(readings.map(\.score) == readings.map(\.logProbability))
  }

  @Test("Thousands of classes, of which few are likely")
  func manyClasses() throws {
    let decoder = try CTCBeamDecoder(characters: (0..<6623).map { "<\($0)>" })
    #expect(decoder.classCount == 6625)
    var values = [Float](repeating: 1e-6, count: 3 * 6625)
    for (step, index) in [1, 6623, 4001].enumerated() {
      values[step * 6625 + index] = 0.7
      values[step * 6625 + index - 1] = 0.29
    }
    let readings = try decoder.readings(in: values)
    #expect(readings.count == 8)
    #expect(readings.first?.text == "<0><6622><4000>")
    #expect(readings.first?.confidence == 0.7)
  }

  @Test("The same again and again, from an array and from a buffer, and sorted by scores")
  func same() throws {
    let lexicon = WordLexicon(Self.words)
    for seed in 0..<40 as Range<UInt64> {
      // Few values, so that many readings are equally good.
      let values = beamOutput(seed: seed, steps: 12, classes: 6, power: 1)
        .map { ($0 * 4).rounded(.up) / 8 }
      let configuration = CTCBeamConfiguration(beamWidth: 7, lexicon: seed % 2 == 0 ? lexicon : nil)
      let decoder = try CTCBeamDecoder(characters: Self.signs, configuration: configuration)
      let readings = try decoder.readings(in: values)
      #expect(readings.count == 7)
      #expect(Set(readings.map(\.text)).count == 7)
      #expect(zip(readings, readings.dropFirst()).allSatisfy { $0.score >= $1.score })
      let again = try CTCBeamDecoder(characters: Self.signs, configuration: configuration)
      #expect(try again.readings(in: values) == readings)
      let text = try values.withUnsafeBufferPointer { try decoder.text(in: $0) }
      #expect(text == CTCText(text: readings[0].text, confidence: readings[0].confidence))
      #expect(try decoder.text(in: values) == text)
    }
  }
}
