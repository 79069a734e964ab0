/// The labels that wait for their dates.
///
/// Labels with nothing but words between them wait together, and the dates that follow take them in
/// order. A number that is not a date separates: labels before it lose against one behind it.
struct DateLabelQueue {
  private var waiting: [DateLabel] = []
  /// Behind the last label, or the last date since.
  private var anchor = 0
  private var isStale = false

  /// How many characters a label reaches.
  private static let reach = 32
  /// How many line ends.
  private static let lines = 2
  /// More labels side by side than a package has.
  private static let most = 4

  /// Takes note of a label that ends here.
  mutating func add(_ label: DateLabel, end: Int) {
    if isStale { waiting = [] }
    isStale = false
    anchor = end
    // "Best before / Meilleur avant" is one label.
    if waiting.last == label { return }
    waiting.append(label)
    if waiting.count > Self.most { waiting.removeFirst() }
  }

  /// Takes note of a number that is not a date.
  mutating func sawNumber() {
    isStale = true
  }

  /// The label of a date that begins here.
  func label(at start: Int, in text: FoldedText) -> DateLabel? {
    guard let first = waiting.first, start - anchor <= Self.reach else { return nil }
    var lines = 0
    for place in anchor..<max(start, anchor) where text[place] == 0x0A { lines += 1 }
    return lines <= Self.lines ? first : nil
  }

  /// Takes the label of a date, or of what would be one, that ends here.
  mutating func take(end: Int) {
    if !waiting.isEmpty { waiting.removeFirst() }
    anchor = end
    isStale = true
  }
}
