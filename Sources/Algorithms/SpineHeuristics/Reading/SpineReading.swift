import Geometry
import _CLibrary

/// One reading of a whole spine: pieces of its text with their roles, in order.
struct SpineReading {
  private(set) var parts: [SpinePart] = []
  private(set) var score = 0.0

  /// The best readings of lines, found by a beam search along them.
  static func readings(of lines: [WrittenLine]) -> [SpineReading] {
    // Readings that reach up to each line.
    var reached = [[SpineReading]](repeating: [], count: lines.count + 1)
    reached[0] = [SpineReading()]
    for start in lines.indices {
      let readings = best(reached[start], beamWidth)
      reached[start] = []
      for step in SpineSteps.steps(from: start, in: lines) {
        for reading in readings {
          var next = reading
          for part in step.parts {
            next.score += part.score + next.fit(of: part, in: lines)
            next.parts.append(part)
          }
          next.score += step.score
          reached[start + step.count].append(next)
        }
      }
    }
    return reached[lines.count].map { reading in
      var whole = reading
      whole.score += SpineBalance(of: reading.parts, in: lines).score
      return whole
    }
    .sorted { $0.score > $1.score }
  }

  private static let beamWidth = 96

  private static func best(_ readings: [SpineReading], _ count: Int) -> [SpineReading] {
    guard readings.count > count else { return readings }
    return Array(readings.sorted { $0.score > $1.score }.prefix(count))
  }

  /// How well a part goes with the one before it.
  private func fit(of part: SpinePart, in lines: [WrittenLine]) -> Double {
    guard let last = parts.last else {
      return SpineWords.joins(part.text) ? -0.8 : 0
    }
    let isSame = part.role == last.role
    let isInLine = part.lines.lowerBound < last.lines.upperBound
    var score = 0.0
    if SpineWords.joins(part.text) { score += isSame ? 1.5 : part.role == .author ? 0 : -2.5 }
    if SpineWords.dangles(last.text), last.role == .title || last.role == .subtitle {
      score += isSame ? 1.2 : part.role == .other ? -0.5 : -1.5
    }
    guard !isInLine else { return score }
    let (line, before) = (lines[part.lines.lowerBound], lines[last.lines.upperBound - 1])
    let isTurned = line.isTurned(from: before)
    let ratio = min(line.height, before.height) / max(line.height, before.height)
    if line.block == before.block, !isTurned {
      score += isSame ? (ratio > 0.75 ? 0.6 : 0.2) : (ratio > 0.75 ? -0.4 : 0)
    } else if isSame, !isTurned, ratio > 0.85 {
      score += 0.45
    } else if isSame, isTurned {
      score -= 0.7
    }
    return score
  }
}

/// Words by which a line hangs on another.
enum SpineWords {
  /// Whether a text goes on with what stands before it.
  static func joins(_ text: String) -> Bool {
    let first = text.prefix { $0 != " " }.lowercased()
    return ["and", "of", "&", "or", "for", "to", "und", "et", "y", "with"].contains(first)
  }

  /// Whether a text goes on with what stands behind it.
  static func dangles(_ text: String) -> Bool {
    guard let last = text.split(separator: " ").last?.lowercased() else { return false }
    return dangling.contains(last) || last.hasSuffix("-") || last == "&"
      || last.hasSuffix("'s") || last.hasSuffix("’s") || last.hasSuffix(":")
  }

  private static let dangling: Set<String> = [
    "the", "a", "an", "of", "and", "for", "with", "from", "der", "die", "das", "und", "le", "la",
    "les", "de", "et", "los", "las", "el", "il", "my", "your", "his", "her", "our", "their", "to",
  ]
}

/// The ways in which the next lines may be read.
enum SpineSteps {
  /// Pieces of text with roles over a number of lines.
  struct Step {
    let parts: [SpinePart]
    let count: Int
    /// What parting a line, or joining several, costs.
    let score: Double
  }

  static func steps(from start: Int, in lines: [WrittenLine]) -> [Step] {
    wholes(from: start, in: lines) + halves(of: start, in: lines)
  }

  private static let roles: [SpineRole] = [
    .title, .subtitle, .author, .volume, .publisher, .series, .edition, .other,
  ]

