import Geometry

/// What the lines of text on a spine say of the book: a proposal, for a person or a search to confirm.
public struct SpineLabel: Hashable, Sendable {
  /// The lines in the order in which they are read, as indices of those given.
  public let order: [Int]
  /// The title, its lines joined by spaces; nil where there is no text.
  public let title: String?
  /// The author or authors; nil where no line reads like a name.
  public let author: String?
}

extension SpineGeometry {
  /// Orders the lines of a spine, and proposes which of them are the title and which the author.
  ///
  /// Lines are read along the direction in which most of the text runs; lines side by side across it, as
  /// where a title has two rows, from the first row to the last. A line reads like an author where it follows
  /// *by*, or consists of two to five words that all are names, initials or particles, and the more so where
  /// the first is a given name; the larger of two such lines gives way to the smaller one, for titles are
  /// set larger. By a given name a name is also known whose words are lines of their own, or have lost the
  /// space between them. Letters of less than 0.4 of the height of the largest are taken for a publisher's,
  /// unless they read like a name, and so is a single letter beside words. What stands there several times
  /// counts once. All other lines are the title.
  ///
  /// Lines without a direction, with coordinates that are not finite or without a letter or digit come last in
  /// the order, as they came, and belong to neither. O(*n*²) for *n* lines.
  ///
  /// - Parameter lines: the lines on one spine, in pixels with y growing downward.
  public func label(of lines: [SpineTextLine]) -> SpineLabel {
    let usable = lines.indices.filter { index in
      let line = lines[index]
      return line.outline.isFinite && line.direction != nil
        && line.text.contains { $0.isLetter || $0.isNumber }
    }
    let order = reading(lines, usable)
    let rest = lines.indices.filter { !usable.contains($0) }
    // A single letter beside words is an ornament or a publisher's mark.
    var seen = Set<String>()
    let words = order.filter { index in
      let letters = Self.letters(in: lines[index])
      // Covers that say it all several times say one thing.
      return letters > 1 && (letters < 5 || seen.insert(lines[index].text.lowercased()).inserted)
    }
    let (title, author) = Self.roles(of: (words.isEmpty ? order : words).map { lines[$0] })
    return SpineLabel(order: order + rest, title: title, author: author)
  }

  /// Along the text, rows of one place from the first to the last.
  private func reading(_ lines: [SpineTextLine], _ usable: [Int]) -> [Int] {
    // The direction of most letters: each line votes with its length.
    var sum = Point(x: 0, y: 0)
    for index in usable {
      guard let direction = lines[index].direction else { continue }
      let weight = lines[index].outline.meanWidth
      sum = Point(x: sum.x + weight * direction.x, y: sum.y + weight * direction.y)
    }
    let length = (sum.x * sum.x + sum.y * sum.y).squareRoot()
    guard length > 0 else { return usable }
    let along = Point(x: sum.x / length, y: sum.y / length)
    let spans = usable.map { index in Span(of: lines[index].outline, along: along, index: index) }
    var blocks: [[Span]] = []
    for span in spans.sorted(by: { ($0.start, $0.index) < ($1.start, $1.index) }) {
      if let last = blocks.indices.last, blocks[last].contains(where: { $0.isBeside(span) }) {
        blocks[last].append(span)
      } else {
        blocks.append([span])
      }
    }
    return blocks.flatMap { block in
      block.sorted { ($0.row, $0.start, $0.index) < ($1.row, $1.start, $1.index) }.map(\.index)
    }
  }

  /// Where a line begins and ends along the text, and on which row it lies across it.
  private struct Span {
    let index: Int
    let start: Double
    let end: Double
    let row: Double

    init(of outline: Quadrilateral, along: Point, index: Int) {
      self.index = index
      let places = outline.corners.map { $0.x * along.x + $0.y * along.y }
      start = places.reduce(.infinity, min)
      end = places.reduce(-.infinity, max)
      // A quarter turn clockwise on the screen from the direction of reading, where the next row is.
      let center = outline.center
      row = center.y * along.x - center.x * along.y
    }

    /// Whether half of the shorter one lies beside the other.
    func isBeside(_ other: Span) -> Bool {
      min(end, other.end) - max(start, other.start) > min(end - start, other.end - other.start) / 2
    }
  }

