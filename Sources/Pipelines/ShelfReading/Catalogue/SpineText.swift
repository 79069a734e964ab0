import SpineHeuristics

/// The text on a spine as letters, in which words are looked for with a recognizer's mistakes.
struct SpineText {
  /// The letters of each line.
  let lines: [[Unicode.Scalar]]
  /// Those of all lines, in the order in which they are read.
  let letters: [Unicode.Scalar]

  init(_ lines: [String]) {
    // No spine has more text than this.
    self.lines = lines.prefix(40).map { Array(Lexicon.key(of: $0).unicodeScalars.prefix(200)) }
    letters = self.lines.flatMap { $0 }
  }

  /// The number of wrong, missing or extra letters at the place of the text most similar to a word.
  ///
  /// Nil if they are more than about a quarter of the word's letters. A word of three letters or
  /// fewer must be there exactly.
  func distance(to word: [Unicode.Scalar]) -> Int? {
    let limit = word.count < 4 ? 0 : word.count < 7 ? 1 : word.count < 11 ? 2 : 3
    let found = Self.distance(of: word, in: letters)
    return found <= limit ? found : nil
  }

  /// The least edit distance between a word and any part of a text (Sellers, 1980), in O(*n* *m*).
  static func distance(of word: [Unicode.Scalar], in text: [Unicode.Scalar]) -> Int {
    var row = [Int](repeating: 0, count: text.count + 1)
    for (index, letter) in word.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for place in 0..<text.count {
        let above = row[place + 1]
        row[place + 1] = min(
          above + 1, row[place] + 1, diagonal + (text[place] == letter ? 0 : 1))
        diagonal = above
      }
    }
    return row.reduce(word.count, min)
  }
}
