/// The words that a ``CTCBeamDecoder`` expects, and how strongly it expects them.
///
/// ```swift
/// let lexicon = WordLexicon(["modern", "art"])
/// let configuration = CTCBeamConfiguration(lexicon: lexicon)
/// ```
///
/// A text is parted into words: runs of letters that have a case (Latin, Greek, Cyrillic, ...) and
/// decimal digits. Everything else ends a word, also letters of scripts without a case. A word is
/// judged if it has at least two characters and a letter among them. If it is in the list, its
/// reading gains ``reward`` for each of its characters. Otherwise it loses ``penalty`` for each.
/// Case doesn't matter. Words of digits alone, such as years, prices and ISBNs, and single letters
/// gain and lose nothing.
///
/// Weights are natural logarithms of how many times likelier a reading becomes. They go by
/// characters and not by words for two reasons. A long word is in a list by chance much more rarely
/// than a short one. And words gain and lose the same with a space between them and without, so
/// that unknown names are not joined.
public struct WordLexicon: Hashable, Sendable, Codable {
  /// The words, in any case; one with an apostrophe or a hyphen counts as its parts.
  public var words: Set<String>
  /// What each character of a listed word adds to the logarithm of a reading's probability,
  /// 0...100.
  ///
  /// It says how much less likely a listed word may be than what the network prefers. With the
  /// default of 0.5 it is a factor of 2.7 for two characters, 20 for six and 150 for ten. A greater
  /// reward parts long words that are not listed into short ones that are.
  public var reward: Double
  /// What each character of any other word subtracts, 0...100.
  ///
  /// 0 by default: otherwise readings that leave out letters of an unknown name, or put signs
  /// between them, gain by it.
  public var penalty: Double

  /// Makes a lexicon.
  ///
  /// - Parameters:
  ///   - words: see ``words``.
  ///   - reward: see ``reward``.
  ///   - penalty: see ``penalty``.
  public init(_ words: some Sequence<String>, reward: Double = 0.5, penalty: Double = 0) {
    self.words = Set(words)
    self.reward = reward
    self.penalty = penalty
  }

  func check() throws(TextDecodeError) {
    for (field, value) in [("reward", reward), ("penalty", penalty)]
    where !(0...100).contains(value) {
      throw .setting(field: field, value: value, range: "0...100")
    }
  }
}
