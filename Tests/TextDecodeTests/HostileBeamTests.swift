import Foundation
import TestSupport
import Testing
import TextDecode

/// Outputs that no network should answer, and settings that nobody should make.
@Suite struct HostileBeamTests {
  private static let none = CTCText(text: "", confidence: 0)

  private func decoder(
    _ characters: [String] = ["a", "b"], endsWithSpace: Bool = true,
    configuration: CTCBeamConfiguration = CTCBeamConfiguration()
  ) throws -> CTCBeamDecoder {
    try CTCBeamDecoder(
      characters: characters, endsWithSpace: endsWithSpace, configuration: configuration)
  }

  @Test("Nothing, blanks alone, and what is not a number are no text")
  func nothing() throws {
    for lexicon in [nil, WordLexicon(["ab"])] {
      for least in [0, 0.001, 1] as [Float] {
        let decoder = try decoder(
          configuration: CTCBeamConfiguration(leastProbability: least, lexicon: lexicon))
        #expect(try decoder.text(in: []) == Self.none)
        #expect(try decoder.readings(in: []).map(\.text) == [""])
        #expect(try decoder.text(in: [1, 0, 0, 0, 1, 0, 0, 0]) == Self.none)
        for value in [0, -0.0, -1, -Float.infinity, .nan] {
          let readings = try decoder.readings(in: Array(repeating: value, count: 12))
          #expect(readings.map(\.text) == [""])
          #expect(readings.map(\.logProbability) == [0])
        }
        let mixed = [.nan, .nan, 0.5, .nan] as [Float]
        #expect(try decoder.text(in: mixed) == CTCText(text: "b", confidence: 0.5))
      }
    }
  }

  @Test("A step of nothing parts nothing and ends nothing")
  func silence() throws {
    let decoder = try decoder()
    // Rows of blank, a, b, space.
    let values: [Float] = [0, 1, 0, 0, .nan, .nan, -1, 0, 0, 0, 1, 0]
    #expect(try decoder.text(in: values) == CTCText(text: "ab", confidence: 1))
  }

  @Test("Infinite and huge values are the most that a number holds")
  func infinite() throws {
    let decoder = try decoder()
    for value in [Float.infinity, .greatestFiniteMagnitude] {
      let values = (0..<40).flatMap { step -> [Float] in
        [step % 2 == 0 ? value : 0.5, step % 2 == 0 ? 0.5 : value, value, .leastNonzeroMagnitude]
      }
      for reading in try decoder.readings(in: values) {
        #expect(reading.logProbability.isFinite)
        #expect(reading.confidence.isFinite)
      }
    }
    #expect(try decoder.text(in: [0, 0, .infinity, 0]).text == "b")
  }

  @Test("Noise of any kind ends, with finite numbers, again and again the same")
  func noise() throws {
    let strange: [Float] = [.nan, .infinity, -.infinity, 0, 1, 0.001, -1, 1e38, 0.5]
    for seed in 0..<60 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let count = 1 + Int(seed) % 19
      let decoder = try decoder(
        (0..<count).map { ["a", "B", "0", " ", "中", "ß", "", "e\u{301}"][$0 % 8] },
        endsWithSpace: seed % 2 == 0,
        configuration: CTCBeamConfiguration(
          beamWidth: 1 + Int(seed) % 9, leastProbability: seed % 3 == 0 ? 0 : 0.01,
          lexicon: seed % 4 < 2 ? WordLexicon(["ab", "Straße", "éa"], reward: 1, penalty: 1) : nil))
      let values = (0..<decoder.classCount * Int(seed % 23)).map { _ in
        strange.randomElement(using: &generator) ?? 0
      }
      let readings = try decoder.readings(in: values)
      #expect((1...decoder.configuration.beamWidth).contains(readings.count))
      for reading in readings {
        #expect(reading.logProbability.isFinite && reading.wordScore.isFinite)
        #expect(reading.confidence.isFinite && reading.confidence >= 0)
      }
      #expect(try decoder.readings(in: values) == readings)
    }
  }

  @Test("One character, and no space behind it")
  func oneClass() throws {
    let decoder = try decoder(["a"], endsWithSpace: false)
    #expect(decoder.classCount == 2)
    #expect(try decoder.text(in: [0, 1, 1, 0, 0, 1]) == CTCText(text: "aa", confidence: 1))
  }

  @Test("If no class is likely enough, the likeliest is taken")
  func pruned() throws {
    let decoder = try decoder(configuration: CTCBeamConfiguration(leastProbability: 1))
    #expect(try decoder.text(in: [0.1, 0.2, 0.3, 0]).text == "b")
    #expect(try decoder.readings(in: [0.1, 0.2, 0.3, 0]).count == 1)
  }

  @Test("An empty list, values that are not whole rows and wrong settings are errors of one line")
  func errors() throws {
    #expect(throws: TextDecodeError.noCharacters) { try CTCBeamDecoder(characters: []) }
    let decoder = try decoder()
    #expect(throws: TextDecodeError.valueCount(got: 5, expected: 4)) {
      try decoder.text(in: [1, 0, 0, 0, 1])
    }
    #expect(throws: TextDecodeError.valueCount(got: 5, expected: 4)) {
      try decoder.readings(in: [1, 0, 0, 0, 1])
    }
    let settings: [(CTCBeamConfiguration, String)] = [
      (CTCBeamConfiguration(beamWidth: 0), "beamWidth"),
      (CTCBeamConfiguration(beamWidth: -1), "beamWidth"),
      (CTCBeamConfiguration(beamWidth: 4097), "beamWidth"),
      (CTCBeamConfiguration(beamWidth: .max), "beamWidth"),
      (CTCBeamConfiguration(leastProbability: .nan), "leastProbability"),
      (CTCBeamConfiguration(leastProbability: -0.1), "leastProbability"),
      (CTCBeamConfiguration(leastProbability: 1.5), "leastProbability"),
      (CTCBeamConfiguration(lexicon: WordLexicon([], reward: -1)), "reward"),
      (CTCBeamConfiguration(lexicon: WordLexicon([], reward: .nan)), "reward"),
      (CTCBeamConfiguration(lexicon: WordLexicon([], penalty: .infinity)), "penalty"),
    ]
    for (configuration, field) in settings {
      let error = #expect(throws: TextDecodeError.self) {
        try CTCBeamDecoder(characters: ["a"], configuration: configuration)
      }
      #expect(error?.description.hasPrefix("\(field) is ") == true)
      #expect(error?.description.contains("\n") == false)
    }
    _ = try CTCBeamDecoder(
      characters: ["a"], configuration: CTCBeamConfiguration(beamWidth: 4096, leastProbability: 1))
  }

  @Test("Settings and readings survive JSON")
  func coding() throws {
    let configuration = CTCBeamConfiguration(
      beamWidth: 3, leastProbability: 0.25, lexicon: WordLexicon(["a", "b"], reward: 1))
    let data = try JSONEncoder().encode(configuration)
    #expect(try JSONDecoder().decode(CTCBeamConfiguration.self, from: data) == configuration)
    let reading = CTCReading(text: "a", confidence: 0.5, logProbability: -1, wordScore: 0.25)
    let other = try JSONDecoder().decode(
      CTCReading.self, from: try JSONEncoder().encode(reading))
    #expect(other == reading && other.score == -0.75)
  }
}
