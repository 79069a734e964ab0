import _CLibrary

extension SpineReading {
  /// The greatest number of candidates in a label.
  private static let mostCandidates = 5

  /// The label from the best readings.
  static func label(of lines: [WrittenLine], order: [Int]) -> SpineLabel {
    let readings = lines.isEmpty ? [] : readings(of: lines)
    guard let best = readings.first else {
      return SpineLabel(
        order: order, candidates: [], subtitle: nil, volume: nil, publisher: nil, series: nil,
        edition: nil)
    }
    // The probabilities of readings with the same title and author are added.
    var keys: [String] = []
    var weights: [String: (reading: SpineReading, weight: Double)] = [:]
    var sum = 0.0
    for reading in readings {
      let weight = exp((reading.score - best.score) / temperature)
      sum += weight
      guard let title = reading.text(of: .title) else { continue }
      let key = Lexicon.key(of: title) + "/" + Lexicon.key(of: reading.text(of: .author) ?? "")
      if let known = weights[key] {
        weights[key] = (known.reading, known.weight + weight)
      } else {
        keys.append(key)
        weights[key] = (reading, weight)
      }
    }
    let sorted = keys.compactMap { weights[$0] }.sorted { $0.weight > $1.weight }
    let candidates = sorted.prefix(mostCandidates).compactMap { reading, weight in
      reading.text(of: .title).map {
        TitleCandidate(title: $0, author: reading.text(of: .author), probability: weight / sum)
      }
    }
    let chosen = sorted.first?.reading ?? best
    return SpineLabel(
      order: order, candidates: candidates, subtitle: chosen.text(of: .subtitle),
      volume: chosen.text(of: .volume), publisher: chosen.text(of: .publisher),
      series: chosen.text(of: .series), edition: chosen.text(of: .edition))
  }

  /// The divisor of scores before they become probabilities.
  private static let temperature = 1.5

  /// The text of a role, its parts joined; nil for none.
  func text(of role: SpineRole) -> String? {
    var texts: [String] = []
    let ends = parts.indices.filter { parts[$0].role == .title }
    let inside = (ends.first ?? 0)...(ends.last ?? 0)
    for (index, part) in parts.enumerated() {
      // Small words between two lines of a title belong to it.
      let isInside = part.role == .subtitle && inside.contains(index)
      guard isInside ? role == .title : part.role == role else { continue }
      let text = part.text.trimmingMarks
      // "Everybody" on two lines as "Every-" and "body".
      if let last = texts.last, last.hasSuffix("-"), last.dropLast().last?.isLetter == true {
        texts[texts.count - 1] = last + text
      } else if role == .author, let last = texts.last, last.last?.isLetter == true,
        !SpineWords.joins(text), !SpineWords.dangles(last), text.contains(" ") || last.contains(" ")
      {
        // Two people.
        texts[texts.count - 1] = last + ","
        texts.append(text)
      } else {
        texts.append(text)
      }
    }
    let joined = texts.filter { !$0.isEmpty }.joined(separator: " ")
    return joined.isEmpty ? nil : joined.trimmingMarks
  }
}

extension String {
  /// The text without marks and white space at its ends that are not part of a word.
  fileprivate var trimmingMarks: String {
    func isMark(_ character: Character) -> Bool {
      character.isWhitespace || ",:;-–—&+/".contains(character)
    }
    var inside = self[...]
    while let first = inside.first, isMark(first) { inside.removeFirst() }
    while let last = inside.last, isMark(last), last != "-" || inside.count < 2 {
      inside.removeLast()
    }
    return String(inside)
  }
}
