import SpineHeuristics
import Testing

@Suite struct ReadableWordsTests {
  static let words = Lexicon.readableWords()

  @Test(
    "Words, their forms, names, publishers and numerals are there",
    arguments: [
      "the", "modern", "stories", "materials", "building", "wolfhound", "asimov", "bloomsbury",
      "verlag", "xiv", "mädchen", "classics", "o'brien",
    ])
  func known(word: String) {
    #expect(Self.words.contains(word))
  }

  @Test("All are in lower case, and none has a space")
  func form() {
    #expect(Self.words.count > 50_000)
    #expect(Self.words.allSatisfy { $0 == $0.lowercased() && !$0.contains(" ") && !$0.isEmpty })
    #expect(!Self.words.contains("m0dern"))
  }
}
