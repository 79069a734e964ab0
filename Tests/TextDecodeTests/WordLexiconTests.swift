import Testing
import TextDecode

/// Letters and digits that look alike, and what a lexicon makes of them.
@Suite struct WordLexiconTests {
  private static let characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'-.,丨中ÉéЖж".map(String.init)

  /// Probabilities of signs, step by step; a blank parts steps, so that letters may repeat.
  private func output(_ steps: [[String: Float]]) -> [Float] {
    let count = Self.characters.count + 2
    var values: [Float] = []
    for step in steps {
      var row = [Float](repeating: 0, count: count)
      for (sign, probability) in step {
        let place = sign == " " ? count - 1 : (Self.characters.firstIndex(of: sign) ?? -1) + 1
        row[place] = probability
      }
      values += row + [1] + [Float](repeating: 0, count: count - 1)
    }
    return values
  }

  /// What is read if the first sign of each group has 0.9 of what the signs have, and each other
  /// 0.1.
  ///
  /// Groups are in brackets, and `_` is a space in them: `M[0O]DERN`, `THE[_-]END`.
  private func read(_ pattern: String, words: [String], reward: Double = 0.75) throws -> String {
    var steps: [[String: Float]] = []
    var isGroup = false
    for sign in pattern {
      switch sign {
      case "[":
        isGroup = true
        steps.append([:])
      case "]": isGroup = false
      case _ where isGroup:
        let probability: Float = steps[steps.count - 1].isEmpty ? 0.9 : 0.1
        steps[steps.count - 1][sign == "_" ? " " : String(sign)] = probability
      default: steps.append([String(sign): 1])
      }
    }
    let decoder = try CTCBeamDecoder(
      characters: Self.characters,
      configuration: CTCBeamConfiguration(lexicon: WordLexicon(words, reward: reward)))
    return try decoder.text(in: output(steps)).text
  }

  @Test(
    "A listed word wins over a likelier one that is not",
    arguments: [
      ("M[0O]DERN", "MODERN"), ("m[0o]dern", "modern"), ("M[0O]DERN A[BR]T", "MODERN ART"),
      ("[1l]ight", "light"), ("THE M[0O]DERN, A[PR]T.", "THE MODERN, ART."),
      ("M[0O]D[FE]RN", "MODERN"), ("M[0O]D[FE]R[HN]", "M0DFRH"),
      ("MODERN", "MODERN"), ("[A4]RT", "ART"),
    ])
  func corrected(pattern: String, text: String) throws {
    #expect(try read(pattern, words: ["Modern", "ART", "light", "the"]) == text)
  }

  @Test(
    "What no word speaks against stays",
    arguments: [
      // Numbers, though a word is possible.
      ("1[0o]", "10"), ("[1I]984", "1984"), ("978[0O]140", "9780140"), ("[5S][0O]", "50"),
      // Single letters, and listed words.
      ("[IA]", "I"), ("ART", "ART"), ("[TA]he", "The"),
      // Words with no listed one near, and what no letters with a case are.
      ("XY[ZA]", "XYZ"), ("中[丨中]", "中丨"), ("Ж[жЖ]", "Жж"),
      // A word's part.
      ("art's [IA]", "art's I"),
    ])
  func kept(pattern: String, text: String) throws {
    let words = ["so", "to", "io", "a", "art", "the", "ahe"]
    #expect(try read(pattern, words: words) == text)
  }

  @Test("A reward says how much less likely a listed word may be")
  func strength() throws {
    // 0.1 against 0.9: a ninth. The word has two letters, and ln 9 is 2.197.
    #expect(try read("[0o]f", words: ["of"], reward: 1.09) == "0f")
    #expect(try read("[0o]f", words: ["of"], reward: 1.11) == "of")
    #expect(try read("[0o]f", words: ["of"], reward: 0) == "0f")
    // Three letters.
    #expect(try read("[0o]ff", words: ["off"], reward: 0.72) == "0ff")
    #expect(try read("[0o]ff", words: ["off"], reward: 0.74) == "off")
  }

  @Test("Two unknown names are not joined, and a known one is not parted from its end")
  func spaces() throws {
    let words = ["duncan", "camp", "bell"]
    #expect(try read("Zyx[_-]Wvu", words: words) == "Zyx Wvu")
    #expect(try read("CAMP[S_]BELL", words: words) == "CAMP BELL")
    #expect(try read("DUNCAN[_-]Wvu", words: words) == "DUNCAN Wvu")
  }

  @Test("A penalty lowers other words, and no number")
  func penalty() throws {
    let decoder = try CTCBeamDecoder(
      characters: Self.characters,
      configuration: CTCBeamConfiguration(
        lexicon: WordLexicon(["of"], reward: 0, penalty: 0.75)))
    #expect(try decoder.text(in: output([["0": 0.75, "o": 0.25], ["f": 1]])).text == "of")
    let readings = try decoder.readings(in: output([["1": 0.75, "I": 0.25], ["0": 1]]))
    #expect(readings.map(\.text) == ["10", "I0"])
    #expect(readings.map(\.wordScore) == [0, -1.5])
  }

  @Test("A reward raises listed words above numbers")
  func reward() throws {
    let values = output([["1": 0.6, "i": 0.4], ["0": 0.6, "o": 0.4]])
    func text(_ reward: Double) throws -> String {
      let lexicon = WordLexicon(["io"], reward: reward)
      return try CTCBeamDecoder(
        characters: Self.characters, configuration: CTCBeamConfiguration(lexicon: lexicon)
      ).text(in: values).text
    }
    #expect(try text(0) == "10")
    #expect(try text(0.5) == "io")
  }

  @Test("Words with apostrophes count as their parts, and letters with marks in either form")
  func forms() throws {
    #expect(try read("d[0o]n't", words: ["don't"]) == "don't")
    #expect(try read("twenty-[0o]ne", words: ["TWENTY-ONE"]) == "twenty-one")
    #expect(try read("CAF[EÉ]", words: ["cafe\u{301}"]) == "CAFÉ")
    #expect(try read("CAF[EÉ]", words: ["caf\u{e9}", "cafe"]) == "CAFE")
  }

  @Test("What the lexicon adds is told, and lowers no confidence but by the letters it chose")
  func scores() throws {
    let decoder = try CTCBeamDecoder(
      characters: Self.characters,
      configuration: CTCBeamConfiguration(lexicon: WordLexicon(["of"], reward: 0.75)))
    let readings = try decoder.readings(in: output([["0": 0.75, "o": 0.25], ["f": 1]]))
    #expect(readings.map(\.text) == ["of", "0f"])
    #expect(readings.map(\.wordScore) == [1.5, 0])
    #expect(readings.map(\.confidence) == [0.625, 0.875])
  }

  @Test("No words are no lexicon for what all readings have alike")
  func empty() throws {
    #expect(try read("M[0O]DERN", words: []) == "M0DERN")
  }
}
