import _CLibrary

/// A beam search over the beginnings of labellings, with words' scores if there is a lexicon.
///
/// All probabilities are natural logarithms. For each beginning, alignments that end in a blank and
/// those that end in its last class are summed apart, because only behind a blank does the same
/// class begin once more.
struct CTCPrefixSearch {
  /// A labelling that was found.
  struct Labelling {
    var labels: [Int]
    /// Of all its alignments that stayed in the beam.
    var logProbability: Double
    var wordScore: Double
  }

  /// A beginning: another one and a class more.
  ///
  /// The first has no class.
  private struct Prefix {
    var parent: Int32
    var label: Int32
  }

  /// A beginning in the beam.
  private struct Member {
    var prefix: Int
    var label: Int
    /// Of alignments that end in a blank.
    var blank: Double
    /// Of alignments that end in the label.
    var filled: Double
    var words = WordScorer.Progress()

    var total: Double { CTCPrefixSearch.sum(blank, filled) }
  }

  /// A member of the next beam: one that stays, or one with a class more.
  private struct Candidate {
    var from: Int
    var member: Member
    var stays: Bool
  }

  private let width: Int
  private let words: WordScorer?
  private var prefixes = [Prefix(parent: -1, label: 0)]
  /// The beginning that is another one and a class more.
  private var longer: [UInt64: Int32] = [:]
  /// The place in the beam of each beginning; -1 if it is not there.
  private var places: [Int32] = [0]
  private var members = [Member(prefix: 0, label: 0, blank: 0, filled: -.infinity)]
  /// Of each class at the present step, and which classes are likely enough.
  private var logs: [Double]
  private var likely: [Int] = []
  /// For which member, counted over all steps, a class leads to a beginning in the beam.
  private var marks: [Int]
  private var mark = 0

  init(classCount: Int, width: Int, words: WordScorer?) {
    self.width = width
    self.words = words
    logs = [Double](repeating: -.infinity, count: classCount)
    marks = [Int](repeating: 0, count: classCount)
  }

  /// The logarithm of the sum of two numbers whose logarithms are given.
  fileprivate static func sum(_ a: Double, _ b: Double) -> Double {
    let (greater, smaller) = a > b ? (a, b) : (b, a)
    return smaller == -.infinity ? greater : greater + log1p(exp(smaller - greater))
  }

  /// The labellings of an output, best first.
  ///
  /// - Complexity: O(*s* (*c* + *w k* log *w*)) for *s* steps, *c* classes, *w* members of the beam
  ///   and *k* classes that are likely enough at a step.
  static func labellings(
    of output: CTCOutput, configuration: CTCBeamConfiguration, words: WordScorer?
  ) -> [Labelling] {
    var search = CTCPrefixSearch(
      classCount: output.classes, width: configuration.beamWidth, words: words)
    for step in 0..<output.steps {
      search.look(at: step, of: output, least: configuration.leastProbability)
      search.advance()
      for index in search.likely { search.logs[index] = -.infinity }
    }
    return search.labellings()
  }

  /// Finds the classes of a step that are likely enough; the likeliest one always is.
  private mutating func look(at step: Int, of output: CTCOutput, least: Float) {
    likely.removeAll(keepingCapacity: true)
    let least = max(least, .leastNonzeroMagnitude)
    output.withRow(step) { row in
      // Most rows have few such values: eight at a time are passed over.
      var index = 0
      while index &+ 8 <= output.classes {
        let values = row.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Float>.self)
        if any(values .>= least) {
          for lane in 0..<8 where values[lane] >= least { likely.append(index &+ lane) }
        }
        index &+= 8
      }
      while index < output.classes {
        if output.values[step * output.classes + index] >= least { likely.append(index) }
        index &+= 1
      }
      if likely.isEmpty {
        likely.append(
          CTCClasses.greatest(row.assumingMemoryBound(to: Float.self), output.classes).0)
      }
    }
    for index in likely { logs[index] = output.logarithm(index, step: step) }
    if likely.count == 1, logs[likely[0]] == -.infinity {
      // Nothing is likely: the step says nothing.
      likely = [0]
      logs[0] = 0
    }
  }

  /// Makes the next beam.
  private mutating func advance() {
    var best = BestCandidates<Candidate>(capacity: width)
    let extended = mergedStays()
    for (place, member) in extended.stays.enumerated() where member.total > -.infinity {
      best.offer(
        Candidate(from: place, member: member, stays: true),
        rank: member.total + running(member.words))
    }
    for (place, member) in members.enumerated() {
      mark += 1
      for child in extended.children[place] { marks[members[child].label] = mark }
      let total = member.total
      for label in likely where label != 0 && marks[label] != mark {
        let mass = (label == member.label ? member.blank : total) + logs[label]
        guard mass > -.infinity else { continue }
        let progress = words?.progress(member.words, reading: label) ?? member.words
        let rank = mass + running(progress)
        guard best.takes(rank) else { continue }
        best.offer(
          Candidate(
            from: place,
            member: Member(
              prefix: -1, label: label, blank: -.infinity, filled: mass, words: progress),
            stays: false),
          rank: rank)
      }
    }
    replaceMembers(by: best.sorted())
  }

  /// The members without a class more, to which comes what flows from other members; and for each
  /// member those that are it and a class more.
  private func mergedStays() -> (stays: [Member], children: [[Int]]) {
    var children = [[Int]](repeating: [], count: members.count)
    var stays = members
    for (place, member) in members.enumerated() {
      stays[place].blank = member.total + logs[0]
      stays[place].filled = member.label == 0 ? -.infinity : member.filled + logs[member.label]
      let parent = prefixes[member.prefix].parent
      guard parent >= 0, places[Int(parent)] >= 0 else { continue }
      let from = Int(places[Int(parent)])
      children[from].append(place)
      let before = members[from]
      let mass = member.label == before.label ? before.blank : before.total
      stays[place].filled = Self.sum(stays[place].filled, mass + logs[member.label])
    }
    return (stays, children)
  }

  private mutating func replaceMembers(by candidates: [Candidate]) {
    for member in members { places[member.prefix] = -1 }
    members = candidates.map { candidate in
      var member = candidate.member
      if !candidate.stays {
        member.prefix = prefix(members[candidate.from].prefix, and: member.label)
      }
      return member
    }
    for (place, member) in members.enumerated() { places[member.prefix] = Int32(place) }
  }

  /// The beginning that is another one and a class more, which is made if it is not known yet.
  private mutating func prefix(_ parent: Int, and label: Int) -> Int {
    let key = UInt64(parent) << 32 | UInt64(label)
    if let known = longer[key] { return Int(known) }
    let new = prefixes.count
    prefixes.append(Prefix(parent: Int32(parent), label: Int32(label)))
    places.append(-1)
    longer[key] = Int32(new)
    return new
  }

  private func running(_ progress: WordScorer.Progress) -> Double {
    words?.running(progress) ?? 0
  }

  /// What is in the beam, with its last words judged, best first; of equals as it was in the beam.
  private func labellings() -> [Labelling] {
    members.map { member in
      var labels: [Int] = []
      var prefix = prefixes[member.prefix]
      while prefix.parent >= 0 {
        labels.append(Int(prefix.label))
        prefix = prefixes[Int(prefix.parent)]
      }
      return Labelling(
        labels: labels.reversed(), logProbability: member.total,
        wordScore: words?.final(member.words) ?? 0)
    }
    .enumerated().sorted { first, second in
      let a = first.element.logProbability + first.element.wordScore
      let b = second.element.logProbability + second.element.wordScore
      return a != b ? a > b : first.offset < second.offset
    }
    .map(\.element)
  }
}