  /// Whole lines: one in any role, up to four as a name or as something known by its words.
  private static func wholes(from start: Int, in lines: [WrittenLine]) -> [Step] {
    (1...4).flatMap { count -> [Step] in
      guard start + count <= lines.count else { return [] }
      let range = start..<start + count
      let heights = lines[range].map(\.height)
      guard let low = heights.min(), let high = heights.max(), low >= 0.5 * high else { return [] }
      let words = lines[range].flatMap(\.words)
      guard count == 1 || words.count <= 10 else { return [] }
      let text = words.joined(separator: " ")
      let allowed = count == 1 ? roles : [.author, .publisher, .series, .edition, .volume]
      let isTurned = lines[range].contains { $0.isTurned(from: lines[start]) }
      return allowed.compactMap { role in
        guard let part = part(role, text, range, high, lines) else { return nil }
        if count > 1, role != .author, part.score < SpinePart.sure { return nil }
        if role == .author, count > 1, isTurned || !isName(lines[range], text) { return nil }
        // Each line by itself would have brought something.
        return Step(
          parts: [part], count: count,
          score: Double(count - 1) * (role == .author ? max(0, part.score) * 0.4 : 1.6))
      }
    }
  }

  /// Whether several lines are one name or a list of names, and none of them more than that.
  private static func isName(_ lines: ArraySlice<WrittenLine>, _ text: String) -> Bool {
    let name = WrittenName(of: text)
    let first = lines.first.map { WrittenName(of: $0.text) }
    if name.isIntroduced {
      // "EDITED BY" on a line by itself; what is introduced within a line is whole.
      return first?.isIntroduced == false && first?.introducesOthers == true
        && lines.dropFirst().allSatisfy { $0.words.count <= 6 }
    }
    guard name.likelihood >= 0.6, lines.allSatisfy({ $0.words.count <= 3 }) else { return false }
    let isList = lines.dropLast().allSatisfy {
      $0.text.last.map { ",&".contains($0) } == true || $0.text == "AND"
    }
    return isList || lines.count <= 3 && lines.allSatisfy { $0.words.count <= 2 }
  }

  /// A line that is two or three things one after the other.
  private static func halves(of start: Int, in lines: [WrittenLine]) -> [Step] {
    let line = lines[start]
    guard (2...16).contains(line.words.count) else { return [] }
    let range = start..<start + 1
    func piece(_ role: SpineRole, _ words: Range<Int>) -> SpinePart? {
      let text = line.words[words].joined(separator: " ")
      let isMarked =
        line.breaks.contains(words.lowerBound) || line.breaks.contains(words.upperBound)
      if role == .author, !isMarked, !isNamed(words, text) { return nil }
      if role == .volume, Lexicon.volume(text) < 1 { return nil }
      if role == .publisher, !isMarked, Lexicon.publisher(text) < 1 { return nil }
      return part(role, text, range, line.height, lines)
    }
    /// Without a mark between them only a name that is known by its parts tells, and what stands beside it.
    func isNamed(_ words: Range<Int>, _ text: String) -> Bool {
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
      return !SpineWords.joins(after) && !SpineWords.joins(line.words[words.lowerBound])
    }
    func cost(_ cut: Int) -> Double {
      if line.breaks.contains(cut) { return line.changes.contains(cut) ? -0.5 : 0.8 }
      // A title or a name begins with a capital if the line does.
      let isSmall =
        line.words[cut].first?.isLowercase == true && line.words[0].first?.isUppercase == true
      let isAllSmall = line.words[cut...].allSatisfy { $0.first?.isLowercase == true }
      return isSmall ? isAllSmall ? -8 : -2.8 : -1.6
    }
    var steps: [Step] = []
    let end = line.words.count
    for cut in 1..<end {
      for (first, second) in pairs {
        guard let one = piece(first, 0..<cut), let two = piece(second, cut..<end) else { continue }
        steps.append(Step(parts: [one, two], count: 1, score: cost(cut)))
      }
      for other in cut + 1..<max(end, cut + 1) {
        for (first, second, third) in triples {
          guard let three = piece(third, other..<end), let one = piece(first, 0..<cut),
            let two = piece(second, cut..<other)
          else { continue }
          steps.append(Step(parts: [one, two, three], count: 1, score: cost(cut) + cost(other)))
        }
      }
    }
    return steps
  }

  private static let pairs: [(SpineRole, SpineRole)] = [
    (.author, .title), (.title, .author), (.title, .volume), (.volume, .title),
    (.title, .publisher), (.publisher, .title), (.author, .publisher), (.title, .edition),
    (.publisher, .author), (.title, .subtitle),
  ]

