/// One reading of a whole spine: the pieces of its text with their roles, in order.
struct SpineReading {
  private(set) var parts: [SpinePart] = []
  private(set) var evidence: SpineEvidence

  var score: Double { evidence.score }

  /// The best readings of lines, from a beam search along them.
  ///
  /// - Parameter keepingValues: whether evidence keeps the values of its features.
  static func readings(of lines: [WrittenLine], keepingValues: Bool = false) -> [SpineReading] {
    // The readings up to each line.
    var reached = [[SpineReading]](repeating: [], count: lines.count + 1)
    reached[0] = [SpineReading(evidence: SpineEvidence(keepingValues: keepingValues))]
    for start in lines.indices {
      let readings = best(reached[start], beamWidth)
      reached[start] = []
      for step in SpineSteps(lines, keepingValues: keepingValues).steps(from: start) {
        for reading in readings {
          var next = reading
          for part in step.parts {
            next.evidence += part.evidence
            next.addFit(of: part, in: lines)
            next.parts.append(part)
          }
          next.evidence += step.evidence
          reached[start + step.count].append(next)
        }
      }
    }
    return reached[lines.count].map { reading in
      var whole = reading
      SpineBalance.add(of: reading.parts, in: lines, to: &whole.evidence)
      return whole
    }
    .sorted { $0.score > $1.score }
  }

  private static let beamWidth = 96

  private static func best(_ readings: [SpineReading], _ count: Int) -> [SpineReading] {
    guard readings.count > count else { return readings }
    return Array(readings.sorted { $0.score > $1.score }.prefix(count))
  }

  /// Adds the evidence for a part after the one before it.
  private mutating func addFit(of part: SpinePart, in lines: [WrittenLine]) {
    guard let last = parts.last else {
      if SpineWords.joins(part.text) { evidence.add(.joinsFirst) }
      return
    }
    let isSame = part.role == last.role
    if SpineWords.joins(part.text) {
      if isSame {
        evidence.add(.joinsSame)
      } else if part.role != .author {
        evidence.add(.joinsDifferent)
      }
    }
    if last.role == .title || last.role == .subtitle, SpineWords.dangles(last.text) {
      evidence.add(
        isSame ? .danglesSame : part.role == .other ? .danglesOther : .danglesDifferent)
    }
    guard part.lines.lowerBound >= last.lines.upperBound else { return }
    let (line, before) = (lines[part.lines.lowerBound], lines[last.lines.upperBound - 1])
    let isTurned = line.isTurned(from: before)
    let ratio = min(line.height, before.height) / max(line.height, before.height)
    if line.block == before.block, !isTurned {
      if isSame {
        evidence.add(ratio > 0.75 ? .besideSameLike : .besideSame)
      } else if ratio > 0.75 {
        evidence.add(.besideDifferentLike)
      }
    } else if isSame, !isTurned, ratio > 0.85 {
      evidence.add(.nextSameLike)
    } else if isSame, isTurned {
      evidence.add(.turnedSame)
    }
    if line.block != before.block {
      evidence.add(isSame ? .gapSame : .gapDifferent, line.gap)
    }
    if isSame, let case1 = line.isCapital, let case2 = before.isCapital {
      evidence.add(case1 == case2 ? .caseSame : .caseDiffers)
    }
  }
}

/// Words that connect a line with another.
enum SpineWords {
  /// Whether a text continues the text before it.
  static func joins(_ text: String) -> Bool {
    let first = text.prefix { $0 != " " }.lowercased()
    return ["and", "of", "&", "or", "for", "to", "und", "et", "y", "with"].contains(first)
  }

  /// Whether a text continues in the text after it.
  static func dangles(_ text: String) -> Bool {
    guard let last = text.split(separator: " ").last?.lowercased() else { return false }
    return dangling.contains(last) || last.hasSuffix("-") || last == "&"
      || last.hasSuffix("'s") || last.hasSuffix("’s") || last.hasSuffix(":")
  }

  private static let dangling: Set<String> = [
    "the", "a", "an", "of", "and", "for", "with", "from", "der", "die", "das", "und", "le", "la",
    "les", "de", "et", "los", "las", "el", "il", "my", "your", "his", "her", "our", "their", "to",
    "by",
  ]
}
