import _CLibrary

/// The score of a reading's parts together.
enum SpineBalance {
  static func add(
    of parts: [SpinePart], in lines: [WrittenLine], to evidence: inout SpineEvidence
  ) {
    let titles = parts.filter { $0.role == .title }
    let authors = parts.filter { $0.role == .author }
    guard let titleHeight = titles.map(\.height).max() else {
      evidence.add(.noTitle)
      return
    }
    addSizes(of: titles, largest: titleHeight, in: lines, to: &evidence)
    for subtitle in parts where subtitle.role == .subtitle {
      let ratio = subtitle.height / titleHeight
      if ratio < 0.85 {
        evidence.add(.subtitleSmaller)
      } else {
        evidence.add(.subtitleLarger, 1 + log(max(ratio, 1)))
      }
    }
    addOrder(of: parts, to: &evidence)
    if authors.isEmpty { evidence.add(.noAuthor) }
    if let height = authors.map(\.height).max(), height > titleHeight {
      evidence.add(.authorLarger, log(height / titleHeight))
    }
    // A word that may be a name is not one if it is larger than the title.
    for author in authors where author.height > 1.5 * titleHeight && author.likelihood < 0.5 {
      evidence.add(.authorTooLarge)
    }
    // Names are at an end, or title and name alternate.
    let main = parts.filter { [.title, .subtitle, .author].contains($0.role) }
    if let first = main.first, let last = main.last, !authors.isEmpty {
      evidence.add(first.role == .author || last.role == .author ? .authorAtEnd : .authorInside)
    }
    addPublishers(of: parts, to: &evidence)
    // "The Poems of" is incomplete.
    if let last = titles.last, SpineWords.dangles(last.text) { evidence.add(.titleEndsOpen) }
    // The title takes most of the ink.
    let ink = parts.reduce(0) { $0 + $1.ink }
    if ink > 0 {
      evidence.add(.titleShare, log(max(titles.reduce(0) { $0 + $1.ink } / ink, 0.01)))
    }
  }

  /// Adds the evidence of the sizes of the title's pieces beside the largest.
  private static func addSizes(
    of titles: [SpinePart], largest titleHeight: Double, in lines: [WrittenLine],
    to evidence: inout SpineEvidence
  ) {
    for title in titles {
      let ratio = title.height / titleHeight
      // Smaller letters beside the largest ones are the rest of the title.
      let isBeside = titles.contains {
        $0.height == titleHeight
          && lines[$0.lines.lowerBound].block == lines[title.lines.lowerBound].block
      }
      evidence.add(isBeside ? .titleSmallerBeside : .titleSmaller, log(ratio))
      // Function words may be small; other words of that size are not part of the title.
      let isLittle = title.text.split(separator: " ")
        .allSatisfy { Lexicon.functionWords.contains(Lexicon.key(of: $0)) }
      if isLittle {
        evidence.add(.titleLittleWords, -log(ratio))
      } else if ratio < 0.62, !isBeside {
        evidence.add(.titleMuchSmaller)
      }
    }
  }

  /// Adds the evidence of the publishers' places: a publisher is at the foot, or at the head.
  private static func addPublishers(of parts: [SpinePart], to evidence: inout SpineEvidence) {
    func isMargin(_ part: SpinePart) -> Bool {
      [.other, .series, .publisher].contains(part.role)
    }
    for (index, part) in parts.enumerated() where part.role == .publisher {
      if parts[(index + 1)...].allSatisfy(isMargin) {
        evidence.add(.publisherLast)
      } else if !parts[..<index].allSatisfy(isMargin) {
        evidence.add(.publisherInside)
      }
    }
  }

  /// Adds the evidence of gaps between parts with the same role.
  private static func addOrder(of parts: [SpinePart], to evidence: inout SpineEvidence) {
    var last: [SpineRole: Int] = [:]
    for (index, part) in parts.enumerated() {
      if let before = last[part.role], index > before + 1 {
        let between = parts[(before + 1)..<index].filter { $0.role != .other }
        switch part.role {
        case .title:
          evidence.add(
            between.contains { $0.role == .author }
              ? .titleApartByAuthor : between.isEmpty ? .titleApartByNothing : .titleApart)
        case .author: evidence.add(between.isEmpty ? .authorApartByNothing : .authorApart)
        default: if !between.isEmpty { evidence.add(.partApart) }
        }
      }
      if part.role == .subtitle, last[.title] == nil { evidence.add(.subtitleFirst) }
      last[part.role] = index
    }
    // Each further author's line is one more chance to be wrong.
    let authors = parts.filter { $0.role == .author }
    guard authors.count > 1 else { return }
    let best = authors.map(\.likelihood).reduce(0, max)
    let unsure = authors.count { $0.likelihood < best - 0.25 }
    evidence.add(.authorMoreUnsure, Double(unsure))
    evidence.add(.authorMore, Double(authors.count - unsure - 1))
  }
}

extension SpinePart {
  /// About the length of its letters, times their height.
  fileprivate var ink: Double { Double(WrittenLine.letters(in: text)) * height * height }
}
