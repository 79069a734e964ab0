/// Finds the word that was probably meant by an unknown word.
package enum Suggestion {
  /// The known word nearest to `word`, or nil if none is near.
  ///
  /// Near is a distance of at most a third of the longer word's letters, and at least one:
  /// `--thread` proposes `--threads`, while `--foo` proposes nothing.
  package static func nearest(to word: String, among known: [String]) -> String? {
    // No known word is nearly as long, so there is no need to compare.
    guard word.utf8.count <= 64 else { return nil }
    let letters = Array(word.lowercased().unicodeScalars)
    var best: (word: String, distance: Int)?
    for candidate in known {
      let others = Array(candidate.lowercased().unicodeScalars)
      let distance = distance(letters, others)
      let limit = max(1, max(letters.count, others.count) / 3)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// `; did you mean X?`, or nothing if there is no proposal.
  ///
  /// Up to three words with the prefix `word` come before words that are near.
  package static func text(for word: String, among known: [String]) -> String {
    let longer = known.filter { word.utf8.count >= leastPrefix && $0.hasPrefix(word) }
    let proposals =
      (1...3).contains(longer.count) ? longer : nearest(to: word, among: known).map { [$0] } ?? []
    return proposals.isEmpty
      ? "" : "; did you mean \(Sentence.either(proposals.map { "'\($0)'" }))?"
  }

  /// With fewer letters, too many words have the same prefix; the dashes of an option count.
  private static let leastPrefix = 4

  /// The number of insertions, deletions, replacements and swaps of neighbours between two words.
  ///
  /// This is Damerau's distance in its "optimal string alignment" form.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var rows = [Array(0...b.count)]
    for i in 1...a.count {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1...b.count {
        let replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        row[j] = min(rows[i - 1][j] + 1, row[j - 1] + 1, replaced)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          row[j] = min(row[j], rows[i - 2][j - 2] + 1)
        }
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