  private static func letters(in line: SpineTextLine) -> Int {
    line.text.count { $0.isLetter || $0.isNumber }
  }

  /// Title and author of lines in reading order.
  private static func roles(of lines: [SpineTextLine]) -> (title: String?, author: String?) {
    guard let largest = lines.map(\.letterHeight).max() else { return (nil, nil) }
    if let (before, name) = named(byWordIn: lines) { return (before, name) }
    var best: (lines: Range<Int>, score: Double)?
    for lines in names(in: lines) {
      // The larger of two names is the title.
      let score = lines.likelihood - 0.3 * lines.letterHeight / largest
      if score > best?.score ?? -1 { best = (lines.range, score) }
    }
    // Where there is nothing else, it is a title, whatever it looks like.
    if best?.lines.count == lines.count { best = nil }
    var title = lines.enumerated().filter { index, line in
      best?.lines.contains(index) != true && line.letterHeight >= 0.4 * largest
    }
    // A famous name may be set much larger than the title before it; a publisher's stands behind.
    if title.isEmpty, let best { title = Array(lines.enumerated().prefix(best.lines.lowerBound)) }
    // Where nothing else is left, the name is the title: lives and collected works.
    guard let best, !title.isEmpty else {
      let whole = lines.filter { $0.letterHeight >= 0.4 * largest }
      return divided(whole.map(\.text.trimmed)) ?? (joined(whole), nil)
    }
    return (joined(title.map(\.element)), joined(Array(lines[best.lines])))
  }

  /// Title and author where one line says both, as a recognizer may read them that stand close together.
  private static func divided(_ texts: [String]) -> (title: String?, author: String?)? {
    for (index, text) in texts.enumerated() {
      guard let (name, rest) = WrittenName.name(atAnEndOf: text) else { continue }
      var title = texts
      title[index] = rest
      return (title.joined(separator: " "), name)
    }
    return nil
  }

  /// Lines, one or several one after the other, that read like a name.
  private static func names(
    in lines: [SpineTextLine]
  ) -> [(range: Range<Int>, likelihood: Double, letterHeight: Double)] {
    let single = lines.indices.map { index in
      (
        range: index..<index + 1, likelihood: WrittenName(of: lines[index].text).likelihood,
        letterHeight: lines[index].letterHeight
      )
    }
    // Words that a recognizer took for lines of their own: only a given name tells that they are one.
    let several = lines.indices.flatMap { first in
      (2...3).compactMap {
        count -> (range: Range<Int>, likelihood: Double, letterHeight: Double)? in
        guard first + count <= lines.count else { return nil }
        let range = first..<first + count
        let heights = lines[range].map(\.letterHeight)
        guard let low = heights.min(), let high = heights.max(), low >= 0.6 * high,
          lines[range].allSatisfy({ !$0.text.trimmed.contains(" ") }),
          let text = joined(Array(lines[range])), WrittenName(of: text).likelihood == 1
        else { return nil }
        return (range: range, likelihood: 1, letterHeight: high)
      }
    }
    return (single + several).filter { $0.likelihood > 0 }
  }

  /// Title and author where a line says *by*.
  private static func named(byWordIn lines: [SpineTextLine]) -> (title: String, author: String)? {
    for (index, line) in lines.enumerated() {
      let words = line.text.split(separator: " ").map(String.init)
      guard let by = words.firstIndex(where: { $0.lowercased() == "by" }) else { continue }
      let before = lines[..<index].map(\.text) + [words[..<by].joined(separator: " ")]
      let inLine = words[(by + 1)...].joined(separator: " ")
      let after = inLine.isEmpty ? lines.dropFirst(index + 1).first?.text ?? "" : inLine
      let title = before.map(\.trimmed).filter { !$0.isEmpty }.joined(separator: " ")
      if !after.isEmpty, !title.isEmpty, WrittenName(of: after).likelihood > 0 {
        return (title, after.trimmed)
      }
    }
    return nil
  }

  private static func joined(_ lines: [SpineTextLine]) -> String? {
    lines.isEmpty ? nil : lines.map(\.text.trimmed).joined(separator: " ")
  }
}

extension String {
  /// Without white space at its ends.
  fileprivate var trimmed: String {
    let inside = drop(while: \.isWhitespace)
    guard let last = inside.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(inside[...last])
  }
}