  private static let triples: [(SpineRole, SpineRole, SpineRole)] = [
    (.author, .title, .publisher), (.title, .author, .publisher), (.author, .title, .volume),
    (.publisher, .author, .title), (.author, .title, .edition), (.title, .edition, .author),
  ]

  private static func part(
    _ role: SpineRole, _ text: String, _ range: Range<Int>, _ height: Double, _ lines: [WrittenLine]
  ) -> SpinePart? {
    let isNamed = role == .author || role == .title || role == .subtitle
    let name = isNamed ? WrittenName(of: text) : nil
    guard
      let score = SpinePart.score(
        role, text, name, height: height, line: lines[range.lowerBound])
    else { return nil }
    // Of several lines each one would have cost or brought something: the step must not be cheaper for that.
    let name2 = role == .author ? name?.name ?? text : text
    return SpinePart(role: role, text: name2, lines: range, height: height, score: score)
  }
}

/// What the parts of a reading are worth together.
struct SpineBalance {
  let score: Double

  init(of parts: [SpinePart], in lines: [WrittenLine]) {
    let titles = parts.filter { $0.role == .title }
    let authors = parts.filter { $0.role == .author }
    guard let titleHeight = titles.map(\.height).max() else {
      score = -7
      return
    }
    var score = 0.0
    for title in titles {
      let ratio = title.height / titleHeight
      // Beside the largest letters smaller ones are the rest of it.
      let isBeside = titles.contains {
        $0.height == titleHeight
          && lines[$0.lines.lowerBound].block == lines[title.lines.lowerBound].block
      }
      score += (isBeside ? 1 : 2) * log(ratio)
      // Little words may be set small, others so small are not part of the title.
      let isLittle = title.text.split(separator: " ")
        .allSatisfy { Lexicon.functionWords.contains(Lexicon.key(of: $0)) }
      if isLittle { score -= log(ratio) } else if ratio < 0.62, !isBeside { score -= 0.8 }
    }
    for subtitle in parts where subtitle.role == .subtitle {
      let ratio = subtitle.height / titleHeight
      score += ratio < 0.85 ? 0.3 : -1.2 * (1 + log(max(ratio, 1)))
    }
    score += Self.order(of: parts)
    if authors.isEmpty { score -= 0.7 }
    if let height = authors.map(\.height).max(), height > titleHeight {
      score -= 0.35 * log(height / titleHeight)
    }
    // A word that may be a name is none if it is larger than the title.
    for author in authors where author.height > 1.5 * titleHeight && author.score < 0 {
      score -= 1.5
    }
    // Names stand at an end, or title and name take turns.
    let main = parts.filter { [.title, .subtitle, .author].contains($0.role) }
    if let first = main.first, let last = main.last, !authors.isEmpty {
      score += first.role == .author || last.role == .author ? 0.5 : -0.6
    }
    // A publisher stands at the foot, or at the head.
    for (index, part) in parts.enumerated() where part.role == .publisher {
      let rest = parts[(index + 1)...].allSatisfy {
        [.other, .series, .publisher].contains($0.role)
      }
      let before = parts[..<index].allSatisfy { [.other, .series, .publisher].contains($0.role) }
      score += rest ? 0.5 : before ? 0 : -0.8
    }
    self.score = score
  }

  /// What lies between parts of one role.
  private static func order(of parts: [SpinePart]) -> Double {
    var score = 0.0
    var last: [SpineRole: Int] = [:]
    for (index, part) in parts.enumerated() {
      if let before = last[part.role], index > before + 1 {
        let between = parts[(before + 1)..<index].filter { $0.role != .other }
        switch part.role {
        case .title:
          score -= between.contains { $0.role == .author } ? 1.8 : between.isEmpty ? 0.3 : 0.9
        case .author: score -= between.isEmpty ? 0.3 : 1.2
        default: score -= between.isEmpty ? 0 : 0.5
        }
      }
      if part.role == .subtitle, last[.title] == nil { score -= 1 }
      last[part.role] = index
    }
    // Each further author's line is one more chance to be wrong.
    let authors = parts.filter { $0.role == .author }
    if authors.count > 1 {
      let best = authors.map(\.score).reduce(-.infinity, max)
      for author in authors { score -= author.score < best - 1 ? 0.9 : 0.3 }
      score += 0.3
    }
    return score
  }
}
