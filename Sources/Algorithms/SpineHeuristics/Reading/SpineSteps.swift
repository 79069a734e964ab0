/// The possible readings of the next lines.
struct SpineSteps {
  /// Pieces of text with roles for a number of lines.
  struct Step {
    let parts: [SpinePart]
    let count: Int
    /// The evidence for dividing a line, or joining several.
    let evidence: SpineEvidence
  }

  private let lines: [WrittenLine]
  private let keepingValues: Bool

  init(_ lines: [WrittenLine], keepingValues: Bool) {
    self.lines = lines
    self.keepingValues = keepingValues
  }

  func steps(from start: Int) -> [Step] {
    wholes(from: start) + halves(of: start) + columns(from: start)
  }

  private static let roles: [SpineRole] = [
    .title, .subtitle, .author, .volume, .publisher, .series, .edition, .other,
  ]

  /// Whole lines: one in any role, up to four as a name or as text with known words.
  private func wholes(from start: Int) -> [Step] {
    (1...4).flatMap { count -> [Step] in
      guard start + count <= lines.count else { return [] }
      let range = start..<start + count
      let heights = lines[range].map(\.height)
      guard let low = heights.min(), let high = heights.max(), low >= 0.5 * high else { return [] }
      let words = lines[range].flatMap(\.words)
      guard count == 1 || words.count <= 10 else { return [] }
      let text = words.joined(separator: " ")
      let mended = lines[range].flatMap(\.mended).joined(separator: " ")
      let allowed = count == 1 ? Self.roles : [.author, .publisher, .series, .edition, .volume]
      let isTurned = lines[range].contains { $0.isTurned(from: lines[start]) }
      return allowed.compactMap { role in
        guard let part = part(role, role.isNamed ? text : mended, range, high) else { return nil }
        if count > 1, role != .author, !part.isCertain { return nil }
        if role == .author, count > 1, isTurned || !isName(lines[range], text) { return nil }
        // The scores that the lines would have separately.
        var evidence = SpineEvidence(keepingValues: keepingValues)
        if role == .author {
          evidence.add(.joinedName, Double(count - 1) * max(0, part.likelihood - 0.5))
        } else {
          evidence.add(.joinedKnown, Double(count - 1))
        }
        return Step(parts: [part], count: count, evidence: evidence)
      }
    }
  }

  /// Whether several lines are one name or a list of names, and no line is more than that.
  private func isName(_ lines: ArraySlice<WrittenLine>, _ text: String) -> Bool {
    let name = WrittenName(of: text)
    let first = lines.first.map { WrittenName(of: $0.text) }
    if name.isIntroduced {
      // "EDITED BY" on a separate line; within one line, the words and the name are complete.
      return first?.isIntroduced == false && first?.introducesOthers == true
        && lines.dropFirst().allSatisfy { $0.words.count <= 6 }
    }
    guard name.likelihood >= 0.6, lines.allSatisfy({ $0.words.count <= 3 }) else { return false }
    let isList = lines.dropLast().allSatisfy {
      $0.text.last.map { ",&".contains($0) } == true || $0.text == "AND"
    }
    return isList || lines.count <= 3 && lines.allSatisfy { $0.words.count <= 2 }
  }

  // MARK: Parted lines

  /// A line with two or three roles one after the other.
  private func halves(of start: Int) -> [Step] {
    let line = lines[start]
    guard (2...16).contains(line.words.count) else { return [] }
    var steps: [Step] = []
    let end = line.words.count
    for cut in 1..<end {
      for (first, second) in Self.pairs {
        guard let one = piece(first, 0..<cut, of: start),
          let two = piece(second, cut..<end, of: start)
        else { continue }
        steps.append(Step(parts: [one, two], count: 1, evidence: evidence(for: cut, in: line)))
      }
      for other in cut + 1..<max(end, cut + 1) {
        for (first, second, third) in Self.triples {
          guard let three = piece(third, other..<end, of: start),
            let one = piece(first, 0..<cut, of: start),
            let two = piece(second, cut..<other, of: start)
          else { continue }
          var evidence = evidence(for: cut, in: line)
          evidence += self.evidence(for: other, in: line)
          steps.append(Step(parts: [one, two, three], count: 1, evidence: evidence))
        }
      }
    }
    return steps
  }

  /// Two lines side by side that are two columns.
  ///
  /// For example "Ash Ahmed Materials Science" above "John Sturges in Construction".
  private func columns(from start: Int) -> [Step] {
    guard start + 1 < lines.count else { return [] }
    let (above, below) = (lines[start], lines[start + 1])
    guard above.block == below.block, !below.isTurned(from: above),
      (2...16).contains(above.words.count), (2...16).contains(below.words.count),
      min(above.height, below.height) > 0.6 * max(above.height, below.height)
    else { return [] }
    var steps: [Step] = []
    for cut in 1..<above.words.count {
      for other in 1..<below.words.count {
        let apart = above.distance(ofWord: cut, from: below, word: other)
        guard apart <= Self.farthestColumns else { continue }
        for (first, second) in Self.columnPairs {
          guard let one = piece(first, 0..<cut, of: start),
            let two = piece(first, 0..<other, of: start + 1),
            let three = piece(second, cut..<above.words.count, of: start),
            let four = piece(second, other..<below.words.count, of: start + 1)
          else { continue }
          var evidence = SpineEvidence(keepingValues: keepingValues)
          if above.changesCase(at: cut), below.changesCase(at: other) {
            evidence.add(.cutAtCase, 2)
            evidence.add(.columnsCase)
          } else {
            evidence += self.evidence(for: cut, in: above)
            evidence += self.evidence(for: other, in: below)
          }
          evidence.add(.columns)
          evidence.add(.columnsApart, apart)
          steps.append(Step(parts: [one, two, three, four], count: 2, evidence: evidence))
        }
      }
    }
    return steps
  }

  /// The greatest distance between the starts of two columns, in heights of the line.
  private static let farthestColumns = 2.0

  private func piece(_ role: SpineRole, _ words: Range<Int>, of index: Int) -> SpinePart? {
    let line = lines[index]
    let text = line.words[words].joined(separator: " ")
    let isMarked =
      line.breaks.contains(words.lowerBound) || line.breaks.contains(words.upperBound)
    if role == .author, !isMarked, !isNamed(words, text, in: line) { return nil }
    if role == .volume, Lexicon.volume(text) < 1 { return nil }
    if role == .publisher, !isMarked, Lexicon.publisher(text) < 1 { return nil }
    if role == .other, words.count > 1 || !isMark(text) { return nil }
    let mended = line.mended[words].joined(separator: " ")
    return part(role, role.isNamed ? text : mended, index..<index + 1, line.height)
  }

  /// Whether a short text is capitals and digits, and not a word: a mark or a label after the
  /// title.
  private func isMark(_ text: String) -> Bool {
    text.count <= 4 && text.allSatisfy { $0.isUppercase || $0.isNumber }
      && text.contains(where: \.isUppercase) && !Lexicon.isAnyWord(Lexicon.key(of: text))
      && !WrittenName.isInitials(text) && !VolumeWords.roman.contains(text.lowercased())
  }

  /// Whether words are a name although no mark separates them.
  ///
  /// Only a name whose parts are known counts, with the words beside it.
  private func isNamed(_ words: Range<Int>, _ text: String, in line: WrittenLine) -> Bool {
    guard WrittenName(of: text).likelihood >= 0.75 else { return false }
    let before = words.lowerBound > 0 ? line.words[words.lowerBound - 1] : nil
    let after = words.upperBound < line.words.count ? line.words[words.upperBound] : nil
    if words.count == 1, after.map({ Lexicon.functionWords.contains($0.lowercased()) }) != true {
      return false
    }
    // "The Picture of Dorian Gray", "Harry Potter and the Goblet of Fire", "Peter Pan returns".
    if let before,
      SpineWords.dangles(before) || SpineWords.joins(before)
        || PersonNames.given.contains(before.lowercased())
    {
      return false
    }
    guard let after else { return true }
    // "FREDERICK FORSYTH" is not "FREDERICK".
    if PersonNames.given.contains(line.words[words.upperBound - 1].lowercased()),
      PersonNames.family.contains(Lexicon.key(of: after))
    {
      return false
    }
    return !SpineWords.joins(after) && !SpineWords.joins(line.words[words.lowerBound])
  }

  /// The evidence for dividing a line before a word.
  private func evidence(for cut: Int, in line: WrittenLine) -> SpineEvidence {
    var evidence = SpineEvidence(keepingValues: keepingValues)
    if line.breaks.contains(cut) {
      evidence.add(line.changes.contains(cut) ? .cutAtCase : .cutAtMark)
      return evidence
    }
    // A title or a name begins with a capital if the line does.
    let isSmall =
      line.words[cut].first?.isLowercase == true && line.words[0].first?.isUppercase == true
    let isAllSmall = line.words[cut...].allSatisfy { $0.first?.isLowercase == true }
    evidence.add(isSmall ? isAllSmall ? .cutBeforeSmallOnly : .cutBeforeSmall : .cut)
    return evidence
  }

  private static let pairs: [(SpineRole, SpineRole)] = [
    (.author, .title), (.title, .author), (.title, .volume), (.volume, .title),
    (.title, .publisher), (.publisher, .title), (.author, .publisher), (.title, .edition),
    (.publisher, .author), (.title, .subtitle), (.title, .other),
  ]

  private static let triples: [(SpineRole, SpineRole, SpineRole)] = [
    (.author, .title, .publisher), (.title, .author, .publisher), (.author, .title, .volume),
    (.publisher, .author, .title), (.author, .title, .edition), (.title, .edition, .author),
  ]

  private static let columnPairs: [(SpineRole, SpineRole)] = [
    (.author, .title), (.title, .author), (.title, .subtitle),
  ]

  private func part(
    _ role: SpineRole, _ text: String, _ range: Range<Int>, _ height: Double
  ) -> SpinePart? {
    let isNamed = [.author, .title, .subtitle, .other].contains(role)
    return SpinePart(
      role, text, isNamed ? WrittenName(of: text) : nil, on: range, height: height,
      line: lines[range.lowerBound], keepingValues: keepingValues)
  }
}
